// Caches the key sets of JWKS URLs: a removed key stops working, an endpoint that fails is not called for a while, and a flood of
// tokens does not become a flood of fetches.

import { createCache } from '../async/cache.ts';
import { within } from '../async/race.ts';
import type { FetchKeySet, VerificationKey } from '../ports/jwt.ts';
import type { Clock } from '../time/clock.ts';

/** Times in milliseconds, and the maximum number of URLs. */
export interface KeySetLimits {
  /** Time in which a set is used without fetching it again. */
  readonly ttlMs: number;
  /** Maximum age of a set while its endpoint fails. */
  readonly maxStaleMs: number;
  /** Minimum age of a set to be fetched again for a key that it lacks. */
  readonly refetchAfterMs: number;
  /** Time in which an endpoint that failed is not called. */
  readonly errorBackoffMs: number;
  readonly maximum: number;
}

/** Maximum time for one URL. */
const FETCH_MS = 2_000;
/** Maximum time for all URLs of a list together. */
const LIST_MS = 5_000;

/** `failed`: the endpoint returned no set, and there is none in memory that may still be used. */
export type KeySetReading = readonly VerificationKey[] | 'failed';

/** The end of the time that one request has for all its URLs. */
export interface KeySetBudget {
  readonly endsAtMs: number;
}

/** Key sets by URL. No method throws. */
export interface KeySets {
  openBudget(): KeySetBudget;
  /** The set in memory while it is fresh, else a fetched one. */
  read(url: string, budget: KeySetBudget): Promise<KeySetReading>;
  /** Fetches a set again for a key that the one in memory lacks; `recent` when that one was fetched a moment ago. */
  refresh(url: string, budget: KeySetBudget): Promise<KeySetReading | 'recent'>;
}

/** A cache over `fetchKeySet`. Concurrent requests for one URL share a fetch. */
export function cacheKeySets(fetchKeySet: FetchKeySet, clock: Clock, limits: KeySetLimits): KeySets {
  const { maximum, maxStaleMs, errorBackoffMs } = limits;
  const cache = createCache<readonly VerificationKey[]>(clock, {
    maximum,
    maxStaleMs,
    errorBackoffMs,
    // A flood of tokens must not become a flood of fetches at somebody else's endpoint.
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
      // An older set is known to lack the key.
      return reading?.source === 'load' ? reading.value : 'failed';
    },
  };
}
