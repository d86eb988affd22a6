// Counters in memory.
import type {
  CountChange,
  CounterState,
  CounterStore,
  Counts,
  Lease,
  LimitedChange,
} from '../../../core/ports/counters.ts';

/** Counters under a test's hand. */
export interface MemoryCounters extends CounterStore {
  /** Every counter by its key, as it stands. */
  readonly states: ReadonlyMap<string, CounterState>;
}

const EMPTY: CounterState = { counts: {}, atMs: 0, leases: [] };

/** Nothing runs between a condition and its write, as with a conditional write of DynamoDB. */
export function createMemoryCounters(): MemoryCounters {
  const states = new Map<string, CounterState>();
  return {
    states,
    async reserve({ key, changes, atMs, lease }) {
      const before = states.get(key);
      const rest = without(before ?? EMPTY, lease?.ended ?? []);
      if (rest === undefined || !changes.every((change) => fits(rest.counts, change)))
        return { reserved: false, state: before };
      const leases = lease === undefined ? rest.leases : addRuns(rest.leases, lease.endsAt, runsIn(changes));
      const countsRequest = changes.some(({ metric, taken }) => metric === 'requests' && taken > 0);
      const state = { counts: add(rest.counts, changes), atMs: countsRequest ? atMs : rest.atMs, leases };
      states.set(key, state);
      return { reserved: true, state };
    },
    async settle({ key, changes, lease, ended = [] }) {
      const before = states.get(key);
      if (before === undefined) return;
      if (lease !== undefined && !before.leases.some(({ endsAt, runs }) => endsAt === lease && runs > 0))
        return;
      const rest = without(before, ended);
      if (rest === undefined) return;
      const leases = lease === undefined ? rest.leases : addRuns(rest.leases, lease, runsIn(changes));
      states.set(key, { ...rest, counts: add(rest.counts, changes), leases });
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

function runsIn(changes: readonly CountChange[]): number {
  return changes.find(({ metric }) => metric === 'concurrent')?.taken ?? 0;
}

function addRuns(leases: readonly Lease[], endsAt: number, runs: number): readonly Lease[] {
  const before = leases.find((lease) => lease.endsAt === endsAt)?.runs ?? 0;
  return [...leases.filter((lease) => lease.endsAt !== endsAt), { endsAt, runs: before + runs }];
}

/** Undefined where one of the leases is not as it is given. */
function without(state: CounterState, ended: readonly Lease[]): CounterState | undefined {
  const isAsProvided = ({ endsAt, runs }: Lease) =>
    state.leases.some((lease) => lease.endsAt === endsAt && lease.runs === runs);
  if (!ended.every(isAsProvided)) return undefined;
  if (ended.length === 0) return state;
  const died = ended.reduce((sum, { runs }) => sum + runs, 0);
  return {
    ...state,
    counts: add(state.counts, [{ metric: 'concurrent', taken: -died, held: -died }]),
    leases: state.leases.filter((lease) => !ended.some(({ endsAt }) => endsAt === lease.endsAt)),
  };
}
