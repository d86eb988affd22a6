// Percentiles of measured values, and their text.

/** The value that `share` (0 to 1) of the sorted values do not exceed: the nearest-rank percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** Three decimals are more precise than any of these measurements. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The median of repeated measurements with their range, such as `1.97 (1.90–2.11)`. */
export function withSpread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const range = [Math.min(...values), Math.max(...values)].map(render).join('–');
  return values.length === 1 ? render(values[0] ?? 0) : `${render(percentile(values, 0.5))} (${range})`;
}

/** Three digits, or all before the point. */
function render(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.1))));
  return value.toFixed(Math.min(2, digits));
}
