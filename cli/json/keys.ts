// Shapes that `neuron keys` prints with --json. The page of `neuron console` reads the same.
import type { KeyLimits } from '../../core/ports/keys.ts';

/** A key of `neuron keys list`; times are ISO 8601 in UTC. */
export interface ListedKey {
  readonly keyId: string;
  /** First characters of the key. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly name: string;
  /** Slugs; null where the key is for every neuron. The id stands for a deleted neuron. */
  readonly neurons: readonly string[] | null;
  /** Usage limits of the key alone; cost in microdollars. */
  readonly limits: KeyLimits;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Another text of the key has taken its place; this one is valid until it expires. */
  readonly replacedAt: string | null;
  /** Recorded at most once a minute; null where the key was never used, or not within the last 400 days. */
  readonly lastUsedAt: string | null;
}
