// The line of a request: its latency by a clock that is set back, and the trace of its caller.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ServiceError, toServiceError } from '../../../../core/contract/service-error.ts';
import { createJournal } from '../../../../core/logs/journal.ts';
import { parseLine } from '../../../../core/logs/line.ts';
import { createUnknownNeurons } from '../../../../core/logs/unknown-neurons.ts';
import type { Outcome } from '../../../../lambdas/execute/run.ts';
import { recordLine } from '../../../../lambdas/execute/steps/line.ts';
import { openRun } from '../../../../lambdas/execute/steps/open-run.ts';
import { FACTS, NOON_MS } from '../../../core/logs/entries.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';

const event = {
  requestContext: { requestTimeEpoch: NOON_MS, requestId: 'r', identity: { sourceIp: '203.0.113.7' } },
  body: null,
} as APIGatewayProxyEvent;

/** A request that was opened, and its lines when it ends. */
function begin(called: APIGatewayProxyEvent = event) {
  const clock = createMemoryClock(NOON_MS);
  const lines: string[] = [];
  const ports = {
    ...{ stage: 'test', clock, lines: { write: (line: string) => void lines.push(line) } },
    ...{ journal: createJournal(), unknownNeurons: createUnknownNeurons() },
  };
  const run = { ...openRun(called, { clock }), subject: FACTS.subject };
  const endAs = (outcome: Outcome): readonly string[] => {
    recordLine(run, outcome, [], ports);
    return lines;
  };
  return {
    ...{ run, ports, clock },
    endAs,
    endWith: (thrown: unknown) => endAs({ kind: 'error', error: toServiceError(thrown) }),
  };
}

describe('the line', () => {
  it('has the time that passed, also when the clock leaps back meanwhile', async () => {
    const { clock, endWith } = begin();
    await clock.advance(40);
    clock.leap(-1_915);
    const lines = endWith(new Error('a defect'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ latencyMs: 40, code: 'internal' }]);
  });

  it.each([
    ['/{organization}/{neuron}', 422],
    ['/v1/{organization}/{neuron}/chat/completions', 400],
  ])('has the status that a caller of %s got: %i', (resource, status) => {
    const lines = begin({ ...event, resource }).endWith(new ServiceError('not_accepted'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ status, code: 'not_accepted' }]);
  });

  it('of an answer that was given before reads back with the execution that made it', () => {
    const replay = { executionId: 'exec-0', executionStopped: false };
    const answer = () => ({ status: 400, headers: {}, body: '' });
    const original = { code: 'invalid_input', status: 400, replay } as const;
    const lines = begin().endAs({ kind: 'replay', answer, original });
    expect(lines.map(parseLine)).toMatchObject([
      { replayOf: 'exec-0', code: 'invalid_input', status: 400, restored: true },
    ]);
  });

  it('has the trace of the caller, also when its entry is restored', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traced = { ...event, headers: { traceparent } } as unknown as APIGatewayProxyEvent;
    const lines = begin(traced).endWith(new Error('a defect'));
    expect(lines.map(parseLine)).toMatchObject([{ traceparent, restored: true }]);
  });

  it('that cannot be written loses no count of those that the journal gave with it', () => {
    const before = begin();
    const write = () => {
      throw new Error('standard output is gone');
    };
    const own = { ...FACTS, executionId: 'own' };
    const count = { ...FACTS, executionId: 'last of a flood', count: 7 };
    const due = [count];
    const journal = { due: () => [], record: () => [...due.splice(0), own] };
    const run = { ...before.run, request: { ...before.run.request, executionId: 'own' } };
    const outcome: Outcome = { kind: 'run', answer: () => ({ status: 200, headers: {}, body: '' }) };
    const recorded = recordLine(run, outcome, [], { ...before.ports, lines: { write }, journal });
    expect(recorded.outcome).toMatchObject({ kind: 'error', error: { code: 'internal' } });
    expect(recorded.entries).toEqual([count, own]);
  });
});
