// The function that watches rollouts, each minute: it sends nobody to a candidate that is worse than its control.
import { type RolloutMemory, watchRollouts } from '../../core/rollouts/watch-rollouts.ts';
import { fromVariables, ROLLOUTS_FIELDS } from '../environment.ts';
import { compose } from './compose.ts';

const ports = compose(fromVariables(ROLLOUTS_FIELDS, process.env));
const memory: RolloutMemory = new Map();

/** Throws where a rollout could not be looked at: the next run looks again, and an alarm counts errors. */
export async function handler(): Promise<void> {
  await watchRollouts(ports, memory);
}
