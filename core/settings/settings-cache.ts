// Caches settings in memory for the time that the stage allows, so that most requests read none.
import { createCache } from '../async/cache.ts';
import type { Clock } from '../time/clock.ts';
import type { SettingsStore, StoredSettings } from './stored-settings.ts';
import { type SettingsVerdict, type SettingsVersion, toUsableSettings } from './usable-settings.ts';

/** Waiting times in milliseconds, and how many neurons are cached. */
export interface SettingsCacheLimits {
  /** Time in which settings are used without reading them again. */
  readonly ttlMs: number;
  /** Their maximum age while the store fails. */
  readonly maxStaleMs: number;
  /** Time in which a neuron that does not exist is not looked for again. */
  readonly unknownMs: number;
  readonly maximum: number;
}

/** Settings parsed once per read, not once per request. */
export interface KnownSettings {
  readonly stored: StoredSettings;
  readonly verdict: SettingsVerdict;
}

/** Settings by slug, from memory where they are fresh. */
export interface CachedSettings {
  /** `atLeast` asks for settings no older than another function has seen. Throws what the store throws. */
  read(organization: string, neuron: string, atLeast?: SettingsVersion): Promise<KnownSettings>;
}

/** For `atLeast`: reads the store, whatever is in memory. */
export const LATEST: SettingsVersion = { organization: Infinity, neuron: Infinity };

/** Time in which a failed store is not asked again where a stale copy can be used: each call would wait for its timeout. */
export const ERROR_BACKOFF_MS = 2_000;

/** Neurons, or organizations, that do not exist. */
export const MAX_UNKNOWN = 200;

/** A cache over a store. Concurrent requests for one neuron share a read. */
export function cacheSettings(
  store: SettingsStore,
  clock: Clock,
  limits: SettingsCacheLimits,
): CachedSettings {
  const { maximum, maxStaleMs } = limits;
  const cache = createCache<KnownSettings>(
    clock,
    { maximum, maxStaleMs, errorBackoffMs: ERROR_BACKOFF_MS, backOffWithoutValue: false },
    // Anybody can make up slugs: neurons that do not exist must not evict others.
    { includes: (known) => !exists(known), maximum: MAX_UNKNOWN },
  );
  return {
    async read(organization, neuron, atLeast) {
      const { value } = await cache.read(`${organization}/${neuron}`, {
        isFresh: (known, ageMs) => ageMs < ttlOf(known, limits) && !isOlder(known, atLeast),
        async load() {
          const stored = await store.read(organization, neuron);
          return { stored, verdict: toUsableSettings(stored) };
        },
      });
      return value;
    },
  };
}

function ttlOf(known: KnownSettings, { ttlMs, unknownMs }: SettingsCacheLimits): number {
  return exists(known) ? ttlMs : Math.min(unknownMs, ttlMs);
}

function exists({ stored }: KnownSettings): boolean {
  return stored.organization !== undefined && stored.neuron !== undefined;
}

function isOlder({ stored }: KnownSettings, atLeast: SettingsVersion | undefined): boolean {
  if (atLeast === undefined) return false;
  return (
    (stored.organization?.write ?? 0) < atLeast.organization || (stored.neuron?.write ?? 0) < atLeast.neuron
  );
}
