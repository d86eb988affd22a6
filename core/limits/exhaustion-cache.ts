// Remembers what counters that refused had used, so that refused callers cost no write until the window ends.
import { createBoundedMap } from '../time/bounded-map.ts';
import type { Used } from './verdict.ts';

/** Counters that are remembered; the one that was remembered longest ago is forgotten first. */
export const MAX_KNOWN = 10_000;

/** One per execution environment, in memory. Keys name their window, so what is known ends with it, and no clock takes part. */
export interface ExhaustionCache {
  /** What is certainly used; empty for a counter that is not remembered. */
  get(settingsVersion: string, key: string): Used;
  remember(settingsVersion: string, key: string, used: Used): void;
}

/** An empty memory. What is used only grows within a window: a limit that is raised is judged anew with the same numbers. */
export function createExhaustionCache(maximum: number = MAX_KNOWN): ExhaustionCache {
  const known = createBoundedMap<Used>(maximum);
  const nameOf = (settingsVersion: string, key: string): string => `${settingsVersion} ${key}`;
  return {
    get: (settingsVersion, key) => known.get(nameOf(settingsVersion, key)) ?? {},
    remember(settingsVersion, key, used) {
      known.put(nameOf(settingsVersion, key), used);
    },
  };
}
