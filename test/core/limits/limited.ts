// Requests and budgets for tests of limits: at 12:34:56.789 UTC, with counters in memory and a fixed random number.

import { type Budget, openBudget, type Spending } from '../../../core/limits/budget.ts';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import type { ReserveContext } from '../../../core/limits/reserve.ts';
import type {
  CounterFailure,
  CounterStore,
  LimitMetric,
  ReserveOutcome,
  ReserveRequest,
  Settlement,
} from '../../../core/ports/counters.ts';
import { createMemoryCounters, type MemoryCounters } from '../../support/memory/counters.ts';

export const NOW = Date.parse('2026-11-21T12:34:56.789Z');

/** A request of the user ann, without any rule. */
export function limited(parts: Partial<LimitedRequest> = {}): LimitedRequest {
  return {
    neuronId: 'neu1',
    organizationId: 'org1',
    rateLimits: [],
    usageLimits: [],
    defaultConcurrency: undefined,
    takesKeys: false,
    keyLimits: [],
    caller: caller('ann'),
    timeMs: NOW,
    runEndsAtMs: NOW + 60_000,
    shards: 1,
    ...parts,
  };
}

export function caller(username: string | undefined): LimitedRequest['caller'] {
  return { authentication: 'jwt', username, keyId: undefined, sourceIp: '203.0.113.7' };
}

/** A store that records every call and fails on demand. */
export interface SpiedCounters extends CounterStore {
  readonly memory: MemoryCounters;
  readonly reserveRequests: ReserveRequest[];
  readonly settlements: Settlement[];
  readonly reads: (readonly string[])[];
  /** Every call in order: `reserve SCOPE`, `settle SCOPE`, `read SCOPE…`. */
  readonly calls: string[];
  /** Called before each call; a returned failure is thrown. */
  failWith: (call: string) => CounterFailure | undefined;
  /** False: denials come without the counter's state. */
  returnsStates: boolean;
}

export function spyOnCounters(memory: MemoryCounters = createMemoryCounters()): SpiedCounters {
  const spied: SpiedCounters = {
    memory,
    reserveRequests: [],
    settlements: [],
    reads: [],
    calls: [],
    failWith: () => undefined,
    returnsStates: true,
    async reserve(request): Promise<ReserveOutcome> {
      spied.reserveRequests.push(request);
      enter(`reserve ${scopeOf(request.key)}`);
      const outcome = await memory.reserve(request);
      return outcome.reserved || spied.returnsStates ? outcome : { reserved: false, state: undefined };
    },
    async settle(settlement) {
      spied.settlements.push(settlement);
      enter(`settle ${scopeOf(settlement.key)}`);
      return memory.settle(settlement);
    },
    async read(keys) {
      spied.reads.push(keys);
      enter(`read ${keys.map(scopeOf).join(' ')}`);
      return memory.read(keys);
    },
  };
  function enter(call: string): void {
    spied.calls.push(call);
    const failure = spied.failWith(call);
    if (failure !== undefined) throw failure;
  }
  return spied;
}

/** `SCOPE` of a counter's key, with its shard where it has one. */
export function scopeOf(key: string): string {
  const [, scope, , , , shard] = key.split('#');
  return shard === undefined ? `${scope}` : `${scope}/${shard}`;
}

export type ContextParts = Partial<Omit<ReserveContext, 'onCounterFailure'>>;

export function contextOf(counters: CounterStore, parts: ContextParts = {}) {
  return {
    counters,
    exhaustionCache: createExhaustionCache(),
    clock: { now: () => NOW, sleep: () => Promise.resolve() },
    random: { fraction: () => 0 },
    settingsVersion: '1.1',
    timeMs: NOW,
    retentionMs: 3_600_000,
    failOpen: false,
    ...parts,
  };
}

/** A budget of a request over counters. */
export function budgetOf(request: LimitedRequest, counters: CounterStore, parts: ContextParts = {}): Budget {
  return openBudget(planCounters(request), contextOf(counters, { timeMs: request.timeMs, ...parts }));
}

/** `[taken, held]` of a metric in the only counter of a scope. */
export function countOf(memory: MemoryCounters, scope: string, metric: LimitMetric): [number, number] {
  const states = [...memory.states].filter(([key]) => scopeOf(key) === scope);
  if (states.length > 1) throw new Error(`${states.length} counters of ${scope}`);
  const count = states[0]?.[1].counts[metric];
  return [count?.taken ?? 0, count?.held ?? 0];
}

/** The error's code and Retry-After in milliseconds, or `none`. */
export async function errorOf(work: Promise<unknown>): Promise<[string, number | undefined] | 'none'> {
  try {
    await work;
  } catch (thrown) {
    const { code, retryAfterMs } = thrown as { code: string; retryAfterMs?: number };
    return [code, retryAfterMs];
  }
  return 'none';
}

export const spending = (tokens: number, costMicrodollars: number | null = 0): Spending => ({
  tokens,
  costMicrodollars,
});

/** Ends the run, as the function does after the answer. */
export async function settle(budget: Budget, counters: SpiedCounters): Promise<void> {
  for (const settlement of budget.close()) await counters.settle(settlement);
}
