// A 95 % interval of the mean difference of two versions, by resampling cases: repetitions of one case are no cases of their own.
import { sum } from '../text/numbers.ts';
import { seeded } from './seeded.ts';

export interface MeanDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export const RESAMPLES = 10_000;

/**
 * The percentile bootstrap. `differences`: one of each case, the later version's mean less the earlier one's. Undefined for fewer than
 * two cases, of which there is nothing to draw.
 */
export function pairedBootstrap(
  differences: readonly number[],
  { seed, resamples = RESAMPLES }: { readonly seed: number; readonly resamples?: number },
): MeanDifference | undefined {
  const { length } = differences;
  if (length < 2) return undefined;
  const random = seeded(seed);
  const means = Float64Array.from({ length: resamples }, () => {
    let total = 0;
    for (let drawn = 0; drawn < length; drawn += 1) total += differences[Math.floor(random() * length)] ?? 0;
    return total / length;
  }).sort();
  return { mean: sum(differences) / length, low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

/** Between two values, in proportion (type 7 of Hyndman and Fan, the default of R and NumPy). */
function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
