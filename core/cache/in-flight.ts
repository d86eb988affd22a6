// Lets identical concurrent requests in one execution environment share a run.
import type { CachedAnswer } from '../ports/response-cache.ts';
import type { CacheKey } from './plan.ts';

/** The first request leads: it runs, and completes with its answer for the others, or undefined where that may not be shared. */
export type InFlight =
  | { readonly role: 'leader'; readonly complete: (answer: CachedAnswer | undefined) => void }
  | { readonly role: 'follower'; readonly answer: Promise<CachedAnswer | undefined> };

/** One per environment. */
export interface InFlightRuns {
  /** A leader must complete in any case. */
  join(key: CacheKey): InFlight;
}

/** Runs are identical when scope and input are, as for stored answers. No entry outlives its run. */
export function createInFlightRuns(): InFlightRuns {
  const running = new Map<string, Promise<CachedAnswer | undefined>>();
  return {
    join({ scope, inputHash }) {
      const key = `${scope} ${inputHash}`;
      const answer = running.get(key);
      if (answer !== undefined) return { role: 'follower', answer };
      const { promise, resolve } = Promise.withResolvers<CachedAnswer | undefined>();
      running.set(key, promise);
      return {
        role: 'leader',
        complete(answer) {
          if (running.get(key) === promise) running.delete(key);
          resolve(answer);
        },
      };
    },
  };
}
