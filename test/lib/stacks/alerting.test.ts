// Alerts of usage limits in the template: the schedule that sends again, the event bus and the alarm topic.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize, type Template } from '../synthesized.ts';

const { api } = synthesize('dev');

/** The rollup function's variables. */
function variables(template: Template): Record<string, unknown> {
  const [, rollup] = resourcesOf(template, 'AWS::Lambda::Function').find(([id]) => id.startsWith('Rollup'))!;
  return (rollup.Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;
}

/** What the rollup function may send to, by action. */
function targets(template: Template, action: string): unknown[] {
  return resourcesOf(template, 'AWS::IAM::Policy').flatMap(([id, { Properties }]) => {
    const { Statement } = Properties['PolicyDocument'] as {
      Statement: { Action: unknown; Resource: unknown }[];
    };
    return Statement.flatMap(({ Action, Resource }) =>
      Action === action ? [[id.slice(0, 6), Resource]] : [],
    );
  });
}

describe('alerts of usage limits', () => {
  it('are sent again every minute by the rollup function, with an event of its own and no retries', () => {
    const rules = resourcesOf(api, 'AWS::Events::Rule').filter(([id]) => id.startsWith('Rollup'));
    expect(rules).toHaveLength(1);
    expect(rules[0]?.[1].Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [
        {
          Arn: { 'Fn::GetAtt': [expect.stringMatching(/^RollupServiceFunction/), 'Arn'] },
          Input: '{"sendAlerts":true}',
          RetryPolicy: { MaximumRetryAttempts: 0 },
        },
      ],
    });
    const permissions = resourcesOf(api, 'AWS::Lambda::Permission').filter(([id]) => id.startsWith('Rollup'));
    expect(permissions.map(([, one]) => one.Properties)).toEqual([
      expect.objectContaining({
        Principal: 'events.amazonaws.com',
        SourceArn: { 'Fn::GetAtt': [expect.stringMatching(/^RollupAlertingSendAgain/), 'Arn'] },
      }),
    ]);
  });

  it("go to the account's default bus, and to no topic where the stage has none", () => {
    expect(variables(api)).toMatchObject({ ALERT_EVENT_BUS: 'default' });
    expect(variables(api)).not.toHaveProperty('ALERT_TOPIC_ARN');
    expect(targets(api, 'sns:Publish')).toEqual([]);
  });

  it.each([
    ['alerts', /:event-bus\/alerts"/],
    [
      'arn:aws:events:eu-central-1:111122223333:event-bus/alerts',
      /^"arn:aws:events:eu-central-1:111122223333:event-bus\/alerts"$/,
    ],
  ])('go to the bus of the stage setting: %s', (alertEventBus, resource) => {
    const template = synthesize('dev', { alertEventBus, region: 'eu-central-1' }).api;
    expect(variables(template)).toMatchObject({ ALERT_EVENT_BUS: alertEventBus });
    const [[owner, bus] = []] = targets(template, 'events:PutEvents') as [string, unknown][];
    expect(owner).toBe('Rollup');
    expect(JSON.stringify(bus)).toMatch(resource);
  });

  it('go to the topic of the alarms too, which the function may publish to: one of its own, or an existing one', () => {
    const own = synthesize('dev', { alarms: { addresses: ['team@example.com'] } }).api;
    const [topic] = resourcesOf(own, 'AWS::SNS::Topic');
    expect(variables(own)).toMatchObject({ ALERT_TOPIC_ARN: { Ref: topic?.[0] } });
    expect(targets(own, 'sns:Publish')).toEqual([['Rollup', { Ref: topic?.[0] }]]);
    const topicArn = 'arn:aws:sns:eu-central-1:111122223333:alerts';
    const existing = synthesize('dev', { alarms: { addresses: [], topicArn } }).api;
    expect(variables(existing)).toMatchObject({ ALERT_TOPIC_ARN: topicArn });
    expect(targets(existing, 'sns:Publish')).toEqual([['Rollup', topicArn]]);
  });

  it('reach a topic with a key of its own: the function may use the key, through SNS alone', () => {
    const topicArn = 'arn:aws:sns:eu-central-1:111122223333:alerts';
    const topicKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000';
    const { api: encrypted } = synthesize('dev', { alarms: { addresses: [], topicArn, topicKeyArn } });
    const statements = resourcesOf(encrypted, 'AWS::IAM::Policy').flatMap(
      ([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: { Sid?: string }[] }).Statement,
    );
    expect(statements.filter(({ Sid }) => Sid === 'EncryptAlerts')).toEqual([
      {
        Sid: 'EncryptAlerts',
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: topicKeyArn,
        Condition: { StringEquals: { 'kms:ViaService': 'sns.eu-central-1.amazonaws.com' } },
      },
    ]);
  });
});
