// Requests and their budgets for tests of limits: 12:34:56.789 UTC, counters in memory, chance that is always the same.

import type { AdmitContext } from '../../../core/limits/admit-context.ts';
import { type Budget, openBudget } from '../../../core/limits/budget.ts';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import type {
  CounterFailure,
  CounterStore,
  Metric,
  Settlement,
  Take,
  TakeOutcome,
} from '../../../core/ports/counters.ts';
import { createMemoryCounters, type MemoryCounters } from '../../support/memory/counters.ts';

export const NOW = Date.parse('2026-11-21T12:34:56.789Z');

/** A request of the user ann, without a rule. */
export function limited(parts: Partial<LimitedRequest> = {}): LimitedRequest {
  return {
    neuronId: 'neu1',
    organizationId: 'org1',
    rateLimits: [],
    usageLimits: [],
    caller: caller('ann'),
    timeMs: NOW,
    shards: 1,
    ...parts,
  };
}

export function caller(username: string | undefined): LimitedRequest['caller'] {
  return { authentication: 'jwt', username, keyId: undefined, sourceIp: '203.0.113.7' };
}

/** A store that keeps every call, and fails or keeps silent where it is told to. */
export interface SpiedCounters extends CounterStore {
  readonly memory: MemoryCounters;
  readonly takes: Take[];
  readonly settlements: Settlement[];
  readonly reads: (readonly string[])[];
  /** Every call in order: `take SCOPE`, `settle SCOPE`, `read SCOPE…`. */
  readonly calls: string[];
  /** Asked before each call: what it gives back is thrown. */
  failWith: (call: string) => CounterFailure | undefined;
  /** False: refusals come without what stood in their way. */
  explains: boolean;
}

export function spyOnCounters(memory: MemoryCounters = createMemoryCounters()): SpiedCounters {
  const spied: SpiedCounters = {
    memory,
    takes: [],
    settlements: [],
    reads: [],
    calls: [],
    failWith: () => undefined,
    explains: true,
    async take(take): Promise<TakeOutcome> {
      spied.takes.push(take);
      enter(`take ${scopeOf(take.key)}`);
      const outcome = await memory.take(take);
      return outcome.taken || spied.explains ? outcome : { taken: false, state: undefined };
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

export type ContextParts = Partial<Omit<AdmitContext, 'onFailure'>>;

export function contextOf(counters: CounterStore, parts: ContextParts = {}) {
  return {
    counters,
    known: createExhaustionCache(),
    random: { fraction: () => 0 },
    settingsVersion: '1.1',
    timeMs: NOW,
    keepMs: 3_600_000,
    admitsUncounted: false,
    ...parts,
  };
}

/** A budget of a request over counters. */
export function budgetOf(request: LimitedRequest, counters: CounterStore, parts: ContextParts = {}): Budget {
  return openBudget(planCounters(request), contextOf(counters, { timeMs: request.timeMs, ...parts }));
}

/** `[taken, held]` of a metric in the only counter of a scope. */
export function countOf(memory: MemoryCounters, scope: string, metric: Metric): [number, number] {
  const states = [...memory.states].filter(([key]) => scopeOf(key) === scope);
  if (states.length > 1) throw new Error(`${states.length} counters of ${scope}`);
  const count = states[0]?.[1].counts[metric];
  return [count?.taken ?? 0, count?.held ?? 0];
}

/** How a refusal reads: its code and Retry-After in milliseconds. */
export async function refusalOf(work: Promise<unknown>): Promise<[string, number | undefined] | 'none'> {
  try {
    await work;
  } catch (thrown) {
    const { code, retryAfterMs } = thrown as { code: string; retryAfterMs?: number };
    return [code, retryAfterMs];
  }
  return 'none';
}
