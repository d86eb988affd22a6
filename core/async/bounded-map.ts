// A map with a maximum size, for values in memory under keys that callers choose.

/*
 * Twenty lines on the insertion order of `Map`, rather than the package `lru-cache`, which reads the time from `performance`, sets
 * timers of its own and allocates arrays for the full maximum. The domain needs only the order.
 */

/** Entries in the order in which they were put, the oldest first. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  /**
   * Puts an entry last. Beyond the maximum the first entry is removed and returned. To order entries by use, put each back after
   * reading it.
   */
  put(key: string, value: Value): readonly [string, Value] | undefined;
  delete(key: string): void;
  /** Entries may be deleted during iteration. */
  entries(): IterableIterator<[string, Value]>;
}

/** An empty map of at most `maximum` entries. */
export function createBoundedMap<Value>(maximum: number): BoundedMap<Value> {
  const map = new Map<string, Value>();
  return {
    get: (key) => map.get(key),
    put(key, value) {
      // Deleting first moves the key to the end.
      map.delete(key);
      map.set(key, value);
      if (map.size <= maximum) return undefined;
      const [oldest] = map;
      if (oldest !== undefined) map.delete(oldest[0]);
      return oldest;
    },
    delete(key) {
      map.delete(key);
    },
    entries: () => map.entries(),
  };
}
