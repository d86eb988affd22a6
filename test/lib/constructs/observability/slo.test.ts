// Burn-rate alarms: minutes of requests through the expressions of the template. Who is paged, and after how long; computed by hand.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../../synthesized.ts';
import { evaluateExpression, type Minute, whoIsPaged } from './alarm-evaluator.ts';

const topicArn = 'arn:aws:sns:eu-central-1:111122223333:alerts';
const { api } = synthesize('prod', {
  slo: { availability: 99.9, latencyP99: '500ms' },
  alarms: { addresses: [], topicArn },
});

const HOUR = 60;
const DAY = 24 * HOUR;

/** Minutes with as many requests, of which a share is bad. */
function of(count: number, total: number, share = 0): Minute[] {
  return Array.from({ length: count }, () => ({ total, bad: total * share }));
}

const paged = (minutes: Minute[], objective = 'ObjectivesAvailability') =>
  whoIsPaged(api, objective, minutes);

describe('an objective of 99.9 % availability', () => {
  it('pages within two minutes of an outage, and stops soon after it', () => {
    // 100 calls a minute: 1.44 % of the hour's 6,000 are 86.4 failures, and 1.44 % of five minutes' 500 are 7.2.
    const seen = paged([...of(6 * HOUR, 100), ...of(15, 100, 1), ...of(HOUR, 100)]);
    expect(seen['Fast']).toEqual({ after: 6 * HOUR + 1, until: 6 * HOUR + 15 + 5 });
    // 0.6 % of six hours' 36,000 are 216.
    expect(seen['Medium']?.after).toBe(6 * HOUR + 3);
    expect(seen).not.toHaveProperty('Slow');
  });

  it('pages for a tenth of the calls after nine minutes', () => {
    const seen = paged([...of(6 * HOUR, 100), ...of(HOUR, 100, 0.1)]);
    // 10 failures a minute until there are 86.4.
    expect(seen['Fast']?.after).toBe(6 * HOUR + 9);
  });

  it('pages nobody at once for 0.5 % all month, and says so within three days', () => {
    // Five times the budget: below 6 and 14.4. The oldest of three days has 0.1 % when a fifth of it is bad: after 2.2 days.
    const seen = paged([...of(3 * DAY, 1000), ...of(3 * DAY, 1000, 0.005)]);
    expect(Object.keys(seen)).toEqual(['Slow']);
    expect(seen['Slow']?.after).toBe(3 * DAY + 2.2 * DAY);
  });

  it('pages for 0.7 % before the day is over', () => {
    const seen = paged([...of(DAY, 1000), ...of(DAY, 1000, 0.007)]);
    // 0.6 % of six hours' 360,000 are 2,160, at 7 a minute: 308.6.
    expect(seen['Medium']?.after).toBe(DAY + 309);
    expect(seen).not.toHaveProperty('Fast');
  });

  it('pages nobody for a blip', () => {
    // 100 failures of the hour's 60,000: 0.17 %.
    expect(paged([...of(6 * HOUR, 1000), ...of(2, 1000, 0.05), ...of(6 * HOUR, 1000)])).toEqual({});
  });

  it('pages nobody for silence, before and after it', () => {
    expect(paged([...of(HOUR, 100), ...of(3 * DAY, 0), ...of(HOUR, 100)])).toEqual({});
  });

  it('pages nobody for some failures of a quiet night, and somebody for an outage', () => {
    // One call in six minutes, and one of them fails in an hour: 10 % of the hour.
    const quiet = Array.from({ length: 8 * HOUR }, (_, minute) => ({
      total: minute % 6 === 0 ? 1 : 0,
      bad: minute % HOUR === 0 ? 1 : 0,
    }));
    expect(paged(quiet)).toEqual({});
    // One call in two minutes, and all fail: ten failures after twenty minutes.
    const down = Array.from({ length: HOUR }, (_, minute) => {
      const calls = minute % 2 === 1 ? 1 : 0;
      return { total: calls, bad: calls };
    });
    expect(paged([...quiet, ...down])['Fast']?.after).toBe(8 * HOUR + 20);
  });
});

describe('an objective of 500 ms', () => {
  it('counts requests that took longer, of which one of a hundred may be', () => {
    const metrics = resourcesOf(api, 'AWS::CloudWatch::Alarm')
      .filter(([id]) => id.includes('ObjectivesOwnLatencyFastLong'))
      .flatMap(
        ([, { Properties }]) => Properties['Metrics'] as { Id: string; MetricStat?: { Stat: string } }[],
      );
    expect(metrics.find(({ Id }) => Id === 'bad')?.MetricStat?.Stat).toBe('TC(500:)');
    expect(metrics.find(({ Id }) => Id === 'total')?.MetricStat?.Stat).toBe('SampleCount');
    // 14.4 % of the hour: after nine minutes in which all are slow.
    const seen = paged([...of(HOUR, 100), ...of(HOUR, 100, 1)], 'ObjectivesOwnLatency');
    expect(seen['Fast']?.after).toBe(HOUR + 9);
  });
});

describe('the alarms of objectives', () => {
  it('send as composites alone, so that both windows must hold', () => {
    const composites = resourcesOf(api, 'AWS::CloudWatch::CompositeAlarm');
    expect(composites).toHaveLength(6);
    for (const [, { Properties }] of composites)
      expect(Properties).toMatchObject({ AlarmActions: [topicArn], OKActions: [topicArn] });
    const parts = resourcesOf(api, 'AWS::CloudWatch::Alarm').filter(([id]) => id.includes('Objectives'));
    expect(parts).toHaveLength(12);
    for (const [, { Properties }] of parts) expect(Properties['AlarmActions']).toBeUndefined();
  });

  it('keep to the windows that CloudWatch has: a week of hours, a day of less', () => {
    for (const [id, { Properties }] of resourcesOf(api, 'AWS::CloudWatch::Alarm')) {
      if (!id.includes('Objectives')) continue;
      const [{ MetricStat }] = (Properties['Metrics'] as { MetricStat?: { Period: number } }[]).filter(
        (metric) => metric.MetricStat !== undefined,
      ) as [{ MetricStat: { Period: number } }];
      const seconds = MetricStat.Period * Number(Properties['EvaluationPeriods']);
      expect([id, MetricStat.Period <= 86_400]).toEqual([id, true]);
      expect([id, seconds <= (MetricStat.Period >= 3600 ? 604_800 : 86_400)]).toEqual([id, true]);
    }
  });

  it('are absent without the setting', () => {
    expect(resourcesOf(synthesize('prod').api, 'AWS::CloudWatch::CompositeAlarm')).toEqual([]);
  });
});

describe('the evaluator', () => {
  it.each<[string, Record<string, number | undefined>, number | undefined]>([
    ['1 + 2 * 3', {}, 7],
    ['(1 + 2) * 3', {}, 9],
    ['IF(bad >= 10, bad / total / 0.001, 0)', { bad: 9, total: 10 }, 0],
    ['IF(bad >= 10, bad / total / 0.001, 0)', { bad: 10, total: 1000 }, 10],
    ['IF(bad >= 10, bad / total / 0.001, 0)', { bad: undefined, total: undefined }, undefined],
    ['bad / total', { bad: 1, total: 0 }, undefined],
  ])('reads %s with %j', (text, values, expected) => {
    const found = evaluateExpression(text, values);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(expected);
  });

  it('refuses what it does not know', () => {
    expect(() => evaluateExpression('RATE(bad)', { bad: 1 })).toThrow();
    expect(() => evaluateExpression('bad & total', { bad: 1, total: 1 })).toThrow('cannot read');
  });
});
