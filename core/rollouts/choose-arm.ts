// Chooses the side of a rollout that a caller is on, by a hash: no store is asked, and nobody changes sides while the share grows.
import type { RolloutSubject } from '../settings/rollout-schema.ts';
import type { Rollout } from '../settings/stored-settings.ts';
import { digestOfParts } from '../text/digest.ts';

/** `control`: the deployed version. */
export type Arm = 'control' | 'candidate';

/** The side of one call, as its entry names it. */
export interface ChosenArm {
  /** The rollout's id. */
  readonly id: string;
  readonly arm: Arm;
}

/** A caller as far as access control identified it. */
export interface RolloutCaller {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly sourceIp: string;
  readonly executionId: string;
}

export const BUCKETS = 10_000;

export function chooseArm({ id, basisPoints, by }: Rollout, caller: RolloutCaller): ChosenArm {
  const [kind, subject] = subjectOf(by, caller);
  return { id, arm: bucketOf(id, kind, subject) < basisPoints ? 'candidate' : 'control' };
}

/**
 * 0 to 9,999: the first 8 bytes, in network order, of SHA-256 over rollout, kind and subject, each with its length, modulo 10,000. The test
 * vectors are in docs/rollouts.md.
 */
export function bucketOf(rolloutId: string, kind: RolloutSubject, subject: string): number {
  const digest = digestOfParts([rolloutId, kind, subject]);
  return Number(BigInt(`0x${digest.slice(0, 16)}`) % BigInt(BUCKETS));
}

/** A user without a name is a key, and one without a key an address. */
function subjectOf(
  by: RolloutSubject,
  { username, keyId, sourceIp, executionId }: RolloutCaller,
): readonly [RolloutSubject, string] {
  if (by === 'request') return ['request', executionId];
  if (by === 'user' && username !== undefined) return ['user', username];
  if (by !== 'address' && keyId !== undefined) return ['key', keyId];
  return ['address', sourceIp];
}
