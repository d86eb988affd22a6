// Puts a caller into one of 10,000 buckets by a hash: no store is asked, and nobody changes sides while a share grows.
import { digestOfParts } from './digest.ts';

/** By what callers are told apart. */
export type SubjectKind = 'user' | 'key' | 'address' | 'request';

/** A caller as far as access control identified it. */
export interface BucketCaller {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly sourceIp: string;
  readonly executionId: string;
}

export const BUCKETS = 10_000;

/**
 * 0 to 9,999: the first 8 bytes, in network order, of SHA-256 over salt, kind and subject, each with its length, modulo 10,000. The salt is the
 * id of a rollout, or the name of a split. The test vectors are in docs/rollouts.md.
 */
export function bucketOf(salt: string, kind: SubjectKind, subject: string): number {
  const digest = digestOfParts([salt, kind, subject]);
  return Number(BigInt(`0x${digest.slice(0, 16)}`) % BigInt(BUCKETS));
}

/** A user without a name is a key, and one without a key an address. */
export function subjectOf(
  by: SubjectKind,
  { username, keyId, sourceIp, executionId }: BucketCaller,
): readonly [SubjectKind, string] {
  if (by === 'request') return ['request', executionId];
  if (by === 'user' && username !== undefined) return ['user', username];
  if (by !== 'address' && keyId !== undefined) return ['key', keyId];
  return ['address', sourceIp];
}
