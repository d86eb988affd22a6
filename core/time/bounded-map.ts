// A map that forgets: whatever is kept in memory by keys that callers can choose has a bound.

/*
 * Twenty lines on the insertion order of `Map`, rather than the package `lru-cache`: that one reads the time from `performance`, sets
 * timers of its own and reserves its arrays for the full maximum, and what the domain needs of it is the order alone.
 */

/** Entries in the order in which they were put, the oldest first. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  /**
   * Puts an entry last. Beyond the maximum the first one is dropped and returned. A reader who puts what it has read makes the order that
   * of use.
   */
  put(key: string, value: Value): readonly [string, Value] | undefined;
  delete(key: string): void;
  /** Entries may be deleted while they are gone through. */
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
