// How many items of the counters table share a limit of all requests of a neuron.
import type { Stage } from '../../config/config.ts';

/** Half of what one item takes, 1,000 writes a second, so that chance may fill one shard faster than the others. */
const WRITES_PER_SHARD = 500;

/** So many that each takes at most 500 writes a second at the stage's peak. */
export function toCounterShards({ counterPeakPerSecond }: Stage): number {
  return Math.ceil(counterPeakPerSecond / WRITES_PER_SHARD);
}
