// Chooses the side of a rollout that a caller is on, by a hash: no store is asked, and nobody changes sides while the share grows.
import type { Rollout } from '../settings/stored-settings.ts';
import { type BucketCaller, bucketOf, subjectOf } from '../text/subject-bucket.ts';

/** `control`: the deployed version. */
export type Arm = 'control' | 'candidate';

/** The side of one call, as its entry names it. */
export interface ChosenArm {
  /** The rollout's id. */
  readonly id: string;
  readonly arm: Arm;
}

export function chooseArm({ id, basisPoints, by }: Rollout, caller: BucketCaller): ChosenArm {
  const [kind, subject] = subjectOf(by, caller);
  return { id, arm: bucketOf(id, kind, subject) < basisPoints ? 'candidate' : 'control' };
}
