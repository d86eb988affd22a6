// The function that writes the heads of the log's seals elsewhere, every hour.
import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { HEADS_PARTITION } from '../../../core/contract/tables.ts';
import { type FunctionEnvironment, HEADS_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import type { Tables } from '../data/tables.ts';
import { ServiceFunction } from './service-function.ts';
import { HEADS_TIMEOUT } from './timeouts.ts';

export interface HeadWriterProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly environment: FunctionEnvironment;
  /** @default the bundled handler */
  readonly code?: Code | undefined;
}

const EVERY = Duration.hours(1);

/** A class, because CDK's tree is made of constructs. */
export class HeadWriter extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: HeadWriterProps) {
    super(scope, id);
    const objects = this.#toObjects(stage);
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/heads/handler.ts',
      description: 'Writes the heads of the log seals elsewhere, every hour',
      timeout: HEADS_TIMEOUT,
      environment: toVariables(HEADS_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).heads,
      permissions: [
        new PolicyStatement({
          sid: 'ListHeads',
          actions: ['dynamodb:Query'],
          resources: [tables.byName.usage.tableArn],
          conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [HEADS_PARTITION] } },
        }),
        // It can put objects and neither read, list nor delete them.
        ...(objects === undefined
          ? []
          : [new PolicyStatement({ sid: 'PutHeads', actions: ['s3:PutObject'], resources: [objects] })]),
      ],
      code,
    });
    if (objects !== undefined)
      acknowledgeWildcard(this.service.role, objects, 'The name of an object is the hour it was written in.');
    const rule = new Rule(this, 'Hourly', {
      description: 'Writes the heads of the log seals elsewhere',
      schedule: Schedule.rate(EVERY),
      targets: [new LambdaFunction(this.service.handler)],
    });
    acknowledge(
      rule,
      'Serverless::Serverless-EventBusDLQ',
      'A run that is missed is made good by that of the next hour: heads say everything up to their time.',
    );
  }

  /** Runs of an hour that have written the heads. */
  metricWritten(): MathExpression {
    const counted = { statistic: Stats.SUM, period: EVERY };
    return new MathExpression({
      expression: 'FILL(runs, 0) - FILL(failures, 0)',
      usingMetrics: {
        runs: this.service.handler.metricInvocations(counted),
        failures: this.service.metricErrors(counted),
      },
      label: 'heads written',
      period: EVERY,
    });
  }

  /** The objects that it puts; undefined without a bucket. */
  #toObjects({ name, logHeads }: Stage): string | undefined {
    if (logHeads?.bucket === undefined) return undefined;
    const resource = `${logHeads.bucket}/neuron-heads/${name}/*`;
    return Stack.of(this).formatArn({ service: 's3', region: '', account: '', resource });
  }
}
