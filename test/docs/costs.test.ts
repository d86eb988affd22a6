// The page of costs says what its script computes, and the idle bill is that of the template.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  between,
  costOfCalls,
  idleBill,
  metricsBill,
  renderCalls,
  renderSavings,
  savings,
} from '../../bench/costs.ts';
import { isPublished, METRICS, type MetricKey } from '../../core/contract/metrics.ts';
import { resourcesOf, synthesize } from '../lib/synthesized.ts';
import { ROOT } from '../source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/costs.md'), 'utf8');

describe('the page of costs', () => {
  it('has the table of its script', () => {
    expect(between(page, 'calls', renderCalls())).toBe(page);
    expect(between(page, 'savings', renderSavings())).toBe(page);
  });

  it('adds up: parts that were worked out by hand', () => {
    const rows = Object.fromEntries(
      costOfCalls().map(({ part, hit, model }) => [part, [hit.toFixed(2), model.toFixed(2)]]),
    );
    expect(rows).toMatchObject({
      'API Gateway': ['3.50', '3.50'],
      // 0.20 + 10,000 s × 0.0000133334
      authorizer: ['0.33', '0.33'],
      // 0.20 + 30,000 s and 2,000,000 s × 0.0000133334
      'execution function': ['0.60', '26.87'],
      limits: ['1.25', '1.25'],
      'log entry': ['1.88', '1.88'],
      // 2 × (3.25 + 2) and 2 × (3.25 + 3) units for 10: 1.05 and 1.25 million × 0.625, and 100,000 runs: 0.02 + 5,000 s × 0.0000133334
      usage: ['0.74', '0.87'],
      // 1.547 and 2.863 GB × 0.5
      'log lines': ['0.77', '1.43'],
      // 0.8 million units: 3 KiB of seal and a head for 10 entries, twice
      seals: ['0.50', '0.50'],
    });
    expect(savings().map(({ hit, model }) => [hit.toFixed(2), model.toFixed(2)])).toEqual([
      ['0.63', '0.63'],
      // Marks and rows 1.05 − 0.272 (1.25 − 0.322) million units, runs 75,000 × 0.87 millionths, seals 0.3 million units
      ['0.74', '0.83'],
      // 40,000 s and 2,010,000 s × 0.0000133334 ÷ 2
      ['0.27', '13.40'],
      // 45,000 traces × 0.000005
      ['0.23', '0.23'],
    ]);
  });

  it('counts the metrics that the functions publish and that of the access log', () => {
    const { api } = synthesize('prod');
    const published = Object.keys(METRICS).filter((key) => isPublished(key as MetricKey)).length;
    const all = published + resourcesOf(api, 'AWS::Logs::MetricFilter').length;
    expect(page).toContain(`up to ${all} metrics of its own`);
    expect(page).toContain(`${metricsBill(all).toFixed(2)} dollars a month`);
    expect(metricsBill(10)).toBe(0);
    expect(metricsBill(20)).toBeCloseTo(3);
  });

  it('counts the alarms and dashboards that production has', () => {
    const { api } = synthesize('prod');
    const metrics = resourcesOf(api, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
      Properties['Metrics'] === undefined
        ? [Properties]
        : (Properties['Metrics'] as Record<string, unknown>[]).filter((metric) => 'MetricStat' in metric),
    );
    const dashboards = resourcesOf(api, 'AWS::CloudWatch::Dashboard').length;
    expect(page).toContain(`| alarms: ${metrics.length} metrics`);
    expect(idleBill(metrics.length, dashboards, 1)).toEqual({
      alarms: expect.closeTo((metrics.length - 10) / 10),
      dashboards: 0,
      secrets: 0.8,
    });
  });
});
