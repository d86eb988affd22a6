// Requests that a later counter may still release are never cached as used: in no order of writes, and by clocks that differ.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAccounts } from '../../../core/limits/account.ts';
import { classifyDenial } from '../../../core/limits/exhausted-limits.ts';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { planCounters } from '../../../core/limits/plan-counters.ts';
import { CounterFailure, type LimitedChange } from '../../../core/ports/counters.ts';
import { budgetOf, caller, contextOf, errorOf, limited, NOW, spending, spyOnCounters } from './limited.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const perUser = [
  { metric: 'requests', scope: 'user', limit: 2, period: '1h' },
  { metric: 'tokens', scope: 'user', limit: 1_000, period: '1h' },
] as const;
const total = { metric: 'requests', scope: 'total', limit: 2, period: '1d' } as const;

describe('a counter that a long run goes on to use', () => {
  it('is not taken for one without admissions in progress', async () => {
    const counters = spyOnCounters();
    const exhaustionCache = createExhaustionCache();
    let nowMs = NOW;
    const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
    const open = (parts: Partial<Parameters<typeof limited>[0]> = {}, store = counters) =>
      budgetOf(limited({ rateLimits: [...perUser, total], timeMs: nowMs, ...parts }), store, {
        exhaustionCache,
        clock,
      });
    const long = open();
    await long.admit(spending(1));
    await open({ caller: caller('bob') }).admit(undefined);
    nowMs += 200 * SECOND_MS;
    // Counted by the first counter, and waiting for the last, which has no room.
    const [reached, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = {
      ...counters,
      reserve: async (request: Parameters<typeof counters.reserve>[0]) => {
        if (!request.key.includes('#total#')) return counters.reserve(request);
        reached.resolve();
        await decided.promise;
        return counters.reserve(request);
      },
    };
    const waiting = errorOf(open({}, slow as typeof counters).admit(undefined));
    await reached.promise;
    await long.reserveAttempt(spending(5));
    await long.reserveAttempt(spending(5));
    nowMs += 1;
    expect((await errorOf(open().admit(undefined)))[0]).toBe('rate_limited');
    decided.resolve();
    expect((await waiting)[0]).toBe('rate_limited');
    // The request that was waiting has left its place.
    expect(await errorOf(open({ rateLimits: [...perUser] }).admit(undefined))).toBe('none');
  });
});

describe('the time that a counter keeps', () => {
  it.each([
    ['of the write where that is later than the arrival', 5 * SECOND_MS, NOW + 5 * SECOND_MS],
    ['of the arrival where a clock is slow', -5 * SECOND_MS, NOW],
  ])('is that %s', async (_what, skewMs, expected) => {
    const counters = spyOnCounters();
    const clock = { now: () => NOW + skewMs, sleep: () => Promise.resolve() };
    await budgetOf(limited({ rateLimits: [total] }), counters, { clock }).admit(undefined);
    expect(counters.reserveRequests.map(({ atMs }) => atMs)).toEqual([expected]);
  });

  it('is that of a request that is counted late, behind a counter that failed open', async () => {
    const counters = spyOnCounters();
    let nowMs = NOW;
    const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
    const budget = budgetOf(limited({ rateLimits: [...perUser] }), counters, { clock, failOpen: true });
    counters.failWith = () => new CounterFailure('unknown');
    await budget.admit(spending(1));
    counters.failWith = () => undefined;
    nowMs += 300 * SECOND_MS;
    await budget.reserveAttempt(spending(5));
    expect([...counters.memory.states.values()]).toMatchObject([
      { atMs: NOW + 300 * SECOND_MS, counts: { requests: { taken: 1 } } },
    ]);
  });
});

/** Milliseconds up to a bound, its edges often. */
const upTo = (ms: number) => fc.oneof(fc.constantFrom(0, 1, ms - 1, ms), fc.integer({ min: 0, max: ms }));

/** A request that a counter counts, and that is decided in time: most within a minute of its arrival, by any clock. */
const admission = fc
  .record({
    arrivedMs: upTo(10 * MINUTE_MS),
    write: upTo(MINUTE_MS),
    decide: upTo(MINUTE_MS),
    skewMs: fc.integer({ min: -20 * MINUTE_MS, max: MINUTE_MS }),
  })
  .map(({ arrivedMs, write, decide, skewMs }) => ({
    arrivedMs,
    writtenMs: arrivedMs + Math.min(write, decide),
    decidedMs: arrivedMs + Math.max(write, decide),
    skewMs,
  }));

/** One that is counted late, by a clock that is a minute slow at most. */
const late = fc
  .record({
    arrivedMs: upTo(10 * MINUTE_MS),
    write: upTo(10 * MINUTE_MS),
    decide: upTo(MINUTE_MS),
    skewMs: fc.integer({ min: -MINUTE_MS, max: MINUTE_MS }),
  })
  .map(({ arrivedMs, write, decide, skewMs }) => ({
    arrivedMs,
    writtenMs: arrivedMs + write,
    decidedMs: arrivedMs + write + decide,
    skewMs,
  }));

/** The first of two counters of a request. */
function openCounter() {
  const { memory } = spyOnCounters();
  const [account] = openAccounts(planCounters(limited({ rateLimits: [...perUser, total] })));
  const item = account?.counter.items[0];
  if (account === undefined || item === undefined) throw new Error('no counter');
  const { key } = item;
  const countOf = () => memory.states.get(key)?.counts.requests?.taken ?? 0;
  const write = (atMs: number, changes: readonly LimitedChange[]) =>
    memory.reserve({ key, changes, atMs, expiresAt: 0 });
  return {
    countOf,
    count: (atMs: number) => write(atMs, [REQUEST, TOKENS]),
    release: () => memory.settle({ key, changes: [{ metric: 'requests', taken: -1, held: 0 }] }),
    attempt: (atMs: number) => write(atMs, [TOKENS]),
    /** The requests that an environment would cache as used at this time; undefined for none. */
    async cachedAt(timeMs: number): Promise<number | undefined> {
      const state = memory.states.get(key);
      if (state === undefined) return undefined;
      const exhaustionCache = createExhaustionCache();
      const context = contextOf(memory, { exhaustionCache, timeMs });
      const changes = [{ ...REQUEST, taken: 1_001, needed: 1_001 }];
      await classifyDenial(account, { item, changes, state }, context);
      return exhaustionCache.get(context.settingsVersion, key).requests;
    },
  };
}

const REQUEST: LimitedChange = { metric: 'requests', taken: 1, held: 0, limit: 1_000 };
const TOKENS: LimitedChange = { metric: 'tokens', taken: 1, held: 1, limit: 1_000 };

type Counted = Readonly<Record<'arrivedMs' | 'writtenMs' | 'decidedMs' | 'skewMs', number>>;

/** The writes of a request, and its release. */
function eventsOf(counter: ReturnType<typeof openCounter>, one: Counted, isReleased: boolean) {
  const { arrivedMs, writtenMs, decidedMs, skewMs } = one;
  const count = () => counter.count(Math.max(writtenMs + skewMs, arrivedMs));
  const written = { timeMs: writtenMs, order: 0, run: count };
  return isReleased ? [written, { timeMs: decidedMs, order: 1, run: counter.release }] : [written];
}

describe('requests that are cached as used', () => {
  it('are never released, whoever writes last', async () => {
    const requests = fc.array(fc.tuple(fc.oneof(admission, late), fc.boolean()), {
      minLength: 1,
      maxLength: 12,
    });
    const attempts = fc.array(fc.tuple(upTo(10 * MINUTE_MS), upTo(20 * MINUTE_MS)), { maxLength: 6 });
    const reads = fc.array(upTo(25 * MINUTE_MS), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(requests, attempts, reads, async (counted, attempted, readAt) => {
        const counter = openCounter();
        let cached = 0;
        const read = async (timeMs: number) => {
          cached = Math.max(cached, (await counter.cachedAt(timeMs)) ?? 0);
        };
        const events = [
          ...counted.flatMap(([one, isReleased]) => eventsOf(counter, one, isReleased)),
          ...attempted.map(([arrivedMs, afterMs]) => ({
            ...{ timeMs: arrivedMs + afterMs, order: 0 },
            // By any clock: it is not stored.
            run: () => counter.attempt(arrivedMs),
          })),
          ...readAt.map((timeMs) => ({ timeMs, order: 2, run: () => read(timeMs) })),
        ];
        for (const { run } of events.toSorted((a, b) => a.timeMs - b.timeMs || a.order - b.order)) {
          await run();
          expect(counter.countOf()).toBeGreaterThanOrEqual(cached);
        }
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100) * 5 },
    );
  });
});
