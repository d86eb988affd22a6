// Defects in the duties of a request's end, one at a time: each of the others is done, and the caller has its answer.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { RequestGuards } from '../../../../core/guards/request-guards.ts';
import { createJournal } from '../../../../core/logs/journal.ts';
import { createUnknownNeurons } from '../../../../core/logs/unknown-neurons.ts';
import { endRun } from '../../../../lambdas/execute/end/end-run.ts';
import { cacheAnswer } from '../../../../lambdas/execute/end/finish.ts';
import type { ExecutionPorts, Outcome, Run } from '../../../../lambdas/execute/run.ts';
import { openRun } from '../../../../lambdas/execute/steps/open-run.ts';
import { releaseFollowers } from '../../../../lambdas/execute/steps/shared-answer.ts';
import { FACTS, NOON_MS } from '../../../core/logs/entries.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';

const event = {
  requestContext: { requestTimeEpoch: NOON_MS, requestId: 'exec-1', identity: { sourceIp: '203.0.113.7' } },
  body: null,
} as APIGatewayProxyEvent;

const breaks = (): never => {
  throw new TypeError('a defect');
};

/** A plan of caching that cannot be read. */
const BROKEN = {
  get plan() {
    return breaks();
  },
} as unknown as NonNullable<Run['caching']>;

const SETTLEMENT = { key: 'counter', changes: [{ metric: 'tokens', taken: -5, held: -9 }] } as const;

/** A request that ends with these on its record. */
function open(record: Partial<Run> = {}) {
  const clock = createMemoryClock(NOON_MS);
  const [lines, entries, settled]: [string[], unknown[], unknown[]] = [[], [], []];
  const ports = {
    ...{ stage: 'test', clock, journal: createJournal(), unknownNeurons: createUnknownNeurons() },
    ...{ lines: { write: (line: string) => void lines.push(line) }, random: { fraction: () => 0 } },
    counters: { settle: async (one: unknown) => void settled.push(one) },
    logs: { put: async (entry: unknown) => entries.push(entry) > 0 },
    secrets: { read: async () => undefined },
    lastUse: { isDue: () => false },
  } as unknown as ExecutionPorts;
  const budget = {
    close: () => [SETTLEMENT],
    incidents: () => ({ reservationsExceeded: 0, countersUnavailable: 0 }),
    rateLimit: () => undefined,
  };
  const run = { ...openRun(event, { clock }), subject: FACTS.subject, budget, ...record } as unknown as Run;
  return { run, ports, lines, entries, settled };
}

const OUTCOME: Outcome = { kind: 'run', answer: () => ({ status: 200, headers: {}, body: 'Hi' }) };

async function end({ run, ports }: Pick<ReturnType<typeof open>, 'run' | 'ports'>) {
  const { answer, finish } = await endRun(run, OUTCOME, ports);
  const { status } = answer();
  await finish();
  return status;
}

const lookupOf = (complete: (answer: unknown) => void) =>
  ({ result: 'miss', failures: [], complete }) as const;

describe('the end of a request', () => {
  it('releases those who wait where there is no telling what to share', () => {
    const told: unknown[] = [];
    const { run, ports } = open({ caching: BROKEN, lookup: lookupOf((answer) => told.push(answer)) });
    releaseFollowers(run, ports);
    expect(told).toEqual([undefined]);
  });

  it('counts the answer that is not cached, and rejects nothing', async () => {
    const { run, ports, lines } = open({ caching: BROKEN });
    await cacheAnswer(run, ports);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { neuronCacheLoss: 1, executionId: 'exec-1' },
    ]);
  });

  it('puts the entry without what guards found late', async () => {
    const services = { ended: async () => undefined, calls: () => [], masks: () => [] };
    // The line has them; they are asked again for the entry.
    let asked = 0;
    const found = () => {
      asked += 1;
      return asked > 1 ? breaks() : [];
    };
    const guards = { services, found } as unknown as RequestGuards;
    const ended = open({ guards });
    expect(await end(ended)).toBe(200);
    expect(ended.entries).toMatchObject([{ executionId: 'exec-1', outcome: 'success' }]);
    expect(ended.lines.map((line) => JSON.parse(line))).toMatchObject([
      { neuronEntry: 1 },
      { neuronDefect: 1, executionId: 'exec-1', reason: 'find late: TypeError' },
    ]);
  });

  it.each<[string, Partial<Run>, readonly unknown[]]>([
    ['none', {}, [SETTLEMENT]],
    ['close the budget', { budget: { ...open().run.budget, close: breaks } as Run['budget'] & object }, []],
    ['release followers', { lookup: lookupOf(breaks) }, [SETTLEMENT]],
    [
      'end the deadline',
      { deadline: { end: breaks, remainingMs: () => 0 } as unknown as Run['deadline'] & object },
      [SETTLEMENT],
    ],
  ])('is whole but for what a defect takes, and says so: %s', async (duty, record, settlements) => {
    const ended = open(record);
    expect(await end(ended)).toBe(200);
    expect(ended.settled).toEqual(settlements);
    expect(ended.entries).toMatchObject([{ executionId: 'exec-1', outcome: 'success' }]);
    const lines = ended.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => line['neuronEntry'] === 1)).toHaveLength(1);
    expect(lines.flatMap((line) => (line['neuronDefect'] === 1 ? [line['reason']] : []))).toEqual(
      duty === 'none' ? [] : [`${duty}: TypeError`],
    );
  });
});
