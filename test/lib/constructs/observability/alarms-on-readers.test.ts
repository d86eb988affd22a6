// Alarms on what runs behind the calls: the readers of the log's stream, the heads, and throttles of every function.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize, type Template } from '../../synthesized.ts';

const prod = synthesize('prod').api;
const alarmsIn = (template: Template) =>
  resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
const alarms = alarmsIn(prod);
const described = (start: string) =>
  alarms.find((alarm) => String(alarm['AlarmDescription']).startsWith(start))!;

describe('the alarms', () => {
  it('tell of what no longer runs by itself, also where no value comes any more, and say nothing before the first one', () => {
    const topicArn = 'arn:aws:sns:eu-central-1:111122223333:alerts';
    // A new alarm is in the state INSUFFICIENT_DATA, which it must enter to send: with `breaching` it would go off at once.
    for (const alarm of [described('The heads'), described('The rollup')])
      expect(alarm['TreatMissingData']).toBe('missing');
    const sent = alarmsIn(synthesize('prod', { alarms: { addresses: [], topicArn } }).api).filter(
      (alarm) => alarm['InsufficientDataActions'] !== undefined,
    );
    expect(sent.map((alarm) => String(alarm['AlarmDescription']).slice(0, 10)).toSorted()).toEqual([
      'The heads ',
      'The rollup',
    ]);
    for (const alarm of sent) expect(alarm['InsufficientDataActions']).toEqual([topicArn]);
  });

  it('count the hours in which heads were written', () => {
    const heads = described('The heads');
    expect(heads).toMatchObject({
      ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, EvaluationPeriods: 2 },
    });
    const metrics = JSON.stringify(heads['Metrics']);
    expect(metrics).toContain('"Expression":"FILL(runs, 0) - FILL(failures, 0)"');
    expect(metrics.match(/"Period":3600/g)).toHaveLength(2);
    expect(metrics).toMatch(/HeadWriterServiceFunction/);
    const without = resourcesOf(synthesize('prod', { logHeads: undefined }).api, 'AWS::CloudWatch::Alarm');
    expect(without).toHaveLength(alarms.length - 1);
  });

  it('watch that the rollup, which a schedule calls each minute, runs at all', () => {
    expect(described('The rollup')).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'Invocations', Statistic: 'Sum', Period: 300 },
      ...{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, EvaluationPeriods: 2 },
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^Rollup/) } }],
    });
  });

  it('tell of entries that Lambda gave up', () => {
    expect(described('Log entries were given up')).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'DroppedEventCount', Statistic: 'Sum', Threshold: 1 },
      Dimensions: [{ Name: 'EventSourceMappingUUID', Value: { Ref: expect.stringMatching(/LogStream/) } }],
    });
  });

  it('tell of spans that were lost, where the stage sends any', () => {
    const { api } = synthesize('prod', { traces: { endpoint: 'https://otlp.example.com/v1/traces' } });
    const filters = resourcesOf(api, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    expect(filters).toContainEqual(
      expect.objectContaining({
        FilterPattern: '{ $.neuronSpansLost = "*" }',
        LogGroupName: { Ref: expect.stringMatching(/^TracesServiceLogs/) },
        MetricTransformations: [
          expect.objectContaining({ MetricName: 'SpansLost-prod', MetricValue: '$.neuronSpansLost' }),
        ],
      }),
    );
    const lost = resourcesOf(api, 'AWS::CloudWatch::Alarm').find(([id]) => id.includes('SpansNotSent'));
    expect(lost?.[1].Properties).toMatchObject({ MetricName: 'SpansLost-prod', Threshold: 1 });
  });

  it('watch throttles of every function of the stage', () => {
    const traced = synthesize('prod', { traces: { endpoint: 'https://otlp.example.com/v1/traces' } }).api;
    const throttles = (template: typeof traced) => {
      const [, alarm] = resourcesOf(template, 'AWS::CloudWatch::Alarm').find(([id]) =>
        id.includes('FunctionThrottles'),
      )!;
      return [...JSON.stringify(alarm).matchAll(/"Ref":"([A-Z][a-z]+)[A-Z]/g)].map(([, name]) => name);
    };
    expect(throttles(prod)).toEqual(['Authorizer', 'Executor', 'Rollup', 'Rollout', 'Head']);
    expect(throttles(traced)).toEqual(['Authorizer', 'Executor', 'Rollup', 'Rollout', 'Head', 'Traces']);
  });
});
