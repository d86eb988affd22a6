// Records of idempotency keys in memory: as items of the cache table, one write at a time.
import {
  type IdempotencyStore,
  type Lease,
  parseStoredAnswer,
  type RecordKey,
  type RecordState,
  type StoredAnswer,
} from '../../../core/ports/idempotency.ts';

interface Item {
  readonly lease: Lease;
  readonly stored?: { readonly answer: StoredAnswer; readonly expiresAt: number };
}

export function createMemoryIdempotency(): IdempotencyStore {
  const items = new Map<RecordKey, Item>();
  return {
    async acquire(key, lease) {
      const item = items.get(key);
      if (item !== undefined && !isFree(item, lease)) return toRecordState(item, lease.digest);
      items.set(key, { lease });
      return { kind: 'acquired' };
    },
    async find(key, atMs, digest) {
      const item = items.get(key);
      return item === undefined || isFree(item, { atMs }) ? undefined : toRecordState(item, digest());
    },
    async complete(key, { token }, answer, expiresAt) {
      const item = items.get(key);
      if (item?.lease.token !== token) return false;
      items.set(key, { lease: item.lease, stored: { answer: structuredClone(answer), expiresAt } });
      return true;
    },
    async release(key, token) {
      const item = items.get(key);
      if (item?.lease.token === token && item.stored === undefined) items.delete(key);
    },
  };
}

function isFree({ lease, stored }: Item, { atMs, token }: { atMs: number; token?: string }): boolean {
  if (stored !== undefined) return stored.expiresAt * 1000 <= atMs;
  return lease.leaseEndsAtMs <= atMs || lease.token === token;
}

function toRecordState({ lease, stored }: Item, digest: string): RecordState {
  const { atMs, leaseEndsAtMs } = lease;
  if (digest !== lease.digest) return { kind: 'mismatched' };
  if (stored === undefined) return { kind: 'running', atMs, leaseEndsAtMs };
  return { kind: 'answered', answer: parseStoredAnswer(stored.answer) };
}
