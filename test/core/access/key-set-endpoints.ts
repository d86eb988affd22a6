// JWKS endpoints that a test controls, and a cache over them with a fixed clock.

import { cacheKeySets, type KeySetLimits, type KeySets } from '../../../core/access/key-set-cache.ts';
import type { VerificationKey } from '../../../core/ports/jwt.ts';
import { createMemoryClock, type MemoryClock } from '../../support/memory/clock.ts';

export const URL_A = 'https://a.example/jwks';
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const LIMITS: KeySetLimits = {
  ttlMs: 10 * MINUTE,
  maxStaleMs: 60 * MINUTE,
  refetchAfterMs: 30 * SECOND,
  errorBackoffMs: 10 * SECOND,
  maximum: 3,
};

/** A key by its name, which verifies nothing. */
export const keyOf = (kid: string): VerificationKey => ({
  kid,
  algorithms: ['RS256'],
  verify: async () => false,
});

/** Endpoints by URL: keys, an error, or `stall` for one that never answers and ends with its signal. */
class Endpoints {
  readonly fetches: string[] = [];
  readonly answers = new Map<string, readonly VerificationKey[] | Error | 'stall'>();
  readonly clock: MemoryClock = createMemoryClock(1_000_000);

  readonly fetchKeySet = (url: string, signal: AbortSignal): Promise<readonly VerificationKey[]> => {
    this.fetches.push(url);
    const answer = this.answers.get(url) ?? new Error('no such host');
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer !== 'stall') return Promise.resolve(answer);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
    });
  };
}

/** A cache that knows nothing yet, over endpoints of which the first has one key. */
export function open(limits: Partial<KeySetLimits> = {}) {
  const endpoints = new Endpoints();
  endpoints.answers.set(URL_A, [keyOf('one')]);
  const keySets = cacheKeySets(endpoints.fetchKeySet, endpoints.clock, { ...LIMITS, ...limits });
  const { fetches, answers, clock } = endpoints;
  return {
    keySets,
    fetches,
    answers,
    clock,
    read: (url = URL_A) => kidsOf(keySets.read(url, keySets.openBudget())),
  };
}

/** The names of the keys that were read, or that none were. */
export async function kidsOf(reading: ReturnType<KeySets['refresh']>) {
  const keys = await reading;
  return typeof keys === 'string' ? keys : keys.map(({ kid }) => kid);
}
