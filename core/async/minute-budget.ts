// Bounds what each subject may cause in a minute, in memory: for work that no limit of the settings counts.
import { createBoundedMap } from './bounded-map.ts';

/** Subjects that are watched at once; beyond it the oldest is forgotten. */
const MAX_SUBJECTS = 10_000;
const MINUTE_MS = 60_000;

/** Times are those of requests, in milliseconds since the Unix epoch; minutes are those of the clock. */
export interface MinuteBudget {
  /** Milliseconds until the subject has room again; 0 while it has some. */
  retryAfterMs(subject: string, timeMs: number): number;
  add(subject: string, timeMs: number, amount: number): void;
}

/** Has room for a subject until `max` was added for it in a minute. */
export function createMinuteBudget(max: number, maxSubjects: number = MAX_SUBJECTS): MinuteBudget {
  const sums = createBoundedMap<{ readonly minute: number; readonly sum: number }>(maxSubjects);
  const sumOf = (subject: string, minute: number): number => {
    const known = sums.get(subject);
    return known?.minute === minute ? known.sum : 0;
  };
  return {
    retryAfterMs(subject, timeMs) {
      const minute = Math.floor(timeMs / MINUTE_MS);
      return sumOf(subject, minute) < max ? 0 : (minute + 1) * MINUTE_MS - timeMs;
    },
    add(subject, timeMs, amount) {
      const minute = Math.floor(timeMs / MINUTE_MS);
      sums.put(subject, { minute, sum: sumOf(subject, minute) + amount });
    },
  };
}
