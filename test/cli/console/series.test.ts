// The sums that the charts of the console are drawn from.
import { describe, expect, it } from 'vitest';
import { chooseInterval, createSeries, type SeriesEntry } from '../../../cli/console/series.ts';
import { logEntry } from '../memory-ports.ts';

const FROM_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

function entry(changes: Partial<SeriesEntry>): SeriesEntry {
  return { ...logEntry(), timeMs: FROM_MS, costMicrodollars: 10, ...changes };
}

describe('a series', () => {
  it.each([
    [HOUR_MS, 60_000],
    [24 * HOUR_MS, 10 * 60_000],
    [7 * 24 * HOUR_MS, HOUR_MS],
    [400 * 24 * HOUR_MS, 24 * HOUR_MS],
  ])('of %i ms has intervals of %i ms', (lengthMs, intervalMs) => {
    expect(chooseInterval(lengthMs)).toBe(intervalMs);
  });

  it('puts each call into its interval, the first and the last included', () => {
    const series = createSeries(FROM_MS, FROM_MS + HOUR_MS);
    series.add(entry({ timeMs: FROM_MS }));
    series.add(entry({ timeMs: FROM_MS + HOUR_MS - 1, outcome: 'failed' }));
    const { points } = series.build();
    expect(points).toHaveLength(60);
    expect(points[0]).toMatchObject({ timeMs: FROM_MS, success: 1, failed: 0 });
    expect(points[59]).toMatchObject({ success: 0, failed: 1 });
  });

  it('counts each refusal that an entry stands for, and none of them as latency', () => {
    const series = createSeries(FROM_MS, FROM_MS + HOUR_MS);
    series.add(entry({ outcome: 'refused', count: 40, latencyMs: 1, code: 'rate_limited' }));
    series.add(entry({ latencyMs: 200 }));
    const { totals, codes } = series.build();
    expect(totals).toMatchObject({ requests: 41, refused: 40, p50Ms: 200, p99Ms: 200 });
    expect(codes).toMatchObject([{ name: 'rate_limited', requests: 40, p50Ms: null }]);
  });

  it('takes quantiles by nearest rank', () => {
    const series = createSeries(FROM_MS, FROM_MS + HOUR_MS);
    for (let latencyMs = 100; latencyMs >= 1; latencyMs -= 1) series.add(entry({ latencyMs }));
    expect(series.build().totals).toMatchObject({ p50Ms: 50, p99Ms: 99 });
  });

  it('keeps an unknown cost apart, and names keys by their names', () => {
    const series = createSeries(FROM_MS, FROM_MS + HOUR_MS);
    series.add(entry({ costMicrodollars: null, keyId: 'k1', keyName: 'web' }));
    series.add(entry({ keyId: 'k2', username: 'ann' }));
    expect(series.build()).toMatchObject({
      unknownCosts: 1,
      totals: { costMicrodollars: 10 },
      keys: [{ name: 'web' }, { name: 'k2' }],
      users: [{ name: 'ann' }],
      neurons: [{ name: 'hello', requests: 2 }],
    });
  });
});
