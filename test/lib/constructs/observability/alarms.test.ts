// Alarms and dashboard: what they watch, whom they tell, and where they send whoever is told.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPublished, METRICS, type MetricKey } from '../../../../core/contract/metrics.ts';
import type { StageSettings } from '../../../../lib/config/config.ts';
import { onlyResource, resourcesOf, synthesize } from '../../synthesized.ts';

const alarmsOf = (alarms: StageSettings['alarms']) =>
  resourcesOf(synthesize('prod', { alarms }).api, 'AWS::CloudWatch::Alarm').map(
    ([, { Properties }]) => Properties,
  );

const prod = synthesize('prod').api;
const alarms = resourcesOf(prod, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
const described = (start: string) =>
  alarms.find((alarm) => String(alarm['AlarmDescription']).startsWith(start))!;

/** What a schedule calls. */
const RUN_BY_THEMSELVES = () => [described('The heads'), described('The rollup')];

/** As GitHub makes them of headings. */
function anchorsOf(file: string): string[] {
  return [
    ...readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8').matchAll(/^#+ (.+)$/gm),
  ].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the alarms', () => {
  it('each link to a section of their own in the runbook', () => {
    const links = alarms.map((alarm) => /What to do: (\S+)#(\S+)$/.exec(String(alarm['AlarmDescription'])));
    const sections = links.map((link) => link?.[2]);
    expect(new Set(links.map((link) => link?.[1]))).toEqual(new Set(['docs/operations.md']));
    expect(sections.filter((section) => !anchorsOf('docs/operations.md').includes(section!))).toEqual([]);
    expect(sections.toSorted()).toEqual([
      'authorizer-faults',
      'function-throttles',
      'guards-unavailable',
      'heads-not-written',
      'index-throttles',
      'latency',
      'log-losses',
      'provider-errors',
      'rollout-stopped',
      'rollouts-not-watched',
      'rollup-not-running',
      'server-errors',
      'spending',
      'table-throttles',
      'throttled',
      'unavailable',
      'usage-late',
      'usage-not-counted',
    ]);
  });

  it('stay OK while there are no calls', () => {
    for (const alarm of alarms.filter((one) => !RUN_BY_THEMSELVES().includes(one)))
      expect(alarm['TreatMissingData']).toBe('notBreaching');
  });

  it('count authorizer faults, not the Lambda errors behind its 401s', () => {
    expect(described('The authorizer')).toMatchObject({
      Namespace: 'NeuronExecutionService',
      MetricName: 'AuthorizerFaults',
      Dimensions: [{ Name: 'Stage', Value: 'prod' }],
    });
    const own = ['The heads', 'Rollouts are not watched'].map((summary) => described(summary));
    const others = alarms.filter((one) => !own.includes(one));
    expect(JSON.stringify(others)).not.toContain('"MetricName":"Errors"');
  });

  it('tell a 503 from other errors by the access log', () => {
    const filters = resourcesOf(prod, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const [rollouts] = filters.splice(2);
    expect(rollouts).toMatchObject({
      FilterPattern: '{ $.neuronRolloutStopped = "*" }',
      MetricTransformations: [{ MetricName: 'RolloutsStopped-prod', MetricValue: '$.neuronRolloutStopped' }],
    });
    expect(filters).toMatchObject([
      {
        FilterPattern: '{ $.status = "503" }',
        MetricTransformations: [
          { MetricName: 'Answers503-prod', MetricNamespace: 'NeuronExecutionService', MetricValue: '1' },
        ],
      },
      {
        FilterPattern: '{ $.responseType = "THROTTLED" }',
        MetricTransformations: [{ MetricName: 'Throttled-prod', MetricValue: '1' }],
      },
    ]);
    expect(JSON.stringify(described('API Gateway turns callers away'))).toContain(
      '"MetricName":"Throttled-prod"',
    );
    expect(JSON.stringify(described('Too many responses are 503'))).toContain(
      '"MetricName":"Answers503-prod"',
    );
  });

  it('cover the tables that a call or the rollup reads or writes', () => {
    const [total, ...metrics] = described('DynamoDB throttles reads')['Metrics'] as object[];
    expect(total).toMatchObject({ ReturnData: true });
    const watched = metrics.map((metric) => {
      const text = JSON.stringify(metric);
      return `${/Ref([A-Z][a-z]+)Table/.exec(text)?.[1]} ${/"MetricName":"(\w+)ThrottleEvents"/.exec(text)?.[1]}`;
    });
    expect(watched).toEqual([
      'Config Read',
      'Keys Read',
      'Counters Read',
      'Cache Read',
      'Counters Write',
      'Cache Write',
      'Logs Write',
      'Usage Write',
    ]);
  });

  it('cover every index, whose throttles the metrics of its table leave out', () => {
    const [total, ...metrics] = described('DynamoDB throttles writes of an index')['Metrics'] as object[];
    expect(total).toMatchObject({ ReturnData: true });
    const watched = metrics.map((metric) => {
      const { MetricName, Dimensions } = (metric as { MetricStat: { Metric: Record<string, unknown> } })
        .MetricStat.Metric;
      const [index, table] = Dimensions as { Name: string; Value: unknown }[];
      expect([MetricName, index?.Name, table?.Name]).toEqual([
        'WriteThrottleEvents',
        'GlobalSecondaryIndexName',
        'TableName',
      ]);
      return `${/Ref([A-Z][a-z]+)Table/.exec(JSON.stringify(table))?.[1]} ${String(index?.Value)}`;
    });
    expect(watched).toEqual([
      'Keys byOrganization1',
      'Logs byOrganization1',
      'Logs byUsername1',
      'Logs byFailure1',
      'Logs byExecution1',
    ]);
  });

  it('have at most the ten metrics that an alarm on an expression may have', () => {
    for (const alarm of alarms)
      expect((alarm['Metrics'] as object[] | undefined)?.length ?? 1).toBeLessThan(12);
  });

  it('report late usage by the iterator age of the rollup, long before its records expire', () => {
    const { MaximumRecordAgeInSeconds } = onlyResource(prod, 'AWS::Lambda::EventSourceMapping').Properties;
    expect(described('The usage is more')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'IteratorAge',
      Statistic: 'Maximum',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^Rollup/) } }],
      Threshold: 3_600_000,
    });
    expect(MaximumRecordAgeInSeconds).toBeGreaterThan(2 * 3600);
  });

  it('take their thresholds from the stage settings', () => {
    const own = alarmsOf({
      addresses: [],
      serverErrorPercent: 2,
      unavailablePercent: 3,
      latencyP99: '12s',
      providerErrors: 7,
      dailySpending: 1.5,
    });
    expect(own.map((alarm) => alarm['Threshold'])).toEqual([
      2, 3, 1, 12_000, 5, 1, 1, 1, 1, 1, 1, 3_600_000, 5, 7, 1_500_000, 1, 1, 3,
    ]);
  });

  it('notify the addresses of the stage over TLS, of alarm and recovery', () => {
    const { api } = synthesize('prod', { alarms: { addresses: ['team@example.com', 'night@example.com'] } });
    const [[topic]] = resourcesOf(api, 'AWS::SNS::Topic') as [[string, unknown]];
    const subscriptions = resourcesOf(api, 'AWS::SNS::Subscription').map(([, { Properties }]) => Properties);
    expect(subscriptions).toEqual([
      { Endpoint: 'team@example.com', Protocol: 'email', TopicArn: { Ref: topic } },
      { Endpoint: 'night@example.com', Protocol: 'email', TopicArn: { Ref: topic } },
    ]);
    for (const [, { Properties }] of resourcesOf(api, 'AWS::CloudWatch::Alarm')) {
      expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
    }
    expect(JSON.stringify(onlyResource(api, 'AWS::SNS::TopicPolicy'))).toContain(
      '"aws:SecureTransport":"false"',
    );
  });

  it('may publish to the topic of the stage, whose policy replaces the default one of SNS', () => {
    const { api } = synthesize('prod', { alarms: { addresses: ['team@example.com'] } });
    const [[topic]] = resourcesOf(api, 'AWS::SNS::Topic') as [[string, unknown]];
    const { PolicyDocument } = onlyResource(api, 'AWS::SNS::TopicPolicy').Properties as {
      readonly PolicyDocument: { readonly Statement: readonly Record<string, unknown>[] };
    };
    expect(PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      {
        Sid: 'PublishAlarms',
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Resource: { Ref: topic },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  it('notify an existing topic, and nobody where the stage names nobody', () => {
    const topicArn = 'arn:aws:sns:eu-central-1:111122223333:alerts';
    for (const alarm of alarmsOf({ addresses: [], topicArn }))
      expect(alarm['AlarmActions']).toEqual([topicArn]);
    for (const alarm of alarms) expect(alarm['AlarmActions']).toBeUndefined();
  });

  it('are absent without the stage setting', () => {
    const { api } = synthesize('dev');
    expect(
      Object.values(api.Resources).filter(({ Type }) => /CloudWatch|SNS|MetricFilter/.test(Type)),
    ).toEqual([]);
  });
});

describe('the metrics of the service', () => {
  it('are published for an alarm or the dashboard, and else only written into the lines', () => {
    const dashboard = onlyResource(prod, 'AWS::CloudWatch::Dashboard').Properties;
    const text = JSON.stringify([alarms, dashboard]).replaceAll('\\', '');
    const isUsed = (name: string) =>
      text.includes(`"MetricName":"${name}"`) || text.includes(`"NeuronExecutionService","${name}"`);
    const named = Object.entries(METRICS).map(([key, { name }]) => [key as MetricKey, name] as const);
    for (const [key, name] of named) expect([name, isPublished(key)]).toEqual([name, isUsed(name)]);
  });
});

describe('the dashboard', () => {
  it('shows outcomes, latency, cache, tokens, cost, savings, limits and AWS metrics', () => {
    const body = JSON.stringify(onlyResource(prod, 'AWS::CloudWatch::Dashboard').Properties['DashboardBody']);
    const titles = [...body.matchAll(/title\\":\\"([^\\]+)/g)].map(([, title]) => title);
    expect(titles).toEqual([
      'Requests by outcome',
      'Latency, ms',
      'Cache',
      'Tokens',
      'Cost and savings, microdollars',
      'Limits',
      'Guards',
      'Faults',
      'API Gateway',
      'Functions',
      'Usage',
      'Tables: capacity written',
    ]);
    for (const metric of [
      'Succeeded',
      'Stopped',
      'Failed',
      'Refused',
      'CacheHits',
      'CostMicrodollars',
      'SavingsMicrodollars',
      'IteratorAge',
    ])
      expect(body).toContain(metric);
  });
});
