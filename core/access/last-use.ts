// Keeps the record of a key's last use from costing a write per request.

/** Says whether a use is to be recorded. */
export interface LastUseThrottle {
  /** True at most once a minute per key. `nowMs`: milliseconds since the Unix epoch. */
  isDue(keyId: string, nowMs: number): boolean;
}

const INTERVAL_MS = 60_000;

/** One per execution environment. Beyond `capacity` keys the one recorded longest ago is forgotten, which costs it one more write. */
export function createLastUseThrottle(capacity = 10_000): LastUseThrottle {
  const recordedAt = new Map<string, number>();
  return {
    isDue(keyId, nowMs) {
      const last = recordedAt.get(keyId) ?? -Infinity;
      if (nowMs < last + INTERVAL_MS) return false;
      // Deleted first, so that the map's order stays the order of recording.
      recordedAt.delete(keyId);
      recordedAt.set(keyId, nowMs);
      if (recordedAt.size > capacity) forgetOldest(recordedAt);
      return true;
    },
  };
}

function forgetOldest(recordedAt: Map<string, number>): void {
  for (const keyId of recordedAt.keys()) {
    recordedAt.delete(keyId);
    return;
  }
}
