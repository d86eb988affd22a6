// A denied request in the execution function: nothing is read for it, and nothing written, since the authorizer has logged it.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { requireAdmission } from '../../../../adapters/apigateway/proxy-event.ts';
import { ServiceError, toServiceError } from '../../../../core/contract/service-error.ts';
import { createJournal } from '../../../../core/logs/journal.ts';
import { createUnknownNeurons } from '../../../../core/logs/unknown-neurons.ts';
import { recordLine } from '../../../../lambdas/execute/steps/line.ts';
import { openRun } from '../../../../lambdas/execute/steps/open-run.ts';
import { readSettings, toSubject } from '../../../../lambdas/execute/steps/settings.ts';
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
      const run = openRun(eventWith({ outcome: 'denied', code }), { clock });
      const known = await readSettings(run.request, { settings: unread });
      run.subject = toSubject(run.request, known);
      expect(run.subject).toBeUndefined();
      const error = thrownBy(() => requireAdmission(run.request, known));
      expect(error).toMatchObject({ code });

      const lines: string[] = [];
      const { entries } = recordLine(run, { kind: 'error', error: toServiceError(error) }, [], {
        ...{ stage: 'test', clock, journal: createJournal(), unknownNeurons: createUnknownNeurons() },
        lines: { write: (line) => void lines.push(line) },
      });
      expect(lines).toEqual([]);
      expect(entries).toEqual([]);
    },
  );

  it('without a code that a denial has is no denial: the settings are read, so that the defect is logged', async () => {
    const { request } = openRun(eventWith({ outcome: 'denied', code: 'not_a_code' }), { clock });
    await expect(readSettings(request, { settings: unread })).rejects.toThrow(ServiceError);
    expect(thrownBy(() => requireAdmission(request, undefined))).toMatchObject({ code: 'internal' });
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
