// The function that watches rollouts, every minute, and sends nobody to a candidate that is worse than its control.
import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ROLLOUT_EVENT_TYPE } from '../../../core/contract/rollout-event.ts';
import {
  CHANGE_PARTITIONS,
  SLOTS_PARTITION,
  STOP_ATTRIBUTES,
  WATCHED_ATTRIBUTES,
} from '../../../core/contract/tables.ts';
import { ROLLOUTS_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import { reservedFor } from '../../config/reserved.ts';
import type { Tables } from '../data/tables.ts';
import { putEvents } from './alerting.ts';
import type { FunctionContext } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
import { ROLLOUTS_TIMEOUT } from './timeouts.ts';

const EVERY = Duration.minutes(1);

export class RolloutWatch extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: FunctionContext) {
    super(scope, id);
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/rollouts/handler.ts',
      description: 'Watches rollouts, and stops those whose candidate is worse than its control',
      timeout: ROLLOUTS_TIMEOUT,
      environment: toVariables(ROLLOUTS_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).rollouts,
      permissions: [...stopRollouts(tables), putEvents(this, environment.alertEventBus, ROLLOUT_EVENT_TYPE)],
      code,
    });
    // The next run, a minute later, does all that a failed one left.
    this.service.limitRetries({ retryAttempts: 0, maxEventAge: EVERY });
    const rule = new Rule(this, 'EachMinute', {
      description: 'Watches rollouts that are going on',
      schedule: Schedule.rate(EVERY),
    });
    acknowledge(
      rule,
      'Serverless::Serverless-EventBusDLQ',
      'A run that failed leaves nothing behind: the next one, a minute later, finds the same rollouts in the table.',
    );
    rule.addTarget(new LambdaFunction(this.service.handler, { retryAttempts: 0 }));
  }
}

/**
 * It reads no settings, and changes the rollout of a neuron alone: the share, never the deployment
 * (amazondynamodb/latest/developerguide/specifying-conditions.html, "dynamodb:Attributes").
 */
function stopRollouts({ byName: { config, usage, logs } }: Tables): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ReadCounts',
      actions: ['dynamodb:Query'],
      resources: [usage.tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [SLOTS_PARTITION] } },
    }),
    new PolicyStatement({
      sid: 'ReadRollouts',
      actions: ['dynamodb:Query'],
      resources: [config.tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': WATCHED_ATTRIBUTES },
        // A request that names no attribute would be given all.
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
      },
    }),
    new PolicyStatement({
      sid: 'StopRollouts',
      actions: ['dynamodb:UpdateItem'],
      resources: [config.tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': STOP_ATTRIBUTES },
        Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
        // Else an update could give back what no read may see.
        StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
      },
    }),
    new PolicyStatement({
      sid: 'RecordStops',
      actions: ['dynamodb:PutItem'],
      resources: [logs.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': CHANGE_PARTITIONS } },
    }),
  ];
}
