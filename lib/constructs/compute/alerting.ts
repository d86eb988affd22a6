// Alerts of usage limits, sent by the rollup function: its rights, a schedule for alerts that could not be sent, and the alarm topic.
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { EVENT_SOURCE, EVENT_TYPE } from '../../../core/contract/alert-event.ts';
import { FEEDBACK_EVENT_TYPE } from '../../../core/contract/feedback-event.ts';
import { ALERT_PARTITIONS, TABLES } from '../../../core/contract/tables.ts';
import { toVariables } from '../../../lambdas/environment.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import { viaService } from '../data/encryption-key.ts';
import type { Tables } from '../data/tables.ts';
import type { ServiceFunction } from './service-function.ts';

/** How long an alert waits that could not be sent at once. Each run that finds none reads one item's worth. */
const SEND_AGAIN = Duration.minutes(1);

export interface AlertingProps {
  readonly service: ServiceFunction;
  readonly tables: Tables;
  /** Name or ARN. */
  readonly eventBus: string;
}

export class Alerting extends Construct {
  readonly #service: ServiceFunction;

  constructor(scope: Construct, id: string, { service, tables, eventBus }: AlertingProps) {
    super(scope, id);
    this.#service = service;
    for (const statement of [
      ...readLimits(tables),
      ...keepOutbox(tables),
      putEvents(this, eventBus, [EVENT_TYPE, FEEDBACK_EVENT_TYPE]),
    ])
      service.role.addToPolicy(statement);
    const rule = new Rule(this, 'SendAgain', {
      description: 'Sends alerts of usage limits that could not be sent',
      schedule: Schedule.rate(SEND_AGAIN),
    });
    acknowledge(
      rule,
      'Serverless::Serverless-EventBusDLQ',
      'A run that failed leaves nothing behind: the next one, a minute later, finds the same alerts in the table.',
    );
    rule.addTarget(
      new LambdaFunction(service.handler, {
        event: RuleTargetInput.fromObject({ sendAlerts: true }),
        // These are retries of the delivery to Lambda; rollup.ts turns those of the function off. The next run sends what a failed one did not.
        retryAttempts: 0,
      }),
    );
  }

  /** Alerts go to this topic as well. `keyArn` is its key where the CDK does not know it: that of an existing topic, or of the stage. */
  sendTo(topic: ITopic, keyArn: string | undefined): void {
    topic.grantPublish(this.#service.role);
    if (keyArn !== undefined)
      this.#service.role.addToPolicy(
        new PolicyStatement({
          sid: 'EncryptAlerts',
          // sns/latest/dg/sns-key-management.html
          actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
          resources: [keyArn],
          conditions: { StringEquals: { 'kms:ViaService': viaService(this, 'sns') } },
        }),
      );
    for (const [name, value] of Object.entries(
      toVariables(['alertTopicArn'], { alertTopicArn: topic.topicArn }),
    ))
      this.#service.handler.addEnvironment(name, value);
  }
}

/** Documents of organizations, the limits of their keys, and what limits have counted. The digest of a key, its own id, admits nobody. */
function readLimits({ byName: { config, keys, counters } }: Tables): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ReadOrganizations',
      actions: ['dynamodb:GetItem'],
      resources: [config.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] } },
    }),
    new PolicyStatement({
      sid: 'ReadKeys',
      actions: ['dynamodb:GetItem'],
      resources: [keys.tableArn],
    }),
    new PolicyStatement({
      sid: 'FindKeys',
      actions: ['dynamodb:Query'],
      resources: [`${keys.tableArn}/index/${TABLES.keys.indexes[0].name}`],
    }),
    new PolicyStatement({
      sid: 'ReadCounters',
      actions: ['dynamodb:GetItem'],
      resources: [counters.tableArn],
    }),
  ];
}

/** Adding and leasing are updates, which the function may make for the usage anyway. */
function keepOutbox({ byName: { usage } }: Tables): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ReadAlerts',
      actions: ['dynamodb:GetItem'],
      resources: [usage.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [ALERT_PARTITIONS.records] } },
    }),
    new PolicyStatement({
      sid: 'FindUnsentAlerts',
      actions: ['dynamodb:Query', 'dynamodb:DeleteItem'],
      resources: [usage.tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [ALERT_PARTITIONS.pending] } },
    }),
  ];
}

/** Events of these kinds only: others on the bus cannot be imitated. */
export function putEvents(scope: Construct, eventBus: string, type: string | string[]): PolicyStatement {
  const bus = eventBus.startsWith('arn:')
    ? eventBus
    : Stack.of(scope).formatArn({
        service: 'events',
        resource: 'event-bus',
        resourceName: eventBus,
        arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      });
  return new PolicyStatement({
    sid: 'SendAlerts',
    actions: ['events:PutEvents'],
    resources: [bus],
    conditions: { StringEquals: { 'events:source': EVENT_SOURCE, 'events:detail-type': type } },
  });
}
