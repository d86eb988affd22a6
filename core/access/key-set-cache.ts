// Caches the key sets of JWKS URLs for bounded times: a removed key stops working, an endpoint that fails is not called
// for a while, and no flood of tokens becomes a flood of fetches.

import { createCache } from '../async/cache.ts';
import { within } from '../async/race.ts';
import type { FetchKeySet, VerificationKey } from '../ports/jwt.ts';
import type { Clock } from '../time/clock.ts';

/** Waiting times in milliseconds, and how many URLs are remembered. */
export interface KeySetLimits {
  /** How long a set is used without fetching it again. */
  readonly ttlMs: number;
  /** How old a set may be while its endpoint fails. */
  readonly maxStaleMs: number;
  /** How old a set must be to be fetched again for a key that it lacks. */
  readonly refetchAfterMs: number;
  /** How long an endpoint that failed is not called. */
  readonly errorBackoffMs: number;
  readonly maximum: number;
}

/** How long one URL may take, in milliseconds. */
const FETCH_MS = 2_000;
/** How long all URLs of a list may take together. */
const LIST_MS = 5_000;

/** `failed`: the endpoint returned no set, and none in memory is young enough. */
export type KeySetReading = readonly VerificationKey[] | 'failed';

/** The time that one request has for all its URLs. */
export interface KeySetBudget {
  readonly endsAtMs: number;
}

/** Key sets by URL. No method throws. */
export interface KeySets {
  openBudget(): KeySetBudget;
  /** From memory where fresh, else fetched. */
  read(url: string, budget: KeySetBudget): Promise<KeySetReading>;
  /** Fetched anew for a key that the set in memory lacks; `recent` where that set was fetched a moment ago. */
  refresh(url: string, budget: KeySetBudget): Promise<KeySetReading | 'recent'>;
}

/** A cache over `fetchKeySet`. One fetch at a time per URL: requests that come meanwhile wait for the same one. */
export function cacheKeySets(fetchKeySet: FetchKeySet, clock: Clock, limits: KeySetLimits): KeySets {
  const { maximum, maxStaleMs, errorBackoffMs } = limits;
  const cache = createCache<readonly VerificationKey[]>(clock, {
    maximum,
    maxStaleMs,
    errorBackoffMs,
    // The endpoint is somebody else's, and a flood of tokens must not become one of fetches.
    backOffWithoutValue: true,
  });
  const readWithin = (url: string, { endsAtMs }: KeySetBudget, ttlMs: number) => {
    const waitMs = Math.min(FETCH_MS, endsAtMs - clock.monotonicMs());
    return cache.read(url, {
      isFresh: (_keys, ageMs) => ageMs < ttlMs,
      load: () => within(clock, waitMs, (signal) => fetchKeySet(url, signal)),
      waitMs,
    });
  };
  return {
    openBudget: () => ({ endsAtMs: clock.monotonicMs() + LIST_MS }),
    async read(url, budget) {
      const reading = await readWithin(url, budget, limits.ttlMs).catch(() => undefined);
      return reading?.value ?? 'failed';
    },
    async refresh(url, budget) {
      const reading = await readWithin(url, budget, limits.refetchAfterMs).catch(() => undefined);
      if (reading?.source === 'cache') return 'recent';
      // An older set is no answer here: it is known to lack the key.
      return reading?.source === 'load' ? reading.value : 'failed';
    },
  };
}
