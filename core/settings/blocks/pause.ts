// A pause that may end by itself.
import type { Pause } from '../stored-settings.ts';

/** The pause as it is at this time; undefined once it has ended. Nobody is told to wait longer than it lasts. */
export function pauseAt<Paused extends Pause>(pause: Paused | undefined, nowMs: number): Paused | undefined {
  if (pause?.until === undefined) return pause;
  const leftSeconds = Math.ceil((Date.parse(pause.until) - nowMs) / 1000);
  if (leftSeconds <= 0) return undefined;
  return { ...pause, retryAfterSeconds: Math.min(pause.retryAfterSeconds, leftSeconds) };
}
