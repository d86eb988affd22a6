// Parses AWS's schedule expressions: rate(…), cron(…) and at(…). Cron libraries do not fit: AWS's dialect has six fields with a year,
// weekdays from 1 (Sunday) and `?`, and rate and at are its own.

/** Gives the next time after a moment, both in milliseconds since 1970; undefined when there is none any more. */
export type NextTime = (after: number) => number | undefined;

const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * Parses an expression (EventBridge Scheduler User Guide, "Schedule types").
 * @param start when a rate begins, in milliseconds since 1970
 * @param timeZone IANA name
 * @throws Error for what is not supported, such as `L`, `W` and `#` in cron expressions
 */
export function parseSchedule(expression: string, start: number, timeZone = 'UTC'): NextTime {
  const [, kind, inner = ''] = /^(rate|cron|at)\((.+)\)$/.exec(expression.trim()) ?? [];
  if (kind === 'rate') return parseRate(inner, start);
  if (kind === 'cron') return parseCron(inner, timeZone);
  if (kind === 'at') return parseAt(inner, timeZone);
  throw new Error(`the schedule ${expression} is not supported`);
}

function parseRate(text: string, start: number): NextTime {
  const [, value, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(text.trim()) ?? [];
  const period = Number(value) * (UNITS[unit] ?? 0);
  if (!(period > 0)) throw new Error(`the rate ${text} is not supported`);
  return (after) => start + (Math.floor((after - start) / period) + 1) * period;
}

function parseAt(text: string, timeZone: string): NextTime {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) throw new Error(`the time ${text} is not supported`);
  const asUtc = Date.parse(`${text}Z`);
  // The distance of the zone is taken at the time itself; the one hour of a change of clocks is not worth more.
  const time = asUtc - (wallClock(asUtc, timeZone).asUtc - asUtc);
  return (after) => (time > after ? time : undefined);
}

function parseCron(text: string, timeZone: string): NextTime {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 6) throw new Error(`cron(${text}) needs six fields`);
  const [minutes, hours, days, months, weekdays, years] = [
    parseField(fields[0], 0, 59),
    parseField(fields[1], 0, 23),
    parseField(fields[2], 1, 31),
    parseField(fields[3], 1, 12, MONTHS, 1),
    parseField(fields[4], 1, 7, DAYS, 1),
    parseField(fields[5], 1970, 2199),
  ];
  const passes = (time: WallClock) =>
    minutes(time.minute) &&
    hours(time.hour) &&
    days(time.day) &&
    months(time.month) &&
    weekdays(time.weekday) &&
    years(time.year);
  return (after) => findMinute(after, timeZone, passes, (time) => months(time.month) && years(time.year));
}

// Minute by minute, a day at a time where month or year do not fit, and a year and a leap day at most.
function findMinute(
  after: number,
  timeZone: string,
  passes: (time: WallClock) => boolean,
  mayPass: (time: WallClock) => boolean,
): number | undefined {
  const minute = UNITS['minute'] ?? 0;
  const end = after + 366 * 86_400_000;
  let time = (Math.floor(after / minute) + 1) * minute;
  while (time < end) {
    const clock = wallClock(time, timeZone);
    if (passes(clock)) return time;
    time += mayPass(clock) ? minute : (24 - clock.hour) * 3_600_000 - clock.minute * minute;
  }
  return undefined;
}

interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** Sunday is 1. */
  readonly weekday: number;
  /** The same wall clock, taken as UTC. */
  readonly asUtc: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(time: number, timeZone: string): WallClock {
  let asUtc = time;
  if (timeZone !== 'UTC' && timeZone !== 'Etc/UTC') {
    const format =
      formats.get(timeZone) ??
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
    asUtc = Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
  }
  const date = new Date(asUtc);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: date.getUTCDay() + 1,
    asUtc,
  };
}

// `*`, `?`, numbers, names, ranges, lists and steps.
function parseField(
  field = '',
  least: number,
  most: number,
  names: readonly string[] = [],
  firstName = 0,
): (value: number) => boolean {
  const toNumber = (text: string): number => {
    const name = names.indexOf(text.toUpperCase());
    const number = name >= 0 ? name + firstName : Number(text);
    if (text !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
    throw new Error(`${field} is not supported in a cron expression`);
  };
  const allowed = field.split(',').map((part) => {
    const [range = '', step] = part.split('/');
    const [first, last] = range.split('-');
    const isAll = range === '*' || range === '?';
    const from = isAll ? least : toNumber(first ?? '');
    const open = isAll || step !== undefined;
    const to = last !== undefined ? toNumber(last) : open ? most : from;
    const by = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(by) || by < 1) throw new Error(`${field} has no usable step`);
    return (value: number) => value >= from && value <= to && (value - from) % by === 0;
  });
  return (value) => allowed.some((passes) => passes(value));
}
