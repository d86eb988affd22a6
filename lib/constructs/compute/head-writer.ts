// The function that writes the heads of the log's seals elsewhere, every hour.
import { Duration, Stack } from 'aws-cdk-lib';
import type { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { HEADS_PARTITION } from '../../../core/contract/tables.ts';
import { HEADS_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import { viaService } from '../data/encryption-key.ts';
import { type FunctionContext, headsFolder } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
import { HEADS_TIMEOUT } from './timeouts.ts';

const EVERY = Duration.hours(1);

export class HeadWriter extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: FunctionContext) {
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
        ...(objects === undefined ? [] : putObjects(this, objects, stage.logHeads?.keyArn)),
      ],
      code,
    });
    if (objects !== undefined)
      acknowledgeWildcard(this.service.role, objects, 'The name of an object is the hour it was written in.');
    // Two hours of retries reach beyond the next run, which writes everything up to its time.
    this.service.limitRetries({ maxEventAge: Duration.hours(2) });
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
    return this.service.metricSucceeded('heads written', EVERY);
  }

  /** The objects that it puts; undefined without a bucket. */
  #toObjects(stage: Stage): string | undefined {
    const bucket = stage.logHeads?.bucket;
    if (bucket === undefined) return undefined;
    const stack = Stack.of(this);
    const resource = `${bucket}/${headsFolder(stack, stage)}/*`;
    return stack.formatArn({ service: 's3', region: '', account: '', resource });
  }
}

/** It can put objects and neither read, list nor delete them. S3 encrypts them with the caller's right to the bucket's key. */
function putObjects(scope: Construct, objects: string, keyArn: string | undefined): PolicyStatement[] {
  const put = new PolicyStatement({ sid: 'PutHeads', actions: ['s3:PutObject'], resources: [objects] });
  if (keyArn === undefined) return [put];
  const encrypt = new PolicyStatement({
    sid: 'EncryptHeads',
    // A single PUT needs no more (AmazonS3/latest/userguide/UsingKMSEncryption.html).
    actions: ['kms:GenerateDataKey'],
    resources: [keyArn],
    conditions: { StringEquals: { 'kms:ViaService': viaService(scope, 's3') } },
  });
  return [put, encrypt];
}
