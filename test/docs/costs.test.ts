// The page of costs says what its script computes, and the idle bill is that of the template.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { between, costOfCalls, savings, TABLES, THROTTLES } from '../../bench/costs.ts';
import { isPublished, METRICS, type MetricKey } from '../../core/contract/metrics.ts';
import { GATHERING_SECONDS, MARK_SLOT_SECONDS, MAX_BATCH } from '../../core/pricing/call-assumptions.ts';
import {
  DEFAULT_SAMPLING,
  PROD_SAMPLING,
  priceOfCall,
  tracedShare,
} from '../../core/pricing/infrastructure-cost.ts';
import { idleBill, metricsBill } from '../../core/pricing/infrastructure-prices.ts';
import { PROD_ALARM_METRICS, PROD_METRICS } from '../../core/pricing/monthly-estimate.ts';
import { SLOT_SECONDS } from '../../core/usage/mark.ts';
import { resourcesOf, synthesize } from '../lib/synthesized.ts';
import { ROOT } from '../source-tree.ts';

const page = readFileSync(join(ROOT, 'docs/costs.md'), 'utf8');

describe('the page of costs', () => {
  it.each(Object.entries(TABLES))('has the table %s of its script', (name, render) => {
    expect(between(page, name, render())).toBe(page);
  });

  it('says in its text what the tables say', () => {
    const rows = costOfCalls();
    const total = rows.reduce((sum, { hit }) => sum + hit, 0).toFixed(2);
    expect(page.replaceAll('\n', ' ')).toContain(`**this is ${total}**`);
    const ours = rows.find(({ part }) => part === 'traces')?.hit ?? Number.NaN;
    const byDefault = tracedShare(0.4, DEFAULT_SAMPLING) * 5;
    expect(page.replaceAll(/\s+/g, ' ')).toContain(
      `it would be ${(Number(total) + byDefault - ours).toFixed(2)}`,
    );
    const hitOf = (calls: string) =>
      new RegExp(`^\\| ${calls} \\|(?:[^|\\n]*\\|){2} ([\\d.]+) \\|`, 'm').exec(page)?.[1];
    const [few, busy] = [hitOf('1 million'), hitOf('50 million')];
    expect(page.replaceAll(/\s+/g, ' ')).toContain(
      `from ${few} for a million a month that come evenly to ${busy} for 50 million`,
    );
  });

  it('traces the first call of each second and 5 % of the others by the rule of X-Ray, 1 % of all by that of prod', () => {
    // By hand: (1 − e^−0.4) / 0.4 = 0.8242; 0.8242 + 0.05 × 0.1758 = 0.8330. At 40 a second 0.025 + 0.05 × 0.975 = 0.0738.
    expect(tracedShare(0.4, DEFAULT_SAMPLING)).toBeCloseTo(0.833, 3);
    expect(tracedShare(40, DEFAULT_SAMPLING)).toBeCloseTo(0.07375, 4);
    expect(tracedShare(0, DEFAULT_SAMPLING)).toBe(1);
    expect([0, 0.4, 40].map((rate) => tracedShare(rate))).toEqual([0.01, 0.01, 0.01]);
    // A simulation: calls at random moments, the first of each second taken.
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const calls = 40_000;
    const seconds = new Set<number>();
    for (let at = 0, made = 0; made < calls; made += 1) {
      at -= Math.log(random()) / 0.4;
      seconds.add(Math.floor(at));
    }
    const first = seconds.size / calls;
    expect(tracedShare(0.4, DEFAULT_SAMPLING)).toBeCloseTo(first + 0.05 * (1 - first), 2);
  });

  it('has the slots of marks and the throttles as they are deployed', () => {
    expect(MARK_SLOT_SECONDS).toBe(SLOT_SECONDS);
    const mappings = resourcesOf(synthesize('prod').api, 'AWS::Lambda::EventSourceMapping');
    expect(mappings.map(([, { Properties }]) => Properties)).toMatchObject([
      { BatchSize: MAX_BATCH, MaximumBatchingWindowInSeconds: GATHERING_SECONDS },
    ]);
    expect(resourcesOf(synthesize('dev').api, 'AWS::XRay::SamplingRule')).toEqual([]);
    const rules = resourcesOf(synthesize('prod').api, 'AWS::XRay::SamplingRule');
    expect(rules.map(([, { Properties }]) => Properties['SamplingRule'])).toMatchObject([
      {
        FixedRate: PROD_SAMPLING.rate,
        ReservoirSize: PROD_SAMPLING.perSecond,
        ServiceName: 'neuron-prod/prod',
      },
    ]);
    for (const stage of ['dev', 'prod'] as const) {
      const stages = resourcesOf(synthesize(stage).api, 'AWS::ApiGateway::Stage');
      const methods = stages.map(([, { Properties }]) => Properties['MethodSettings']);
      expect(methods).toMatchObject([[{ ThrottlingRateLimit: THROTTLES[stage] }]]);
    }
  });

  it('prices a call by its parts, in nanodollars', () => {
    const call = {
      ...{ isHit: true, milliseconds: 30, memoryMegabytes: 1_024 },
      ...{ limitWrites: 1, limitReads: 0, callsPerSecond: 1e9, entriesPerBatch: 10 },
    };
    // 3500 API + 2 × 200 runs + 40 ms × 13.3334 + 1.5 reads × 125 + 625 limit + 1875 entry + usage 14.5 ÷ 10 × 625 × … by the rows above:
    const parts =
      3_500 + 400 + 533.336 + 187.5 + 625 + 1_875 + (14.5 * 625 + 200 + 666.67) / 10 + 500 + 790.5 + 50;
    expect(priceOfCall(call)).toBeCloseTo(parts, 0);
    expect(priceOfCall({ ...call, limitWrites: 0, limitReads: 1 })).toBeCloseTo(parts - 625 + 125, 0);
    expect(priceOfCall({ ...call, isHit: false }) - priceOfCall(call)).toBeCloseTo(
      2 * 625 + 2 * 62.5 + 1_350 * 0.5,
      0,
    );
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
      // A strongly consistent read; two writes.
      limits: ['0.13', '1.25'],
      // Half a read; and two writes.
      'exact cache': ['0.06', '1.31'],
      traces: ['0.05', '0.05'],
      'log entry': ['1.88', '1.88'],
      // 2 × (3.25 + 4) and 2 × (3.25 + 5) units for 10: 1.45 and 1.65 million × 0.625, and 100,000 runs: 0.02 + 5,000 s × 0.0000133334
      usage: ['0.99', '1.12'],
      // 1.581 and 2.931 GB × 0.5
      'log lines': ['0.79', '1.47'],
      // 0.8 million units: 3 KiB of seal and a head for 10 entries, twice
      seals: ['0.50', '0.50'],
    });
    expect(savings().map(({ hit, model }) => [hit.toFixed(2), model.toFixed(2)])).toEqual([
      // A read less and a write more; a write less
      ['-0.50', '0.63'],
      // Marks and rows 1.45 − 0.372 (1.65 − 0.422) million units, runs 75,000 × 0.87 millionths, seals 0.25 million units
      ['0.90', '0.99'],
      // 40,000 s and 2,010,000 s × 0.0000133334 ÷ 2
      ['0.27', '13.40'],
      // 10,000 traces × 0.000005
      ['0.05', '0.05'],
    ]);
  });

  it('counts the metrics that the functions publish and that of the access log', () => {
    const { api } = synthesize('prod');
    const published = Object.keys(METRICS).filter((key) => isPublished(key as MetricKey)).length;
    const all = published + resourcesOf(api, 'AWS::Logs::MetricFilter').length;
    expect(page).toContain(`up to ${all} metrics of its own`);
    expect(all).toBe(PROD_METRICS);
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
    expect(metrics.length).toBe(PROD_ALARM_METRICS);
    const dashboards = resourcesOf(api, 'AWS::CloudWatch::Dashboard').length;
    expect(page).toContain(`| alarms: ${metrics.length} metrics`);
    expect(idleBill(metrics.length, dashboards, 1)).toEqual({
      alarms: expect.closeTo((metrics.length - 10) / 10),
      dashboards: 0,
      secrets: 0.4,
    });
  });
});
