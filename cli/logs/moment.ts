// Parses times as people write them, in UTC: 1h, 2 weeks ago, yesterday, monday, 2026-11, 2026-11-20, 14:30, yesterday 14:30.

import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../core/settings/scalars.ts';
import { toIso } from '../../core/time/iso.ts';

/** A point in time, or a whole day or month. Its milliseconds since the Unix epoch depend on the present time. */
export interface Moment {
  readonly begin: (nowMs: number) => number;
  /** For a day or a month the start of the next one, so that a range up to a day includes it; else the same as `begin`. */
  readonly end: (nowMs: number) => number;
  /** The place of an archive that was passed instead of a time; `begin` and `end` then throw. */
  readonly place?: string;
}

const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  w: 7 * DAY_MS,
};
const LENGTH = /^([1-9]\d{0,4}) ?(?:(w)|(second|minute|hour|day|week)s?)$/i;
const MONTH = /^(\d{4})-(\d{2})$/;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY = `today|yesterday|${WEEKDAYS.join('|')}|\\d{4}-\\d{2}-\\d{2}`;
const TIME = '\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?';
const PATTERN = new RegExp(`^(?:(${DAY})(?:[ tT](${TIME})(z|Z|[+-]\\d{2}:\\d{2})?)?|(${TIME}))$`, 'i');
const HINT =
  'It must be a time such as 1h, 2 weeks ago, yesterday, monday, 14:30, 2026-11, 2026-11-21 or 2026-11-21T08:00:00Z.';

/** A length of time in milliseconds: `1h` as in settings, `2w`, `2 weeks`; undefined for anything else. */
export function parseLength(text: string): number | undefined {
  const [, number, short, unit = short ?? ''] = LENGTH.exec(text) ?? [];
  return number === undefined ? parseDuration(text) : Number(number) * (UNITS_MS[unit.toLowerCase()] ?? 0);
}

/** A duration is that long ago, a time without a day is today's, a time without an offset is in UTC. */
export function parseMoment(text: string): Moment {
  const moment = findMoment(text.trim());
  // Whether a date exists does not depend on the present time.
  if (moment === undefined || Number.isNaN(moment.begin(0))) throw new InvalidArgumentError(HINT);
  return moment;
}

function findMoment(text: string): Moment | undefined {
  if (text.toLowerCase() === 'now') return instant((nowMs) => nowMs);
  const agoMs = parseLength(text.replace(/ ago$/i, ''));
  if (agoMs !== undefined) return instant((nowMs) => nowMs - agoMs);
  const [, year, month] = MONTH.exec(text) ?? [];
  if (year !== undefined) return toMonth(Number(year), Number(month));
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [, day = 'today', time, offset, timeAlone] = match;
  const begin = (nowMs: number) => dayBegin(day.toLowerCase(), nowMs);
  const clockTime = time ?? timeAlone;
  if (clockTime === undefined) return { begin, end: (nowMs) => begin(nowMs) + DAY_MS };
  const withinMs = Date.parse(`1970-01-01T${clockTime}${offset?.toUpperCase() ?? 'Z'}`);
  return instant((nowMs) => begin(nowMs) + withinMs);
}

/** NaN for a month that no year has. */
function toMonth(year: number, month: number): Moment {
  const at = (months: number) => (month < 1 || month > 12 ? Number.NaN : Date.UTC(year, months));
  return { begin: () => at(month - 1), end: () => at(month) };
}

function instant(at: (nowMs: number) => number): Moment {
  return { begin: at, end: at };
}

/** Midnight of a day. A weekday is today or the latest one before. NaN for a date that does not exist. */
function dayBegin(day: string, nowMs: number): number {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  if (day === 'today') return today;
  if (day === 'yesterday') return today - DAY_MS;
  const weekday = WEEKDAYS.indexOf(day);
  if (weekday !== -1) return today - ((new Date(today).getUTCDay() - weekday + 7) % 7) * DAY_MS;
  const ms = Date.parse(`${day}T00:00:00Z`);
  // `Date.parse` takes some dates that do not exist for days of the next month.
  return Number.isNaN(ms) || toIso(ms).slice(0, 10) !== day ? Number.NaN : ms;
}
