// Shapes that `neuron keys` prints with --json. The page of `neuron console` reads the same.
import type { KeyLimits } from '../../core/ports/keys.ts';
import type { Tags } from '../../core/settings/names/tags.ts';

/** A key of `neuron keys list`; times are ISO 8601 in UTC. */
export interface ListedKey {
  readonly keyId: string;
  /** First characters of the key. */
  readonly prefix: string;
  readonly lastFour: string;
  readonly name: string;
  /** Slugs and patterns; null where the key is for every neuron. The id stands for a deleted neuron. */
  readonly neurons: readonly string[] | null;
  /** Limits of the key alone; cost in microdollars. */
  readonly limits: KeyLimits;
  readonly tags: Tags;
  /** True where its calls may name the end user that they are for. */
  readonly onBehalfOf: boolean;
  /** True where its calls may bring tags of their own. */
  readonly tagsFromCalls: boolean;
  /** Taken over from another system. */
  readonly imported: boolean;
  /** Its calls are answered 429 since then. */
  readonly pausedAt: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Another text of the key has taken its place; this one is valid until it expires. */
  readonly replacedAt: string | null;
  /** Recorded at most once a minute; null where the key was never used, or not within the last 400 days. */
  readonly lastUsedAt: string | null;
}
