// API keys and their last uses in memory.
import {
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
  return {
    reads,
    async read(digest) {
      reads.push(digest);
      return keys.get(digest);
    },
    async create(digest, key) {
      if (keys.has(digest)) throw new Error('a key with this digest exists');
      keys.set(digest, parseStoredKey(key));
    },
    async *list(organizationId) {
      const listed = ofOrganization(organizationId).map(([, key]) => key);
      yield* listed.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    },
    async find(organizationId, keyId) {
      return ofOrganization(organizationId).find(([, key]) => key.keyId === keyId)?.[1];
    },
    async revoke(organizationId, keyId, revokedAt) {
      const found = ofOrganization(organizationId).find(([, key]) => key.keyId === keyId);
      if (found === undefined) return 'unknown';
      const [digest, key] = found;
      if (key.revokedAt !== undefined) return 'already_revoked';
      keys.set(digest, { ...key, revokedAt });
      return 'revoked';
    },
    async setLimits(organizationId, keyId, usageLimits) {
      const found = ofOrganization(organizationId).find(([, key]) => key.keyId === keyId);
      if (found === undefined) return 'unknown';
      const [digest, { usageLimits: _before, ...key }] = found;
      if (key.revokedAt !== undefined) return 'revoked';
      keys.set(digest, usageLimits.length === 0 ? key : { ...key, usageLimits });
      return 'set';
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
