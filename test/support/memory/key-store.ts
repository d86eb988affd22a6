// API keys and their last uses in memory.
import {
  digestInName,
  type KeyAdmin,
  type KeyStore,
  type KeyUseStore,
  parseStoredKey,
  type StoredKey,
} from '../../../core/ports/keys.ts';

/** Keys under a test's hand: the read of a request and the commands, over one set of keys. */
export interface MemoryKeyStore extends KeyStore, KeyAdmin {
  /** Digests in the order in which they were asked for. */
  readonly reads: readonly string[];
}

export function createMemoryKeyStore(): MemoryKeyStore {
  const keys = new Map<string, StoredKey>();
  const reads: string[] = [];
  const ofOrganization = (organizationId: string) =>
    [...keys].filter(([, key]) => key.organizationId === organizationId);
  const textsOf = (organizationId: string, keyId: string) =>
    ofOrganization(organizationId).filter(([, key]) => key.keyId === keyId);
  return {
    reads,
    async read(digest) {
      reads.push(digest);
      return keys.get(digest);
    },
    async create(digest, key) {
      if (keys.has(digest)) return false;
      keys.set(digest, parseStoredKey(key));
      return true;
    },
    async *list(organizationId) {
      const listed = ofOrganization(organizationId).map(([, key]) => key);
      yield* listed.sort((a, b) => (`${a.keyId} ${a.createdAt}` < `${b.keyId} ${b.createdAt}` ? -1 : 1));
    },
    async find(organizationId, name) {
      const digest = digestInName(name);
      const keyId = digest === undefined ? name : (keys.get(digest)?.keyId ?? '');
      return textsOf(organizationId, keyId).find(([, key]) => key.replacedAt === undefined)?.[1];
    },
    async revoke(organizationId, keyId, revokedAt) {
      const texts = textsOf(organizationId, keyId);
      if (texts.length === 0) return 'unknown';
      const valid = texts.filter(([, key]) => key.revokedAt === undefined);
      for (const [digest, key] of valid) keys.set(digest, { ...key, revokedAt });
      return valid.length === 0 ? 'already_revoked' : 'revoked';
    },
    async change(organizationId, keyId, change) {
      const texts = textsOf(organizationId, keyId);
      if (texts.length === 0) return 'unknown';
      const valid = texts.filter(([, key]) => key.revokedAt === undefined);
      for (const [digest, key] of valid) {
        const { expiresAt, ...others } = { ...key, ...change };
        const end = key.replacedAt === undefined ? expiresAt : key.expiresAt;
        const changed = Object.entries({ ...others, expiresAt: end }).filter(
          ([, value]) => value !== null && value !== undefined,
        );
        keys.set(digest, parseStoredKey(Object.fromEntries(changed)));
      }
      return valid.length === 0 ? 'revoked' : 'changed';
    },
    async rotate(organizationId, keyId, rotation) {
      const newest = textsOf(organizationId, keyId).find(([, key]) => key.replacedAt === undefined);
      if (newest === undefined) return 'unknown';
      const [before, key] = newest;
      if (key.revokedAt !== undefined) return 'revoked';
      const { digest, prefix, lastFour, rotatedAt, rotatedBy, overlapEndsAt } = rotation;
      keys.set(digest, { ...key, prefix, lastFour, createdAt: rotatedAt, createdBy: rotatedBy });
      const ends = [key.expiresAt ?? overlapEndsAt, overlapEndsAt].toSorted()[0] ?? overlapEndsAt;
      keys.set(before, { ...key, replacedAt: rotatedAt, expiresAt: ends });
      return 'rotated';
    },
    async revokeAll(organizationId, revokedAt) {
      const active = ofOrganization(organizationId).filter(([, key]) => key.revokedAt === undefined);
      for (const [digest, key] of active) keys.set(digest, { ...key, revokedAt });
      return active.length;
    },
  };
}

export function createMemoryKeyUseStore(): KeyUseStore {
  const lastUses = new Map<string, string>();
  return {
    async record(keyId, timeMs) {
      const at = new Date(timeMs).toISOString();
      const before = lastUses.get(keyId);
      if (before === undefined || before < at) lastUses.set(keyId, at);
    },
    async read(keyIds) {
      return new Map([...lastUses].filter(([keyId]) => keyIds.includes(keyId)));
    },
  };
}
