// The periods of `neuron usage --period`.

import { InvalidArgumentError } from 'commander';
import { toIso } from '../../core/time/iso.ts';
import type { Days } from '../json/usage.ts';
import { usageFailure } from '../output/failure.ts';

/** The current month or day, or a named one. */
export type UsagePeriod = 'month' | 'day' | `${number}-${number}` | `${number}-${number}-${number}`;

export function parsePeriod(text: string): UsagePeriod {
  const isNamed = /^\d{4}-\d{2}(-\d{2})?$/.test(text) && isDate(text);
  if (text === 'month' || text === 'day' || isNamed) return text as UsagePeriod;
  throw new InvalidArgumentError(
    'It must be month, day, a month such as 2026-11, or a day such as 2026-11-21.',
  );
}

/** Throws for days to come: that nothing was used then would read like a finding. */
export function toDays(period: UsagePeriod, nowMs: number): Days {
  const days = daysOf(period, nowMs);
  if (Date.parse(days.fromDay) <= nowMs) return days;
  throw usageFailure(
    `The period ${period} begins in the future.`,
    'Pass a month or a day that has begun, by UTC, or leave --period out for the current month.',
  );
}

function daysOf(period: UsagePeriod, nowMs: number): Days {
  const today = toIso(nowMs);
  const named = period === 'month' ? today.slice(0, 7) : period === 'day' ? today.slice(0, 10) : period;
  if (named.length > 7) return { fromDay: named, toDay: named };
  const [year = 0, month = 0] = named.split('-').map(Number);
  // Day 0 of the next month is the last day of this one.
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { fromDay: `${named}-01`, toDay: `${named}-${String(last).padStart(2, '0')}` };
}

/** False for the 31st of a month with 30 days, which `Date` takes for the first of the next month. */
function isDate(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && toIso(time).startsWith(text);
}
