// A denied request in the execution function: nothing is read for it, and nothing written, since the authorizer has logged it.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { createJournal } from '../../../../core/logs/journal.ts';
import { createUnknownNeurons } from '../../../../core/logs/unknown-neurons.ts';
import { keep, runSoFar } from '../../../../lambdas/execute/bind.ts';
import { openRun, readSettings, requireAdmission } from '../../../../lambdas/execute/steps/open-run.ts';
import { recordLine } from '../../../../lambdas/execute/steps/record-line.ts';
import { NOON_MS } from '../../../core/logs/entries.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';

const clock = createMemoryClock(NOON_MS);
const unread = {
  read: () => {
    throw new Error('the settings were read');
  },
};

function eventWith(authorizer: Readonly<Record<string, unknown>>): APIGatewayProxyEvent {
  const requestContext = { requestTimeEpoch: NOON_MS, requestId: 'r', authorizer };
  const pathParameters = { organization: 'acme', neuron: 'hello' };
  return { requestContext, pathParameters, body: null } as unknown as APIGatewayProxyEvent;
}

describe('a denied request', () => {
  it.each(['unauthorized', 'referer_not_allowed', 'ip_not_allowed', 'access_closed'])(
    'ends with %s, without the settings, a line or an entry',
    async (code) => {
      const event = eventWith({ outcome: 'denied', code });
      const run = await readSettings(openRun(event, { clock }), { settings: unread });
      keep(event, run);
      const error = thrownBy(() => requireAdmission(run));
      expect(error).toMatchObject({ code });

      const lines: string[] = [];
      const { onError } = recordLine({
        ...{ stage: 'test', clock, journal: createJournal(), unknownNeurons: createUnknownNeurons() },
        lines: { write: (line) => void lines.push(line) },
      });
      onError?.({ event, error } as never);
      expect(lines).toEqual([]);
      expect(runSoFar(event)).toMatchObject({ subject: undefined });
      expect(runSoFar(event)?.entries).toBeUndefined();
    },
  );

  it('without a code that a denial has is no denial: the settings are read, so that the defect is logged', async () => {
    const event = eventWith({ outcome: 'denied', code: 'not_a_code' });
    const run = openRun(event, { clock });
    await expect(readSettings(run, { settings: unread })).rejects.toThrow(ServiceError);
    expect(thrownBy(() => requireAdmission({ ...run, known: undefined }))).toMatchObject({
      code: 'internal',
    });
  });
});

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('the request was admitted');
}
