// Ports to API keys, for requests, for operators and for the record of last use. No port sees a key itself.
import * as z from 'zod/mini';
import { MAX_KEY_TAGS, type Tags, tagsSchema } from '../settings/names/tags.ts';
import { MAX_KEY_LIMITS, storedKeyLimitSchema } from '../settings/usage-limits.ts';

/** Date.prototype.toISOString: UTC with milliseconds, so that order as text is order in time. */
const timestamp = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/));

const storedKeySchema = z.object({
  /** Public part of the key; names it in lists, logs and limits. */
  keyId: z.string().check(z.minLength(1)),
  /** An id, not a slug: a slug that is used again inherits no key. */
  organizationId: z.string().check(z.minLength(1)),
  name: z.string(),
  /** The beginning of the key and its last four characters, for lists. */
  prefix: z.string(),
  lastFour: z.string(),
  createdAt: timestamp,
  /** IAM principal. */
  createdBy: z.string(),
  /** The key is invalid from this moment on; without one it does not expire. */
  expiresAt: z.optional(timestamp),
  revokedAt: z.optional(timestamp),
  /** Another text of the same key has taken its place; this one is valid until it expires. */
  replacedAt: z.optional(timestamp),
  /** Ids of the neurons it may call; without a list, all of the organization. */
  neurons: z.optional(z.array(z.string())),
  /** Slugs with `*`, of neurons that it may call too. `neurons` is there then, for releases that know no patterns. */
  neuronPatterns: z.optional(z.array(z.string())),
  /** Limits of this key alone; cost in microdollars. */
  usageLimits: z.optional(z.array(storedKeyLimitSchema).check(z.maxLength(MAX_KEY_LIMITS))),
  tags: z.optional(tagsSchema(MAX_KEY_TAGS)),
  /** Calls are answered 429 with this wait until an operator resumes the key. */
  pause: z.optional(
    z.object({
      retryAfterSeconds: z.int(),
      since: timestamp,
      by: z.string(),
      /** The pause ends by itself then. */
      until: z.optional(timestamp),
    }),
  ),
  /** Its calls may name the end user that they are for. */
  onBehalfOf: z.optional(z.boolean()),
  /** Its calls may bring tags of their own. */
  tagsFromCalls: z.optional(z.boolean()),
  /** Taken over from another system: no part of its text is known. */
  imported: z.optional(z.boolean()),
});

/** A key as stored, without its digest. */
export type StoredKey = Readonly<z.output<typeof storedKeySchema>>;

/** The rights and facts of a key that its calls carry along, beside its limits. */
export type KeyGrants = Pick<StoredKey, 'tags' | 'onBehalfOf' | 'tagsFromCalls'> & {
  /** Seconds to wait, for a key that is paused. */
  readonly pausedForSeconds?: number;
};

/** Parses an item of a key store. Throws on an incomplete one: half a key must let nobody in. */
export function parseStoredKey(item: unknown): StoredKey {
  const parsed = storedKeySchema.safeParse(item);
  if (!parsed.success) throw new Error('a stored API key is malformed');
  return parsed.data;
}

/** Keys by digest, for the authorizer. */
export interface KeyStore {
  /** Strongly consistent and never cached, so that a revocation holds for the next request. `digest`: SHA-256 of the key, hexadecimal. */
  read(digest: string): Promise<StoredKey | undefined>;
}

/** The outcome of a revocation. `unknown`: the organization has no such key, or its list, which is seconds late, does not show it yet. */
export type RevokeOutcome = 'revoked' | 'already_revoked' | 'unknown';

export type KeyLimits = NonNullable<StoredKey['usageLimits']>;

/** The members of a key that an operator may change; null removes one. */
export interface KeyChange {
  readonly name?: string;
  /** Ids. */
  readonly neurons?: readonly string[] | null;
  /** A text of the key that was replaced keeps its own end. */
  readonly expiresAt?: string | null;
  readonly neuronPatterns?: readonly string[] | null;
  readonly usageLimits?: KeyLimits | null;
  readonly tags?: Tags | null;
  readonly pause?: StoredKey['pause'] | null;
  readonly onBehalfOf?: boolean | null;
  readonly tagsFromCalls?: boolean | null;
}

/** The outcome of changing a key. `unknown`: as for a revocation. `revoked`: nothing was changed. */
export type KeyChangeOutcome = 'changed' | 'revoked' | 'unknown';

/** A new text of a key. Until `overlapEndsAt`, an ISO 8601 time, the one before it is valid too. */
export interface KeyRotation {
  readonly digest: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly rotatedAt: string;
  readonly rotatedBy: string;
  readonly overlapEndsAt: string;
}

/** `conflict`: another operator changed the key meanwhile, so nothing was changed. */
export type KeyRotationOutcome = 'rotated' | 'conflict' | 'revoked' | 'unknown';

const OF_DIGEST = 'sha256:';

export function nameOfDigest(digest: string): string {
  return `${OF_DIGEST}${digest}`;
}

/** Undefined for the name of a key by its id. */
export function digestInName(name: string): string | undefined {
  return name.startsWith(OF_DIGEST) ? name.slice(OF_DIGEST.length) : undefined;
}

/** Keys for the command. Times are ISO 8601, UTC, with milliseconds. */
export interface KeyAdmin {
  /** False where there is a key with this digest, of whichever organization: nothing is written then. */
  create(digest: string, key: StoredKey): Promise<boolean>;
  /** All keys of an organization, revoked and expired ones included, by key id; pages are read on demand. */
  list(organizationId: string): AsyncIterable<StoredKey>;
  /**
   * One key, by its newest text; undefined when the organization does not have it. `name`: its id, or `sha256:` with the digest of a text of
   * it, since a key of another system does not hold its id.
   */
  find(organizationId: string, name: string): Promise<StoredKey | undefined>;
  /** Every text of the key. One that was revoked before keeps that time. */
  revoke(organizationId: string, keyId: string, revokedAt: string): Promise<RevokeOutcome>;
  /** Changes every text of a key, from the next request on. */
  change(organizationId: string, keyId: string, change: KeyChange): Promise<KeyChangeOutcome>;
  /** Adds a text under the same id and ends the newest one before it, both or neither. */
  rotate(organizationId: string, keyId: string, rotation: KeyRotation): Promise<KeyRotationOutcome>;
  /** For an organization's deletion; returns the number of texts of keys that this call revoked. */
  revokeAll(organizationId: string, revokedAt: string): Promise<number>;
}

/** Times of last use, in the counters table: the functions that answer callers cannot write keys. */
export interface KeyUseStore {
  /** Records a use, unless a later one is recorded. `timeMs`: since the Unix epoch. */
  record(keyId: string, timeMs: number): Promise<void>;
  /** Last uses by key id, ISO 8601; keys without one are absent. */
  read(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
