// The time range that the overview begins with.
import type { Series } from '../../cli/console/api.ts';

/** The shortest range that holds every call of the day; the week where the day has none. */
export const FIRST_RANGE = '24h';
const SHORTER_RANGES = [
  ['1h', 3_600_000],
  ['6h', 6 * 3_600_000],
] as const;

export type Range = '1h' | '6h' | '24h' | '7d';

/** The range that suits the calls of the last day. */
export function chooseRange({ entries, points, toMs }: Pick<Series, 'entries' | 'points' | 'toMs'>): Range {
  if (entries === 0) return '7d';
  const first = points.find(
    ({ success, stopped, failed, refused }) => success + stopped + failed + refused > 0,
  );
  const ageMs = toMs - (first?.timeMs ?? 0);
  return SHORTER_RANGES.find(([, lengthMs]) => ageMs <= lengthMs)?.[0] ?? FIRST_RANGE;
}
