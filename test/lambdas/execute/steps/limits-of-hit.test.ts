// The budget of an answer from the cache decides as that of a run does, and leaves the counters as a run that spent nothing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAdmission } from '../../../../adapters/apigateway/proxy-event.ts';
import { createExhaustionCache } from '../../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../../core/ports/counters.ts';
import { neuronSettingsSchema } from '../../../../core/settings/neuron-schema.ts';
import { organizationSchema } from '../../../../core/settings/organization-schema.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { type BudgetPorts, openRunBudget } from '../../../../lambdas/execute/steps/limits.ts';
import { openHitBudget } from '../../../../lambdas/execute/steps/limits-of-hit.ts';
import { type SpiedCounters, spyOnCounters } from '../../../core/limits/limited.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters, type MemoryCounters } from '../../../support/memory/counters.ts';
import { allowedRequest } from '../allowed-request.ts';

const NOON = Date.parse('2026-11-21T12:00:30.000Z');

interface Rules {
  readonly rateLimits: readonly object[];
  readonly usageLimits: readonly object[];
}

function open({ rateLimits, usageLimits }: Rules, counters: BudgetPorts['counters']) {
  // No wait before a throttled request is tried again.
  const clock = { ...createMemoryClock(NOON), sleep: async () => undefined };
  const ports: BudgetPorts = {
    ...{ clock, counters, exhaustionCache: createExhaustionCache() },
    random: { fraction: () => 0, bytes: (count) => new Uint8Array(count) },
    ...{ counterShards: 1, defaultConcurrency: undefined, maxDeadlineMs: 240_000 },
  };
  const request = allowedRequest(NOON, { authentication: 'jwt', keyId: undefined, username: 'ann' });
  const call = {
    request,
    admission: toAdmission(request),
    deadline: startDeadline(clock, 60_000),
    settings: {
      ...{ organizationId: 'o1', neuronId: 'n1', version: { organization: 1, neuron: 1 } },
      organization: organizationSchema.parse({ organization: 'acme', usageLimits }),
      neuron: neuronSettingsSchema.parse({ neuron: 'acme/hello', access: { public: true }, rateLimits }),
    },
  } as unknown as Parameters<typeof openRunBudget>[0];
  const requests = { writes: 0, reads: 0 };
  const hit = () =>
    openHitBudget(call, ports, {
      onWrite() {
        requests.writes += 1;
      },
      onRead() {
        requests.reads += 1;
      },
    });
  return { run: () => openRunBudget(call, ports), hit, requests };
}

type Budget = ReturnType<typeof openRunBudget>;
const SPENDING = { tokens: 500, costMicrodollars: 300 };

/** An answer from the cache: admitted, closed without an attempt, and settled. */
async function answer(budget: Budget, counters: MemoryCounters, spending = SPENDING) {
  const outcome = await budget.admit(spending).then(
    () => 'admitted',
    ({ code, retryAfterMs }) => ({ code, retryAfterMs }),
  );
  for (const settlement of budget.close()) await counters.settle(settlement);
  return { outcome, rateLimit: budget.rateLimit() };
}

/** What is counted; amounts of nothing are none. */
const countedIn = ({ states }: MemoryCounters) =>
  [...states]
    .toSorted()
    .flatMap(([key, { counts }]) =>
      Object.entries(counts).flatMap(([metric, { taken, held }]) =>
        taken === 0 && held === 0 ? [] : [`${key} ${metric} ${taken} ${held}`],
      ),
    );

const metric = fc.constantFrom('requests', 'tokens', 'cost', 'concurrent');
const limitOf = (name: string, room: number) => (name === 'cost' ? (room * 250) / 1e6 : room * 250);
const anyRules: fc.Arbitrary<Rules> = fc.record({
  rateLimits: fc.uniqueArray(
    fc
      .record({ metric, scope: fc.constantFrom('user', 'ip', 'total'), room: fc.integer({ min: 1, max: 6 }) })
      .map(({ metric: name, scope, room }) => ({
        ...{ metric: name, scope },
        limit: name === 'requests' || name === 'concurrent' ? room : limitOf(name, room),
        ...(name === 'concurrent' ? {} : { period: '1h' }),
      })),
    { maxLength: 6, selector: (rule) => `${rule.metric} ${rule.scope}` },
  ),
  usageLimits: fc.uniqueArray(
    fc
      .record({ metric: fc.constantFrom('requests', 'tokens', 'cost'), room: fc.integer({ min: 1, max: 6 }) })
      .map(({ metric: name, room }) => ({
        metric: name,
        limit: name === 'requests' ? room : limitOf(name, room),
        period: 'day',
      })),
    { maxLength: 3, selector: (rule) => rule.metric },
  ),
});

describe('the budget of an answer from the cache', () => {
  it('admits and rejects as that of a run, shows the same, and leaves the same counts', async () => {
    const steps = fc.array(fc.constantFrom('hit', 'run', 'open run'), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(anyRules, steps, async (rules, calls) => {
        const [before, now] = [createMemoryCounters(), createMemoryCounters()];
        const [usual, other] = [open(rules, before), open(rules, now)];
        for (const call of calls) {
          if (call === 'hit') {
            const expected = await answer(usual.run(), before);
            expect(await answer(other.hit(), now)).toEqual(expected);
          } else
            for (const [budget, counters] of [
              [usual.run(), before],
              [other.run(), now],
            ] as const) {
              const reservation = await budget
                .admit(SPENDING)
                .then(() => budget.reserveAttempt(SPENDING))
                .catch(() => undefined);
              reservation?.settle({ tokens: 100, costMicrodollars: 50 });
              // One that goes on holds what it has reserved.
              if (call === 'run') for (const one of budget.close()) await counters.settle(one);
            }
          expect(countedIn(now)).toEqual(countedIn(before));
        }
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100) * 3 },
    );
  });

  const tokens = { metric: 'tokens', scope: 'total', limit: 1_000, period: '1h' };
  const perRequest = { metric: 'requests', scope: 'user', limit: 9, period: '1h' };

  it('reads limits of tokens and cost in place of two writes, and writes what counts requests', async () => {
    const counters: SpiedCounters = spyOnCounters();
    const opened = open({ rateLimits: [tokens, perRequest], usageLimits: [] }, counters);
    const budget = opened.hit();
    await budget.admit(SPENDING);
    expect(budget.close()).toEqual([]);
    expect(opened.requests).toEqual({ writes: 1, reads: 1 });
    expect(counters.calls).toHaveLength(2);
  });

  it('keeps nobody out for what hits take at once: they take nothing', async () => {
    const counters = createMemoryCounters();
    const { hit } = open({ rateLimits: [{ ...tokens, limit: 500 }], usageLimits: [] }, counters);
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(hit(), counters)));
    expect(answers.map(({ outcome }) => outcome)).toEqual(Array(20).fill('admitted'));
    expect(countedIn(counters)).toEqual([]);
    expect((await answer(hit(), counters, { ...SPENDING, tokens: 501 })).outcome).toMatchObject({
      code: 'rate_limited',
    });
  });

  it.each([
    ['throttled', 'overloaded'],
    ['unknown', 'dependency_unavailable'],
  ] as const)('is refused where its counter is %s', async (kind, code) => {
    const counters = createMemoryCounters();
    const broken = { ...counters, read: () => Promise.reject(new CounterFailure(kind, new Error('down'))) };
    const { hit } = open({ rateLimits: [tokens], usageLimits: [] }, broken);
    expect((await answer(hit(), counters)).outcome).toMatchObject({ code });
  });
});
