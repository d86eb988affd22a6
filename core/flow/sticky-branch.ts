// The branch of a split by `stickyBy`: the same subject takes the same one, for as long as the percentage leaves it there.
import type { RandomizedSplit } from '../settings/flow-schema.ts';
import type { SplitSubject } from '../settings/rollout-schema.ts';
import { BUCKETS, bucketOf, subjectOf } from '../text/subject-bucket.ts';
import type { FlowCaller } from './step.ts';

export type Branch = 'a' | 'b';

/** A split that does not draw for each request. */
export type StickySplit = RandomizedSplit & { readonly stickyBy: SplitSubject };

export function isSticky(split: RandomizedSplit): split is StickySplit {
  return split.stickyBy !== undefined;
}

/**
 * By the bucket of the caller's subject, whose salt is `ORGANIZATION/NEURON#NAME`: other neurons and names send it elsewhere, and a larger
 * percentage sends nobody from A to B.
 */
export function stickyBranchOf(split: StickySplit, caller: FlowCaller): Branch {
  const [kind, subject] = subjectOf(split.stickyBy, caller);
  return branchAt(split, bucketOf(`${caller.neuron}#${split.name ?? ''}`, kind, subject));
}

/** `part`: one of ten thousand equal ones, which need no rounding, since a percentage has at most two decimals. */
export function branchAt({ percentageA }: RandomizedSplit, part: number): Branch {
  return part < Math.round((percentageA * BUCKETS) / 100) ? 'a' : 'b';
}
