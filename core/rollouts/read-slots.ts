// Puts rows of slots together: the runs of both arms of one rollout, slot after slot.
import type { SlotRow } from '../ports/rollout-watch.ts';
import type { Histogram } from '../statistics/histogram.ts';
import { type ArmCounts, NO_RUNS, type RolloutSlot } from './guard-state.ts';

/** In order of time. Rows of other rollouts are left out. */
export function slotsOf(rows: readonly SlotRow[], rollout: string): readonly RolloutSlot[] {
  const groups = Map.groupBy(
    rows.filter(({ subject }) => subject.rollout === rollout),
    ({ subject }) => subject.slot,
  );
  return [...groups]
    .map(([slot, some]) => ({
      slot,
      control: countArm(some, 'control'),
      candidate: countArm(some, 'candidate'),
    }))
    .sort((a, b) => (a.slot < b.slot ? -1 : 1));
}

function countArm(rows: readonly SlotRow[], arm: 'control' | 'candidate'): ArmCounts {
  const row = rows.find(({ subject }) => subject.arm === arm);
  if (row === undefined) return NO_RUNS;
  const { success, stopped, failed } = row.amounts;
  const buckets = Object.entries(row.buckets ?? {});
  return {
    runs: success + stopped + failed,
    failed,
    latency: histogramOf(buckets, 'latency#'),
    cost: histogramOf(buckets, 'cost#'),
    ratings: ratingsOf(buckets),
  };
}

type Buckets = readonly (readonly [string, number])[];

function histogramOf(buckets: Buckets, prefix: string): Histogram {
  const own = buckets.filter(([name]) => name.startsWith(prefix));
  return new Map(own.map(([name, count]) => [Number(name.slice(prefix.length)), count]));
}

function ratingsOf(buckets: Buckets): ArmCounts['ratings'] {
  const ratings = new Map<string, Map<number, number>>();
  for (const [name, count] of buckets) {
    const [kind, metric = '', value = ''] = name.split('#');
    if (kind !== 'rating') continue;
    const values = ratings.get(metric) ?? new Map<number, number>();
    ratings.set(metric, values.set(toNumber(value), count));
  }
  return ratings;
}

function toNumber(value: string): number {
  if (value === 'true') return Number.POSITIVE_INFINITY;
  return value === 'false' ? Number.NEGATIVE_INFINITY : Number(value);
}
