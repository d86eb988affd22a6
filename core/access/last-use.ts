// Keeps the record of a key's last use from costing a write per request.
import { createBoundedMap } from '../async/bounded-map.ts';

/** Says whether a use is to be recorded. */
export interface LastUseThrottle {
  /** True at most once a minute per key. `nowMs`: milliseconds since the Unix epoch. */
  isDue(keyId: string, nowMs: number): boolean;
}

const INTERVAL_MS = 60_000;

/** One per execution environment. Beyond `capacity` keys the one recorded longest ago is forgotten, which costs it one more write. */
export function createLastUseThrottle(capacity = 10_000): LastUseThrottle {
  const recordedAt = createBoundedMap<number>(capacity);
  return {
    isDue(keyId, nowMs) {
      const last = recordedAt.get(keyId) ?? -Infinity;
      if (nowMs < last + INTERVAL_MS) return false;
      recordedAt.put(keyId, nowMs);
      return true;
    },
  };
}
