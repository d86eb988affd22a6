// Percentiles of measured values.

/** The value that `share` (0 to 1) of the sorted values do not exceed: the nearest-rank percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** Three decimals are more precise than any of these measurements. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
