// Explains on which side of a rollout a caller is.
import { type Arm, chooseArm } from '../../core/rollouts/choose-arm.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import type { Rollout } from '../../core/settings/stored-settings.ts';
import type { BucketCaller } from '../../core/text/subject-bucket.ts';
import { hasSubject } from './explained-caller.ts';

interface ExplainedRollout {
  /** `arm` is null where it depends on the call. */
  readonly value: { readonly id: string; readonly arm: Arm | null };
  readonly text: string;
}

/** The side of a rollout that a caller would be on. `deployed`: the version of the control. */
export function explainRollout(
  rollout: Rollout,
  caller: BucketCaller,
  deployed: string | undefined,
): ExplainedRollout {
  const { by, candidate, basisPoints, id } = rollout;
  if (!hasSubject(by, caller)) {
    const whose = by === 'request' ? 'each call' : 'each address';
    const text = `Rollout ${id}: ${whose} is on a side of its own; ${renderShare(basisPoints)} get ${candidate}.`;
    return { value: { id, arm: null }, text };
  }
  const { arm } = chooseArm(rollout, caller);
  const version = arm === 'candidate' ? candidate : (deployed ?? 'no version');
  return { value: { id, arm }, text: `Rollout ${id}: this caller is on the side of the ${arm}, ${version}.` };
}
