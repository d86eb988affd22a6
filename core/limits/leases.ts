// Leases of runs in progress: when one ends by itself, and what a counter holds without those that have ended.
import type { CounterState, Counts, Lease } from '../ports/counters.ts';

/** Leases end at multiples of this, so that an item has few of them however many runs there are. */
const LEASE_STEP_MS = 5_000;

/**
 * How long a run may go on after the moment that its environment takes for its deadline: for a slow clock, and a process that is late.
 * Other requests judge by the time at which API Gateway received them, which is past whatever the clocks say.
 */
const LEASE_MARGIN_MS = 5_000;

/** More would make the expression of a write too long. */
const MAX_ENDED = 50;

/** When the lease of a run ends that is over at `runEndsAtMs`. In milliseconds, a whole number of seconds. */
export function leaseEndMs(runEndsAtMs: number): number {
  return Math.ceil((runEndsAtMs + LEASE_MARGIN_MS) / LEASE_STEP_MS) * LEASE_STEP_MS;
}

/** Leases that have ended at `timeMs`, those of the most runs first, and no more than one write can remove. */
export function endedLeases({ leases }: CounterState, timeMs: number): readonly Lease[] {
  return leases
    .filter((lease) => hasEnded(lease, timeMs))
    .sort((one, other) => other.runs - one.runs)
    .slice(0, MAX_ENDED);
}

/** The counts without runs whose leases have ended. */
export function countsAt({ counts, leases }: CounterState, timeMs: number): Counts {
  if (counts.concurrent === undefined) return counts;
  const died = leases.reduce((sum, lease) => sum + (hasEnded(lease, timeMs) ? lease.runs : 0), 0);
  const runs = counts.concurrent.taken - died;
  return { ...counts, concurrent: { taken: runs, held: runs } };
}

function hasEnded({ endsAt }: Lease, timeMs: number): boolean {
  return endsAt * 1_000 <= timeMs;
}
