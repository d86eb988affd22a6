// Counters that hang, drop, throttle or fail: limited callers are refused with 503, or go on uncounted where the neuron says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessStack, startAccessStack } from '../e2e/support/access-stack.ts';
import { expectError } from '../e2e/support/expect-answer.ts';
import { isLocal } from '../e2e/support/stack.ts';
import { outputOf } from '../e2e/support/tables.ts';
import type { Fault, ServiceCall } from './faulty-service.ts';

const RULES = `rateLimits:
  - { metric: requests, scope: ip, limit: 100, period: 1d }
  - { metric: tokens, scope: total, limit: 1000000, period: 1d }
`;

function neuron(slug: string, settings: string): string {
  const flow = 'flow: [{ callModel: { provider: demo, model: m, maxTokens: 30 } }]';
  return `---\nneuron: acme/${slug}\naccess: { public: true }\n${settings}${flow}\n`;
}

const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo } }\n',
  neuron('limited', RULES),
  neuron('admitting', `${RULES}whenCountersFail: admit\n`),
  neuron('free', ''),
].join('');

describe.runIf(isLocal)('counters that are down', () => {
  let access: AccessStack;
  beforeAll(async () => {
    access = await startAccessStack({ settings: SETTINGS, concurrency: 2 });
  });
  afterAll(() => access?.stop());

  const call = (slug: string) => access.stack.call(`/acme/${slug}`, { json: { input: 'Hello' } });

  /** Faults of takes, told from the settlements of calls before; what is meant is counted. */
  function breakCounters(fault: Fault, isMeant: (body: string) => boolean = () => true): ServiceCall[] {
    const calls: ServiceCall[] = [];
    const table = JSON.stringify(outputOf(access.dataFolder, 'CountersTable'));
    access.tables.injectFaults((one) => {
      if (
        !one.body.includes(table) ||
        !/Taken.*expiresAt|expiresAt.*Taken/s.test(one.body) ||
        !isMeant(one.body)
      )
        return undefined;
      calls.push(one);
      return fault;
    });
    return calls;
  }

  it.each([
    ['hang', 'dependency_unavailable', 1],
    ['drop', 'dependency_unavailable', 1],
    ['fail', 'dependency_unavailable', 1],
    // A write that was throttled was certainly not made.
    ['throttle', 'overloaded', 2],
  ] as const)(
    'because they %s answer 503 %s after %d writes, and others are served',
    async (fault, code, writes) => {
      const calls = breakCounters(fault);
      expectError(await call('limited'), 503, code);
      expect(calls.map(({ operation }) => operation)).toEqual(Array(writes).fill('UpdateItem'));
      expect((await call('free')).status).toBe(200);
      access.tables.injectFaults(() => undefined);
      expect((await call('limited')).status).toBe(200);
    },
  );

  it.each(['drop', 'throttle'] as const)(
    'because they %s let callers in where the neuron says so, which the log shows',
    async (fault) => {
      breakCounters(fault);
      const answer = await call('admitting');
      access.tables.injectFaults(() => undefined);
      expect(answer.status).toBe(200);
      const id = String(answer.headers['x-execution-id']);
      await expect.poll(() => access.stack.operate(['logs', 'acme/admitting', '--json'])).toContain(id);
      const entry = JSON.parse(await access.stack.operate(['logs', 'acme', '--id', id, '--json'])) as object;
      expect(entry).toMatchObject({
        status: 200,
        reason: 'limits were not counted: the counters table failed',
      });
    },
  );

  it('at the second of two get the first one back its room', async () => {
    const before = await call('limited');
    const calls = breakCounters('throttle', (body) => body.includes('#total#'));
    expectError(await call('limited'), 503, 'overloaded');
    access.tables.injectFaults(() => undefined);
    expect(calls).toHaveLength(2);
    const remaining = (header: unknown) => Number(/;r=([0-9]+);/.exec(String(header))?.[1]);
    const after = await call('limited');
    expect(remaining(after.headers['ratelimit'])).toBe(remaining(before.headers['ratelimit']) - 1);
  });
});
