// Leases of runs in progress: when one ends by itself, and the counts without ended ones.
import type { CounterState, Counts, Lease } from '../ports/counters.ts';

/** Leases end at multiples of this, so that an item has few of them even with many runs. */
const LEASE_STEP_MS = 5_000;

/**
 * Time that a run may last beyond its deadline, for slow clocks and late processes. Other requests compare with the time at which API
 * Gateway received them, which is in the past for every clock.
 */
const LEASE_MARGIN_MS = 5_000;

/** More would make the expression of a write too long. */
const MAX_ENDED = 50;

/** The end of the lease of a run whose deadline is at `runEndsAtMs`; in milliseconds, a whole number of seconds. */
export function leaseEndMs(runEndsAtMs: number): number {
  return Math.ceil((runEndsAtMs + LEASE_MARGIN_MS) / LEASE_STEP_MS) * LEASE_STEP_MS;
}

/** Leases that have ended at `timeMs`, those of most runs first, as many as one write can remove. */
export function endedLeases({ leases }: CounterState, timeMs: number): readonly Lease[] {
  return leases
    .filter((lease) => hasEnded(lease, timeMs))
    .sort((one, other) => other.runs - one.runs)
    .slice(0, MAX_ENDED);
}

/** Counts without runs whose leases have ended. */
export function countsAt({ counts, leases }: CounterState, timeMs: number): Counts {
  if (counts.concurrent === undefined) return counts;
  const died = leases.reduce((sum, lease) => sum + (hasEnded(lease, timeMs) ? lease.runs : 0), 0);
  const runs = counts.concurrent.taken - died;
  return { ...counts, concurrent: { taken: runs, held: runs } };
}

function hasEnded({ endsAt }: Lease, timeMs: number): boolean {
  return endsAt * 1_000 <= timeMs;
}
