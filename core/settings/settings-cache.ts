// Keeps settings in memory for the time that the stage allows, so that a warm request reads none.
import type { Clock } from '../time/clock.ts';
import type { SettingsStore, StoredSettings } from './stored-settings.ts';
import { type SettingsVerdict, type SettingsVersion, toUsableSettings } from './usable-settings.ts';

/** Waiting times in milliseconds, and how many neurons are kept. */
export interface SettingsCacheLimits {
  /** How long settings are used without reading them again. */
  readonly ttlMs: number;
  /** How old they may be while the store fails. */
  readonly maxStaleMs: number;
  /** How long it is remembered that a neuron does not exist. */
  readonly unknownMs: number;
  readonly maximum: number;
}

/** What was read, and what it comes to; judged once per read, not once per request. */
export interface KnownSettings {
  readonly stored: StoredSettings;
  readonly verdict: SettingsVerdict;
}

/** Settings by slug, from memory where they are fresh. */
export interface CachedSettings {
  /** `atLeast` asks for settings no older than another function has seen. Throws what the store throws. */
  read(organization: string, neuron: string, atLeast?: SettingsVersion): Promise<KnownSettings>;
}

/** How long a store that failed is left alone where there is a copy to go on with. */
const RETRY_AFTER_FAILURE_MS = 2_000;

interface Kept extends KnownSettings {
  readonly readAtMs: number;
}

/** A cache over a store. One read at a time per neuron: requests that come meanwhile wait for the same one. */
export function cacheSettings(
  store: SettingsStore,
  clock: Clock,
  limits: SettingsCacheLimits,
): CachedSettings {
  const kept = new Map<string, Kept>();
  const reading = new Map<string, Promise<Kept>>();
  const failedUntil = new Map<string, number>();

  async function readNow(organization: string, neuron: string): Promise<Kept> {
    // The age counts from before the read: what was written while it ran may be missing from it.
    const readAtMs = clock.now();
    const stored = await store.read(organization, neuron);
    return { stored, verdict: toUsableSettings(stored), readAtMs };
  }

  function readOnce(key: string, organization: string, neuron: string): Promise<Kept> {
    const running = reading.get(key);
    if (running !== undefined) return running;
    const started = readNow(organization, neuron)
      .then((entry) => keep(kept, key, entry, limits.maximum))
      .finally(() => reading.delete(key));
    reading.set(key, started);
    return started;
  }

  return {
    async read(organization, neuron, atLeast) {
      const key = `${organization}/${neuron}`;
      const known = kept.get(key);
      if (known !== undefined && isFresh(known, clock.now(), limits) && !isOlder(known, atLeast))
        return known;
      const usable = known !== undefined && clock.now() - known.readAtMs < limits.maxStaleMs;
      // A store that has just failed is not waited for again: that would cost every call its whole timeout.
      if (usable && clock.now() < (failedUntil.get(key) ?? 0)) return known;
      try {
        return await readOnce(key, organization, neuron);
      } catch (error) {
        failedUntil.set(key, clock.now() + RETRY_AFTER_FAILURE_MS);
        if (failedUntil.size > limits.maximum) failedUntil.clear();
        if (usable) return known;
        throw error;
      }
    },
  };
}

function isFresh({ readAtMs, stored }: Kept, nowMs: number, limits: SettingsCacheLimits): boolean {
  const exists = stored.organization !== undefined && stored.neuron !== undefined;
  return nowMs - readAtMs < (exists ? limits.ttlMs : Math.min(limits.unknownMs, limits.ttlMs));
}

function isOlder({ stored }: Kept, atLeast: SettingsVersion | undefined): boolean {
  if (atLeast === undefined) return false;
  return (
    (stored.organization?.write ?? 0) < atLeast.organization || (stored.neuron?.write ?? 0) < atLeast.neuron
  );
}

function keep(kept: Map<string, Kept>, key: string, entry: Kept, maximum: number): Kept {
  // Deleting first moves the key to the end: the map's first key is the one read longest ago.
  kept.delete(key);
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > maximum && oldest !== undefined) kept.delete(oldest);
  return entry;
}
