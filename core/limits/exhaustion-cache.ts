// Caches the used amounts of exhausted counters, so that rejected requests cost no write until the window ends.
import { createBoundedMap } from '../async/bounded-map.ts';
import type { UsedAmounts } from './denial.ts';

/** Beyond it the entry that was put first is evicted. */
export const MAX_ENTRIES = 10_000;

/** In memory, one per execution environment. A counter's key contains its window, so entries need no TTL. */
export interface ExhaustionCache {
  /** Amounts that are certainly used; empty for a counter without an entry. */
  get(settingsVersion: string, key: string): UsedAmounts;
  put(settingsVersion: string, key: string, used: UsedAmounts): void;
}

/** Used amounts only grow within a window, so an entry stays valid as a lower bound. */
export function createExhaustionCache(maxEntries: number = MAX_ENTRIES): ExhaustionCache {
  const entries = createBoundedMap<UsedAmounts>(maxEntries);
  const entryKey = (settingsVersion: string, key: string): string => `${settingsVersion} ${key}`;
  return {
    get: (settingsVersion, key) => entries.get(entryKey(settingsVersion, key)) ?? {},
    put: (settingsVersion, key, used) => entries.put(entryKey(settingsVersion, key), used),
  };
}
