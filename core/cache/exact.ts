// The exact lookup: one read by scope and digest of the input.

import { within } from '../async/race.ts';
import type { CachedAnswer, ResponseCacheStore } from '../ports/response-cache.ts';
import type { Clock } from '../time/clock.ts';
import type { CacheKey } from './plan.ts';

/** Maximum wait for one read of the cache, in milliseconds: it may cost a run some of its time, never all of it. */
export const STORE_MS = 500;

export interface ReadPorts {
  readonly clock: Clock;
  readonly responses: ResponseCacheStore;
}

/** `failed`: the store threw, was late, or held a malformed answer. */
export type ExactRead =
  | { readonly kind: 'found'; readonly answer: CachedAnswer }
  | { readonly kind: 'absent' | 'failed' };

/** Never rejects, so that it can be started early and awaited when the request has been admitted, or never. */
export async function readExact(key: CacheKey, { clock, responses }: ReadPorts): Promise<ExactRead> {
  try {
    const answer = await within(clock, STORE_MS, () => responses.read(key.scope, key.inputHash));
    return answer !== undefined && isFresh(answer, key.ttlMs, clock.now())
      ? { kind: 'found', answer }
      : { kind: 'absent' };
  } catch {
    return { kind: 'failed' };
  }
}

/** The store deletes late, and a shorter `ttl` also ends answers that were stored under a longer one. */
export function isFresh({ storedAtMs, expiresAt }: CachedAnswer, ttlMs: number, nowMs: number): boolean {
  return nowMs < expiresAt * 1000 && nowMs < storedAtMs + ttlMs;
}
