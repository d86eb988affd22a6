// The function that archives the log in a bucket with Object Lock, every day.
import { Duration, Stack } from 'aws-cdk-lib';
import type { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { SEAL_PARTITIONS } from '../../../core/contract/tables.ts';
import { ARCHIVE_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import { viaService } from '../data/encryption-key.ts';
import { archiveFolder, type FunctionContext } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
import { ARCHIVE_TIMEOUT } from './timeouts.ts';

/** The last entries of a day are sealed within minutes; an hour is enough for a reader that was behind. */
const AT_ONE_UTC = Schedule.cron({ minute: '0', hour: '1' });
const EVERY = Duration.days(1);

export interface ArchiverContext extends FunctionContext {
  readonly settings: NonNullable<Stage['archive']>;
}

export class Archiver extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code, settings }: ArchiverContext) {
    super(scope, id);
    const stack = Stack.of(this);
    const resource = `${settings.bucket}/${archiveFolder(stack, stage)}/*`;
    const objects = stack.formatArn({ service: 's3', region: '', account: '', resource });
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/archive/handler.ts',
      description: 'Archives the log in a bucket with Object Lock, every day',
      timeout: ARCHIVE_TIMEOUT,
      environment: toVariables(ARCHIVE_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).archive,
      permissions: [
        new PolicyStatement({
          sid: 'ReadSeals',
          actions: ['dynamodb:GetItem', 'dynamodb:Query'],
          resources: [tables.byName.usage.tableArn],
          conditions: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': SEAL_PARTITIONS },
            // Without it, a request without leading keys would pass.
            Null: { 'dynamodb:LeadingKeys': 'false' },
          },
        }),
        new PolicyStatement({
          sid: 'ReadEntries',
          actions: ['dynamodb:BatchGetItem'],
          resources: [tables.byName.logs.tableArn],
        }),
        new PolicyStatement({
          sid: 'PutArchive',
          // It can put locked objects and neither read, list nor delete them, nor shorten a lock.
          actions: ['s3:PutObject', 's3:PutObjectRetention'],
          resources: [objects],
        }),
        ...encrypt(this, settings.keyArn),
      ],
      code,
    });
    acknowledgeWildcard(
      this.service.role,
      objects,
      'The name of an object has the chain and the day of its seals.',
    );
    // Two more tries, of up to a quarter of an hour each, end before the next run.
    this.service.limitRetries({ maxEventAge: Duration.hours(6) });
    const rule = new Rule(this, 'Daily', {
      description: 'Archives the log of the day before',
      schedule: AT_ONE_UTC,
      targets: [new LambdaFunction(this.service.handler)],
    });
    acknowledge(
      rule,
      'Serverless::Serverless-EventBusDLQ',
      'A day that is missed has an alarm, and is archived by hand with an event that names it.',
    );
  }

  /** Runs of a day that archived one. */
  metricArchived(): MathExpression {
    return this.service.metricSucceeded('days archived', EVERY);
  }
}

/** S3 encrypts with the caller's right to the bucket's key. */
function encrypt(scope: Construct, keyArn: string | undefined): PolicyStatement[] {
  if (keyArn === undefined) return [];
  return [
    new PolicyStatement({
      sid: 'EncryptArchive',
      // A single PUT needs no more (AmazonS3/latest/userguide/UsingKMSEncryption.html).
      actions: ['kms:GenerateDataKey'],
      resources: [keyArn],
      conditions: { StringEquals: { 'kms:ViaService': viaService(scope, 's3') } },
    }),
  ];
}
