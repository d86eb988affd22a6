// Tests of schedule expressions, on examples of the EventBridge Scheduler User Guide.
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../events/schedule-expression.ts';

const START = Date.parse('2026-03-01T10:00:00Z');

function next(expression: string, after: string, timeZone?: string): string | undefined {
  const time = parseSchedule(expression, START, timeZone)(Date.parse(after));
  return time === undefined ? undefined : new Date(time).toISOString();
}

describe('parseSchedule', () => {
  it.each([
    ['rate(5 minutes)', '2026-03-01T10:00:00Z', '2026-03-01T10:05:00.000Z'],
    ['rate(1 minute)', '2026-03-01T10:07:30Z', '2026-03-01T10:08:00.000Z'],
    ['rate(2 hours)', '2026-03-01T13:00:00Z', '2026-03-01T14:00:00.000Z'],
    ['rate(1 day)', '2026-03-01T10:00:00Z', '2026-03-02T10:00:00.000Z'],
    ['cron(0 10 * * ? *)', '2026-03-01T09:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['cron(0 10 * * ? *)', '2026-03-01T10:00:00Z', '2026-03-02T10:00:00.000Z'],
    ['cron(15 12 * * ? *)', '2026-03-01T12:14:59Z', '2026-03-01T12:15:00.000Z'],
    // 1 March 2026 is a Sunday.
    ['cron(0 18 ? * MON-FRI *)', '2026-03-01T00:00:00Z', '2026-03-02T18:00:00.000Z'],
    ['cron(0 8 1 * ? *)', '2026-03-01T09:00:00Z', '2026-04-01T08:00:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-03-01T10:16:00Z', '2026-03-01T10:30:00.000Z'],
    ['cron(0/10 * ? * MON-FRI *)', '2026-02-28T23:59:00Z', '2026-03-02T00:00:00.000Z'],
    ['cron(0 0 1 JAN ? *)', '2026-03-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['cron(0 6,18 ? * 1 *)', '2026-03-01T07:00:00Z', '2026-03-01T18:00:00.000Z'],
    ['at(2026-03-05T08:30:00)', '2026-03-01T00:00:00Z', '2026-03-05T08:30:00.000Z'],
  ])('%s after %s comes at %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected);
  });

  it('reads the clock of the time zone, also over a change of clocks', () => {
    // Berlin is an hour ahead of UTC until 29 March 2026, then two.
    expect(next('cron(0 9 * * ? *)', '2026-03-28T00:00:00Z', 'Europe/Berlin')).toBe(
      '2026-03-28T08:00:00.000Z',
    );
    expect(next('cron(0 9 * * ? *)', '2026-03-29T00:00:00Z', 'Europe/Berlin')).toBe(
      '2026-03-29T07:00:00.000Z',
    );
    expect(next('at(2026-07-01T12:00:00)', '2026-03-01T00:00:00Z', 'America/New_York')).toBe(
      '2026-07-01T16:00:00.000Z',
    );
  });

  it('has no next time when all are over', () => {
    expect(next('at(2026-02-01T00:00:00)', '2026-03-01T00:00:00Z')).toBeUndefined();
    expect(next('cron(0 0 1 1 ? 2020)', '2026-03-01T00:00:00Z')).toBeUndefined();
  });

  it.each([
    'every(5 minutes)',
    'rate(0 minutes)',
    'rate(5 weeks)',
    'cron(0 10 * * ?)',
    'cron(61 10 * * ? *)',
    'cron(0 10 L * ? *)',
    'cron(0/0 10 * * ? *)',
    'at(tomorrow)',
  ])('refuses %s', (expression) => {
    expect(() => parseSchedule(expression, START)).toThrow();
  });
});
