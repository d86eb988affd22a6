// Lets identical requests that come at once share one run, within one execution environment.
import type { CachedAnswer } from '../ports/response-cache.ts';
import type { CacheKey } from './plan.ts';

/** The first request leads: it runs, and tells the others when it has landed. Undefined: it made nothing that may be shared. */
export type InFlight =
  | { readonly role: 'leader'; readonly land: (answer: CachedAnswer | undefined) => void }
  | { readonly role: 'follower'; readonly landed: Promise<CachedAnswer | undefined> };

/** The runs under way. One per environment. */
export interface InFlightRuns {
  /** A leader must land, however it ends. */
  join(place: CacheKey): InFlight;
}

/** Runs are identical when scope and input are: as what is stored, and for nobody else. */
export function createInFlightRuns(): InFlightRuns {
  const flying = new Map<string, Promise<CachedAnswer | undefined>>();
  return {
    join({ scope, inputHash }) {
      const key = `${scope} ${inputHash}`;
      const landed = flying.get(key);
      if (landed !== undefined) return { role: 'follower', landed };
      const { promise, resolve } = Promise.withResolvers<CachedAnswer | undefined>();
      flying.set(key, promise);
      return {
        role: 'leader',
        land(answer) {
          if (flying.get(key) === promise) flying.delete(key);
          resolve(answer);
        },
      };
    },
  };
}
