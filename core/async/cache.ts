// A bounded cache in memory: one load at a time for each key, and the last value for a while when loading fails.

import { ageOf, type Clock, type Moment, momentOf } from '../time/clock.ts';
import { type BoundedMap, createBoundedMap } from './bounded-map.ts';
import { within } from './race.ts';

/** Bounds of a cache; times in milliseconds. */
export interface CacheLimits {
  /** Number of entries; the least recently used is evicted first. */
  readonly maximum: number;
  /** Maximum age of a value while reloading it fails; 0: it is never used after a failure. */
  readonly maxStaleMs: number;
  /** Time after a failure in which a key with a stale value is not loaded again; 0: it always is. */
  readonly errorBackoffMs: number;
  /** True: the backoff also applies without a stale value, and reading fails at once. */
  readonly backOffWithoutValue: boolean;
}

/** A space of their own for values that must not evict others, such as those of keys that anybody can make up. */
interface SideSpace<Value> {
  readonly includes: (value: Value) => boolean;
  readonly maximum: number;
}

interface CacheRead<Value> {
  /** True when the cached value can be used; called at most once a read. The age counts from before the load, which may miss a change. */
  readonly isFresh: (value: Value, ageMs: number) => boolean;
  readonly load: () => Promise<Value>;
  /** Maximum wait for a load that another read started; at 0 or less no load is started either. Without it, no maximum. */
  readonly waitMs?: number;
}

/** `cache`: fresh in memory. `load`: loaded just now. `stale`: too old to be fresh, and loading failed. */
interface CacheReading<Value> {
  readonly value: Value;
  readonly source: 'cache' | 'load' | 'stale';
}

interface Cache<Value> {
  /** Without a stale value, rejects as the load does, or with an error of its own during a backoff or after `waitMs`. */
  read(key: string, read: CacheRead<Value>): Promise<CacheReading<Value>>;
}

interface Entry<Value> {
  readonly value: Value;
  readonly loadedAt: Moment;
}

interface State<Value> {
  readonly clock: Clock;
  readonly limits: CacheLimits;
  readonly entries: BoundedMap<Entry<Value>>;
  readonly side: SideSpace<Value> | undefined;
  readonly sideEntries: BoundedMap<Entry<Value>>;
  /** A map of its own, so that failures evict no value. */
  readonly failedAt: BoundedMap<Moment>;
  readonly loading: Map<string, Promise<Value>>;
}

export function createCache<Value>(clock: Clock, limits: CacheLimits, side?: SideSpace<Value>): Cache<Value> {
  const state: State<Value> = {
    clock,
    limits,
    entries: createBoundedMap(limits.maximum),
    side,
    sideEntries: createBoundedMap(side?.maximum ?? 0),
    failedAt: createBoundedMap(limits.maximum),
    loading: new Map(),
  };
  return {
    async read(key, read) {
      const entry = findEntry(state, key);
      if (entry !== undefined) {
        putEntry(state, key, entry);
        if (read.isFresh(entry.value, ageOf(clock, entry.loadedAt))) {
          return { value: entry.value, source: 'cache' };
        }
      }
      try {
        return { value: await loadOnce(state, key, read), source: 'load' };
      } catch (error) {
        const stale = findUsable(state, key);
        if (stale === undefined) throw error;
        return { value: stale.value, source: 'stale' };
      }
    },
  };
}

function findEntry<Value>({ entries, sideEntries }: State<Value>, key: string): Entry<Value> | undefined {
  return entries.get(key) ?? sideEntries.get(key);
}

/** A key is in one of the two maps; a new value may belong in the other. */
function putEntry<Value>(
  { side, entries, sideEntries }: State<Value>,
  key: string,
  entry: Entry<Value>,
): void {
  const isAside = side?.includes(entry.value) === true;
  (isAside ? entries : sideEntries).delete(key);
  (isAside ? sideEntries : entries).put(key, entry);
}

function findUsable<Value>(state: State<Value>, key: string): Entry<Value> | undefined {
  const { clock, limits } = state;
  const entry = findEntry(state, key);
  return entry !== undefined && ageOf(clock, entry.loadedAt) < limits.maxStaleMs ? entry : undefined;
}

function isInBackoff<Value>(state: State<Value>, key: string): boolean {
  const { clock, limits } = state;
  const lastFailure = state.failedAt.get(key);
  if (lastFailure === undefined || ageOf(clock, lastFailure) >= limits.errorBackoffMs) return false;
  return limits.backOffWithoutValue || findUsable(state, key) !== undefined;
}

async function loadOnce<Value>(
  state: State<Value>,
  key: string,
  { load, waitMs }: CacheRead<Value>,
): Promise<Value> {
  const { clock, loading } = state;
  if (isInBackoff(state, key)) throw new Error('a load failed a moment ago');
  if (waitMs !== undefined && waitMs <= 0) throw new Error('no time is left for a load');
  const running = loading.get(key);
  if (running !== undefined) return waitMs === undefined ? running : within(clock, waitMs, () => running);
  // Even a load that throws at once ends after it was noted as running.
  const started = loadAndPut(state, key, load).finally(() => loading.delete(key));
  loading.set(key, started);
  return started;
}

async function loadAndPut<Value>(
  state: State<Value>,
  key: string,
  load: () => Promise<Value>,
): Promise<Value> {
  const { clock, failedAt } = state;
  const loadedAt = momentOf(clock);
  try {
    const value = await load();
    putEntry(state, key, { value, loadedAt });
    failedAt.delete(key);
    return value;
  } catch (error) {
    failedAt.put(key, momentOf(clock));
    throw error;
  }
}
