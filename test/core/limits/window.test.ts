// Windows are aligned to UTC and follow each other without a gap.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LimitPeriod, windowAt } from '../../../core/limits/window.ts';
import { RATE_PERIODS } from '../../../core/settings/neuron-schema.ts';

const PERIODS: readonly LimitPeriod[] = [...RATE_PERIODS, 'day', 'month'];

function windowOf(period: LimitPeriod, time: string): [string, string] {
  const { startMs, endMs } = windowAt(period, Date.parse(time));
  return [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
}

describe('a window', () => {
  it.each([
    ['1s', '2026-11-21T12:34:56.789Z', '2026-11-21T12:34:56.000Z', '2026-11-21T12:34:57.000Z'],
    ['10s', '2026-11-21T12:34:56.789Z', '2026-11-21T12:34:50.000Z', '2026-11-21T12:35:00.000Z'],
    ['30s', '2026-11-21T12:34:29.999Z', '2026-11-21T12:34:00.000Z', '2026-11-21T12:34:30.000Z'],
    ['1m', '2026-11-21T12:34:56.789Z', '2026-11-21T12:34:00.000Z', '2026-11-21T12:35:00.000Z'],
    ['5m', '2026-11-21T12:34:56.789Z', '2026-11-21T12:30:00.000Z', '2026-11-21T12:35:00.000Z'],
    ['10m', '2026-11-21T12:34:56.789Z', '2026-11-21T12:30:00.000Z', '2026-11-21T12:40:00.000Z'],
    ['15m', '2026-11-21T12:34:56.789Z', '2026-11-21T12:30:00.000Z', '2026-11-21T12:45:00.000Z'],
    ['30m', '2026-11-21T12:34:56.789Z', '2026-11-21T12:30:00.000Z', '2026-11-21T13:00:00.000Z'],
    ['1h', '2026-11-21T12:34:56.789Z', '2026-11-21T12:00:00.000Z', '2026-11-21T13:00:00.000Z'],
    ['6h', '2026-11-21T12:34:56.789Z', '2026-11-21T12:00:00.000Z', '2026-11-21T18:00:00.000Z'],
    ['12h', '2026-11-21T11:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-21T12:00:00.000Z'],
    ['1d', '2026-11-21T12:34:56.789Z', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    ['day', '2026-11-21T23:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    ['month', '2026-11-21T12:34:56.789Z', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['month', '2028-02-29T00:00:00.000Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ] as const)('of %s at %s is from %s to %s', (period, time, start, end) => {
    expect(windowOf(period, time)).toEqual([start, end]);
  });

  it('includes its start and excludes its end', () => {
    expect(windowOf('1m', '2026-11-21T12:35:00.000Z')[0]).toBe('2026-11-21T12:35:00.000Z');
    expect(windowOf('1m', '2026-11-21T12:34:59.999Z')[1]).toBe('2026-11-21T12:35:00.000Z');
  });

  it('contains its moment, and ends where the next one starts', () => {
    const times = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), times, (period, timeMs) => {
        const { startMs, endMs } = windowAt(period, timeMs);
        expect(startMs <= timeMs && timeMs < endMs).toBe(true);
        expect(windowAt(period, endMs).startMs).toBe(endMs);
        expect(windowAt(period, endMs - 1)).toEqual({ startMs, endMs });
      }),
    );
  });
});
