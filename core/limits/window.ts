// The fixed windows of limits, aligned to UTC.
import type { RATE_PERIODS } from '../settings/neuron-schema.ts';
import { parseDuration } from '../settings/scalars.ts';

/** The periods of rate limits, of usage limits and of limits of keys. */
export type LimitPeriod = (typeof RATE_PERIODS)[number] | 'minute' | 'day' | 'month';

/** In milliseconds since the Unix epoch. `startMs` is inclusive, `endMs` exclusive. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The window that contains `timeMs`, the time at which API Gateway received the request: functions agree on it whatever their clocks show. */
export function windowAt(period: LimitPeriod, timeMs: number): Window {
  if (period === 'month') return monthAt(timeMs);
  // Every period divides a day, and days of Unix time are UTC days, so windows are multiples since the epoch.
  const lengthMs = period === 'minute' ? MINUTE_MS : (parseDuration(period) ?? DAY_MS);
  const startMs = Math.floor(timeMs / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}

function monthAt(timeMs: number): Window {
  const moment = new Date(timeMs);
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
}
