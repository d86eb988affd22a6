// Limits the records of a key's last use to one a minute, not one per request.
import { createBoundedMap } from '../async/bounded-map.ts';

/** Decides whether a use is recorded. */
export interface LastUseThrottle {
  /** True at most once a minute per key. `nowMs`: milliseconds since the Unix epoch. */
  isDue(keyId: string, nowMs: number): boolean;
}

const INTERVAL_MS = 60_000;

/** One per execution environment. Beyond `capacity` keys the one recorded longest ago is forgotten, and recorded once more. */
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
