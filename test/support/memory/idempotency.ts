// Claims on idempotency keys in memory: what an item of the cache table does, one write at a time.
import {
  type Claim,
  type ClaimKey,
  type HeldKey,
  type IdempotencyStore,
  type KeptAnswer,
  parseKeptAnswer,
} from '../../../core/ports/idempotency.ts';

interface Item {
  readonly claim: Claim;
  readonly kept?: { readonly answer: KeptAnswer; readonly expiresAt: number };
}

export function createMemoryIdempotency(): IdempotencyStore {
  const items = new Map<ClaimKey, Item>();
  return {
    async claim(key, claim) {
      const item = items.get(key);
      if (item !== undefined && !isFree(item, claim)) return toHeldKey(item, claim);
      items.set(key, { claim });
      return { kind: 'claimed' };
    },
    async keep(key, { token }, answer, expiresAt) {
      const item = items.get(key);
      if (item?.claim.token !== token) return false;
      items.set(key, { claim: item.claim, kept: { answer: structuredClone(answer), expiresAt } });
      return true;
    },
    async release(key, token) {
      const item = items.get(key);
      if (item?.claim.token === token && item.kept === undefined) items.delete(key);
    },
  };
}

function isFree({ claim, kept }: Item, { atMs, token }: Claim): boolean {
  if (kept !== undefined) return kept.expiresAt * 1000 <= atMs;
  return claim.leaseEndsAtMs <= atMs || claim.token === token;
}

function toHeldKey({ claim: { digest, atMs, leaseEndsAtMs }, kept }: Item, claim: Claim): HeldKey {
  if (digest !== claim.digest) return { kind: 'mismatched' };
  if (kept === undefined) return { kind: 'running', atMs, leaseEndsAtMs };
  return { kind: 'answered', answer: parseKeptAnswer(kept.answer) };
}
