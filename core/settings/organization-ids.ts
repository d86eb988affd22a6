// Caches the ids of organizations by their slugs, for callers whose key is all that is known of them.
import { createCache } from '../async/cache.ts';
import type { Clock } from '../time/clock.ts';
import { ERROR_BACKOFF_MS, MAX_UNKNOWN, type SettingsCacheLimits } from './settings-cache.ts';
import type { OrganizationStore } from './stored-settings.ts';

export interface OrganizationIds {
  /** Undefined where there is no such organization. Throws what the store throws. */
  readId(slug: string): Promise<string | undefined>;
}

/** A cache over a store, as that of settings. */
export function cacheOrganizationIds(
  store: OrganizationStore,
  clock: Clock,
  { ttlMs, maxStaleMs, unknownMs, maximum }: SettingsCacheLimits,
): OrganizationIds {
  const cache = createCache<{ readonly id: string | undefined }>(
    clock,
    { maximum, maxStaleMs, errorBackoffMs: ERROR_BACKOFF_MS, backOffWithoutValue: false },
    { includes: ({ id }) => id === undefined, maximum: MAX_UNKNOWN },
  );
  return {
    async readId(slug) {
      const { value } = await cache.read(slug, {
        isFresh: ({ id }, ageMs) => ageMs < (id === undefined ? Math.min(unknownMs, ttlMs) : ttlMs),
        load: async () => ({ id: (await store.read(slug))?.id }),
      });
      return value.id;
    },
  };
}
