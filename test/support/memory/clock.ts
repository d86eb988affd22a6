// A clock that moves only when a test advances it, so that no test waits.
import type { Clock } from '../../../core/time/clock.ts';

/** A clock under a test's hand. */
export interface MemoryClock extends Clock {
  /** Moves time on and wakes every sleeper whose time has come, the earliest first. */
  advance(milliseconds: number): Promise<void>;
  /** Sets the time since the epoch forward, or back; sleepers and `monotonicMs` notice nothing. */
  leap(milliseconds: number): void;
  /** How many sleep, or wait for a timer, now. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Starts at `startMs`, milliseconds since the Unix epoch. */
export function createMemoryClock(startMs = 0): MemoryClock {
  let nowMs = startMs;
  let leapMs = 0;
  const sleeping = new Set<Sleeper>();
  const timer: Clock['timer'] = (milliseconds, wake) => {
    const sleeper = { atMs: nowMs + milliseconds, wake };
    sleeping.add(sleeper);
    return () => void sleeping.delete(sleeper);
  };
  return {
    now: () => nowMs + leapMs,
    monotonicMs: () => nowMs,
    leap(milliseconds) {
      leapMs += milliseconds;
    },
    get sleepers() {
      return sleeping.size;
    },
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = () => {
          stop();
          reject(signal?.reason);
        };
        const stop = timer(milliseconds, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
    timer,
    async advance(milliseconds) {
      const untilMs = nowMs + milliseconds;
      await settle();
      for (let next = earliest(sleeping, untilMs); next !== undefined; next = earliest(sleeping, untilMs)) {
        nowMs = Math.max(nowMs, next.atMs);
        sleeping.delete(next);
        next.wake();
        await settle();
      }
      nowMs = untilMs;
    },
  };
}

function earliest(sleeping: ReadonlySet<Sleeper>, untilMs: number): Sleeper | undefined {
  return [...sleeping].filter((one) => one.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
}

/** Lets everything run that waits for nothing but its turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
