// Counters in memory.
import type {
  CountChange,
  CounterState,
  CounterStore,
  Counts,
  LimitedChange,
} from '../../../core/ports/counters.ts';

/** Counters under a test's hand. */
export interface MemoryCounters extends CounterStore {
  /** Every counter by its key, as it stands. */
  readonly states: ReadonlyMap<string, CounterState>;
}

/** Nothing runs between a condition and its write, as with a conditional write of DynamoDB. */
export function createMemoryCounters(): MemoryCounters {
  const states = new Map<string, CounterState>();
  return {
    states,
    async reserve({ key, changes, atMs }) {
      const before = states.get(key);
      const counts = before?.counts ?? {};
      if (!changes.every((change) => fits(counts, change))) return { reserved: false, state: before };
      const state = { counts: add(counts, changes), atMs };
      states.set(key, state);
      return { reserved: true, state };
    },
    async settle({ key, changes }) {
      const before = states.get(key);
      if (before !== undefined) states.set(key, { ...before, counts: add(before.counts, changes) });
    },
    async read(keys) {
      return new Map(
        keys.flatMap((key) => {
          const state = states.get(key);
          return state === undefined ? [] : [[key, state] as const];
        }),
      );
    },
  };
}

function fits(counts: Counts, { metric, taken, limit }: LimitedChange): boolean {
  return taken <= 0 || (counts[metric]?.taken ?? 0) + taken <= limit;
}

function add(counts: Counts, changes: readonly CountChange[]): Counts {
  const changed = changes.map(({ metric, taken, held }) => {
    const before = counts[metric] ?? { taken: 0, held: 0 };
    return [metric, { taken: before.taken + taken, held: before.held + held }] as const;
  });
  return { ...counts, ...Object.fromEntries(changed) };
}
