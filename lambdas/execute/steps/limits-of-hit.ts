// The budget of a call whose answer is in the cache: it takes no tokens and no money, so that limits of these are read and not written.
import type { Budget } from '../../../core/limits/budget.ts';
import type {
  CounterState,
  CounterStore,
  LimitMetric,
  ReserveRequest,
} from '../../../core/ports/counters.ts';
import type { Call } from '../run.ts';
import { type BudgetPorts, openRunBudget } from './limits.ts';

/** A hit takes none of these. */
const SPENT: ReadonlySet<LimitMetric> = new Set(['tokens', 'cost']);

/** Hears of each request to a counter. */
export interface CounterRequests {
  readonly onWrite: () => void;
  readonly onRead: () => void;
}

/**
 * A budget that admits and rejects as `openRunBudget` does: there must be room for a whole run. What counts requests or runs at once is
 * written as ever. The rest is decided by a strongly consistent read in place of a reservation and its settlement, and nothing is exceeded
 * by it, as nothing is taken. Only for a call that is answered by what was found: it must reserve for no attempt.
 */
export function openHitBudget(
  call: Pick<Call, 'admission' | 'request' | 'settings' | 'deadline'>,
  ports: BudgetPorts,
  { onWrite, onRead }: CounterRequests,
): Budget {
  const readOnly = new Set<string>();
  const { counters } = ports;
  const looking: CounterStore = {
    async reserve(request) {
      if (!request.changes.every(({ metric }) => SPENT.has(metric))) {
        onWrite();
        return counters.reserve(request);
      }
      readOnly.add(request.key);
      onRead();
      const state = (await counters.read([request.key])).get(request.key);
      return hasRoom(request, state)
        ? { reserved: true, state: withChanges(request, state) }
        : { reserved: false, state };
    },
    settle: async (settlement) => {
      if (!readOnly.has(settlement.key)) await counters.settle(settlement);
    },
    read: (keys) => counters.read(keys),
  };
  const budget = openRunBudget(call, { ...ports, counters: looking });
  return { ...budget, close: () => budget.close().filter(({ key }) => !readOnly.has(key)) };
}

/** By the condition of the write that a run makes. */
function hasRoom({ changes }: ReserveRequest, state: CounterState | undefined): boolean {
  return changes.every(
    ({ metric, taken, limit }) => taken <= 0 || (state?.counts[metric]?.taken ?? 0) + taken <= limit,
  );
}

/** The counter as it would be after that write: who asks for it takes its own part off. */
function withChanges({ changes }: ReserveRequest, state: CounterState | undefined): CounterState {
  const counts = { ...state?.counts };
  for (const { metric, taken, held } of changes) {
    const before = counts[metric] ?? { taken: 0, held: 0 };
    counts[metric] = { taken: before.taken + taken, held: before.held + held };
  }
  return { counts, atMs: state?.atMs ?? 0, leases: state?.leases ?? [] };
}
