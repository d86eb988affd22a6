// The fixed windows of limits: aligned to UTC, and found from the time of the request alone.
import type { RATE_PERIODS } from '../settings/neuron-schema.ts';
import { parseDuration } from '../settings/scalars.ts';

/** Periods of rate limits and of usage limits. */
export type Period = (typeof RATE_PERIODS)[number] | 'day' | 'month';

/** A window in milliseconds since the Unix epoch; `endMs` belongs to the next one. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const DAY_MS = 86_400_000;

/** The window of a moment. `timeMs`: when API Gateway received the request; no function's clock takes part. */
export function windowAt(period: Period, timeMs: number): Window {
  if (period === 'month') return monthAt(timeMs);
  // Every period divides a day, and Unix days are UTC days: windows begin with the epoch's. What is no duration is `day`.
  const lengthMs = parseDuration(period) ?? DAY_MS;
  const startMs = Math.floor(timeMs / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}

function monthAt(timeMs: number): Window {
  const moment = new Date(timeMs);
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
}
