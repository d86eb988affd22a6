// Histograms whose buckets grow by √2: small enough to be counted for each version, fine enough for percentiles.
import { type Interval, Z } from './intervals.ts';

/** The buckets of one kind of value. The first holds what is below `first`, the last all that is above. */
export interface Scale {
  readonly first: number;
  readonly buckets: number;
}

/** Milliseconds: below 64, and up to more than 131,072, which is half of the longest run. */
export const LATENCY_SCALE: Scale = { first: 64, buckets: 24 };
/** Microdollars: nothing, and up to more than 8 dollars. */
export const COST_SCALE: Scale = { first: 1, buckets: 48 };

/** Numbers of values by the index of their bucket; a missing one is zero. */
export type Histogram = ReadonlyMap<number, number>;

/** A percentile with its interval. `high` is null where it is in the last bucket, which has no end. */
export interface Percentile {
  readonly value: number;
  readonly low: number;
  readonly high: number | null;
}

export function bucketOf({ first, buckets }: Scale, value: number): number {
  for (let bucket = 0; bucket < buckets - 1; bucket += 1) if (value < edgeAfter(first, bucket)) return bucket;
  return buckets - 1;
}

/** The bounds of a bucket: from, and up to but without. The last one ends nowhere. */
export function boundsOf({ first, buckets }: Scale, bucket: number): readonly [number, number] {
  const from = bucket === 0 ? 0 : edgeAfter(first, bucket - 1);
  return [from, bucket >= buckets - 1 ? Number.POSITIVE_INFINITY : edgeAfter(first, bucket)];
}

/** Powers of two are exact, and the edges between them the same on every machine. */
function edgeAfter(first: number, bucket: number): number {
  return first * 2 ** Math.floor(bucket / 2) * (bucket % 2 === 0 ? 1 : Math.SQRT2);
}

export function countOf(histogram: Histogram): number {
  return [...histogram.values()].reduce((total, count) => total + count, 0);
}

/**
 * The value below which `share` of all are, interpolated in its bucket. The 95 % interval is that of the rank, which holds whatever the
 * distribution is. Undefined without values.
 */
export function percentileOf(scale: Scale, histogram: Histogram, share: number): Percentile | undefined {
  const count = countOf(histogram);
  if (count === 0) return undefined;
  const rank = count * share;
  const half = Z * Math.sqrt(count * share * (1 - share));
  const { bucket, before } = bucketAt(histogram, rank);
  const [from, to] = boundsOf(scale, bucket);
  const part = (rank - before) / (histogram.get(bucket) ?? 1);
  const [low] = boundsOf(scale, bucketAt(histogram, Math.max(0, rank - half)).bucket);
  const [, high] = boundsOf(scale, bucketAt(histogram, Math.min(count, rank + half + 1)).bucket);
  return {
    value: Number.isFinite(to) ? from + (to - from) * part : from,
    low,
    high: Number.isFinite(high) ? high : null,
  };
}

/** The bucket of the value with this rank, and the number of values before it. */
function bucketAt(histogram: Histogram, rank: number): { readonly bucket: number; readonly before: number } {
  let before = 0;
  let last = 0;
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    if (count <= 0) continue;
    if (before + count >= rank) return { bucket, before };
    before += count;
    last = bucket;
  }
  return { bucket: last, before: before - (histogram.get(last) ?? 0) };
}

/**
 * The normal 95 % interval of an exact mean. The variance is that of the buckets' middles and, within each, that of evenly spread values, so
 * that it is rather too wide than too narrow. Undefined for fewer than two values.
 */
export function meanIntervalOf(scale: Scale, histogram: Histogram, mean: number): Interval | undefined {
  const count = countOf(histogram);
  if (count < 2) return undefined;
  const parts = [...histogram].map(([bucket, some]) => ({ some, ...middleOf(scale, bucket) }));
  const center = parts.reduce((total, { some, middle }) => total + some * middle, 0) / count;
  const squares = parts.reduce(
    (total, { some, middle, width }) => total + some * ((middle - center) ** 2 + width ** 2 / 12),
    0,
  );
  const half = Z * Math.sqrt(squares / (count - 1) / count);
  return { low: Math.max(0, mean - half), high: mean + half };
}

/** Costs are integers, so that the first bucket of their scale holds zero alone. */
function middleOf(scale: Scale, bucket: number): { readonly middle: number; readonly width: number } {
  const [from, to] = boundsOf(scale, bucket);
  const end = Number.isFinite(to) ? to : from * 2;
  if (bucket === 0 && scale.first === 1) return { middle: 0, width: 0 };
  return { middle: (from + end) / 2, width: end - from };
}
