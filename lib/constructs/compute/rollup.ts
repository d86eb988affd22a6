// The rollup function: maintains the usage table from the log table's stream, seals the log and sends alerts, off the request path.
import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  MetricType,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { SEAL_PARTITIONS } from '../../../core/contract/tables.ts';
import { ROLLUP_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import { removalPolicy } from '../data/log-group.ts';
import { Alerting } from './alerting.ts';
import type { FunctionContext } from './function-environment.ts';
import { acknowledgeListStreams, logStreamPermissions, requireLogStream } from './log-stream.ts';
import { ServiceFunction } from './service-function.ts';
import { ROLLUP_TIMEOUT } from './timeouts.ts';
import { Traces } from './traces.ts';

export type RollupProps = FunctionContext;

/** A batch collects entries until either limit: it writes each row once, whatever the number of its entries. */
const BATCHING_WINDOW = Duration.seconds(5);
const BATCH_SIZE = 100;

/**
 * The stream keeps a record for 24 hours. A failing batch is retried for half of that, so that a record which never succeeds
 * leaves time for those behind it.
 */
const MAX_RECORD_AGE = Duration.hours(12);

/** Long enough for whoever comes back from a weekend to see what was given up. */
const KEEP_DROPPED = Duration.days(14);

export class Rollup extends Construct {
  readonly service: ServiceFunction;
  readonly alerting: Alerting;
  /** Absent where the stage has no setting `traces`. */
  readonly traces: Traces | undefined;
  readonly #mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: RollupProps) {
    super(scope, id);
    const { usage } = tables.byName;
    const tableStreamArn = requireLogStream(tables);
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/rollup/handler.ts',
      description: 'Adds log entries to the usage of their day, seals them, and sends alerts of limits',
      timeout: ROLLUP_TIMEOUT,
      environment: toVariables(ROLLUP_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).rollup,
      permissions: [
        ...logStreamPermissions(tableStreamArn),
        new PolicyStatement({
          sid: 'AddUsage',
          actions: ['dynamodb:UpdateItem'],
          resources: [usage.tableArn],
        }),
        new PolicyStatement({
          sid: 'ReadSealHeads',
          actions: ['dynamodb:GetItem', 'dynamodb:Query'],
          resources: [usage.tableArn],
          conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': SEAL_PARTITIONS } },
        }),
      ],
      code,
    });
    acknowledgeListStreams(this.service);
    this.#mapping = this.#readStream(stage, tableStreamArn);
    // The other reader of the stream, beside this one.
    if (stage.traces !== undefined)
      this.traces = new Traces(scope, 'Traces', { stage, tables, environment, code });
    const { alertEventBus: eventBus } = environment;
    // Two attempts more would meet an outage with three runs a minute; the schedule comes again.
    this.service.limitRetries({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    this.alerting = new Alerting(this, 'Alerting', { service: this.service, tables, eventBus });
  }

  /** The age of a batch's last entry when the function receives it, in milliseconds; it grows with each retry. */
  metricLateness(options?: MetricOptions): Metric {
    return this.service.handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, ...options });
  }

  /** Entries that were given up: tried for too long, or too old. */
  metricDropped(options?: MetricOptions): Metric {
    return new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'DroppedEventCount',
      dimensionsMap: { EventSourceMappingUUID: this.#mapping.eventSourceMappingId },
      statistic: Stats.SUM,
      ...options,
    });
  }

  #readStream(stage: Stage, eventSourceArn: string): EventSourceMapping {
    const dropped = createDroppedBatches(this, stage);
    allowDropped(this.service, dropped);
    const mapping = new EventSourceMapping(this, 'LogStream', {
      target: this.service.handler,
      eventSourceArn,
      // Entries that were written before the mapping existed count as well.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: BATCH_SIZE,
      maxBatchingWindow: BATCHING_WINDOW,
      // Entries are never changed, and those that TTL deletes stay counted.
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT') })],
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: MAX_RECORD_AGE,
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
      onFailure: { bind: () => ({ destination: dropped.bucketArn }) },
    });
    return mapping;
  }
}

/** Batches that were given up, whole: docs/operations.md says how they are counted after all. It costs nothing while it is empty. */
function createDroppedBatches(scope: Construct, stage: Stage): Bucket {
  const bucket = new Bucket(scope, 'DroppedBatches', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // They hold log entries, whose own retention may be shorter.
    lifecycleRules: [{ expiration: KEEP_DROPPED }],
    removalPolicy: removalPolicy(stage),
  });
  acknowledge(
    bucket,
    'AwsSolutions::AwsSolutions-S1',
    'Lambda alone writes to it, and only when entries are given up: an alarm says so.',
  );
  return bucket;
}

/**
 * Rights that Lambda needs to write there (lambda/latest/dg/services-dynamodb-eventsourcemapping.html). The CDK's own destination would let the
 * function read and delete, too.
 */
function allowDropped({ role }: ServiceFunction, { bucketArn }: Bucket): void {
  const objects = `${bucketArn}/aws/lambda/*`;
  role.addToPolicy(
    new PolicyStatement({ sid: 'PutDropped', actions: ['s3:PutObject'], resources: [objects] }),
  );
  role.addToPolicy(
    new PolicyStatement({ sid: 'FindDropped', actions: ['s3:ListBucket'], resources: [bucketArn] }),
  );
  acknowledgeWildcard(role, objects, 'Lambda names the objects by mapping, shard and time.');
}
