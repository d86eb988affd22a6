// Caches settings in memory for the time that the stage allows, so that a warm request reads none.
import { createCache } from '../async/cache.ts';
import type { Clock } from '../time/clock.ts';
import type { SettingsStore, StoredSettings } from './stored-settings.ts';
import { type SettingsVerdict, type SettingsVersion, toUsableSettings } from './usable-settings.ts';

/** Waiting times in milliseconds, and how many neurons are cached. */
export interface SettingsCacheLimits {
  /** How long settings are used without reading them again. */
  readonly ttlMs: number;
  /** How old they may be while the store fails. */
  readonly maxStaleMs: number;
  /** How long it is remembered that a neuron does not exist. */
  readonly unknownMs: number;
  readonly maximum: number;
}

/** Stored settings, and whether they can be used; parsed once per read, not once per request. */
export interface KnownSettings {
  readonly stored: StoredSettings;
  readonly verdict: SettingsVerdict;
}

/** Settings by slug, from memory where they are fresh. */
export interface CachedSettings {
  /** `atLeast` asks for settings no older than another function has seen. Throws what the store throws. */
  read(organization: string, neuron: string, atLeast?: SettingsVersion): Promise<KnownSettings>;
}

/** How long a store that failed is left alone where there is a copy to go on with: waiting for it would cost every call its timeout. */
const ERROR_BACKOFF_MS = 2_000;

/** Neurons that do not exist and are remembered so. */
const MAX_UNKNOWN = 200;

/** A cache over a store. One read at a time per neuron: requests that come meanwhile wait for the same one. */
export function cacheSettings(
  store: SettingsStore,
  clock: Clock,
  limits: SettingsCacheLimits,
): CachedSettings {
  const { maximum, maxStaleMs } = limits;
  const cache = createCache<KnownSettings>(
    clock,
    { maximum, maxStaleMs, errorBackoffMs: ERROR_BACKOFF_MS, backOffWithoutValue: false },
    // Anybody can make up slugs: what does not exist must not evict what does.
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
