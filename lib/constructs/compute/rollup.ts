// The rollup function: maintains the usage table from the log table's stream, seals the log and sends alerts, off the request path.
import { Duration } from 'aws-cdk-lib';
import { type Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  type Code,
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { SEAL_PARTITIONS } from '../../../core/contract/tables.ts';
import { type FunctionEnvironment, ROLLUP_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import type { Tables } from '../data/tables.ts';
import { Alerting } from './alerting.ts';
import { acknowledgeListStreams, logStreamPermissions, requireLogStream } from './log-stream.ts';
import { ServiceFunction } from './service-function.ts';
import { ROLLUP_TIMEOUT } from './timeouts.ts';
import { Traces } from './traces.ts';

export interface RollupProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly environment: FunctionEnvironment;
  /** @default the bundled handler */
  readonly code?: Code | undefined;
}

/** A batch collects entries until either limit: it writes each row once, whatever the number of its entries. */
const BATCHING_WINDOW = Duration.seconds(5);
const BATCH_SIZE = 100;

/**
 * The stream keeps a record for 24 hours. A failing batch is retried for half of that, so that a record which never succeeds
 * leaves time for those behind it.
 */
const MAX_RECORD_AGE = Duration.hours(12);

/** A class, because CDK's tree is made of constructs. */
export class Rollup extends Construct {
  readonly service: ServiceFunction;
  readonly alerting: Alerting;

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
    this.#readStream(tableStreamArn);
    // The other reader of the stream, beside this one.
    if (stage.traces !== undefined) new Traces(scope, 'Traces', { stage, tables, environment, code });
    const { alertEventBus: eventBus } = environment;
    this.alerting = new Alerting(this, 'Alerting', { service: this.service, tables, eventBus });
  }

  /** The age of a batch's last entry when the function receives it, in milliseconds; it grows with each retry. */
  metricLateness(options?: MetricOptions): Metric {
    return this.service.handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, ...options });
  }

  #readStream(eventSourceArn: string): void {
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
    });
    acknowledge(
      mapping,
      'Serverless::Serverless-LambdaEventSourceMappingDestination',
      'A queue would hold positions in a stream that expires; the entries stay in the log table, and a recount finds what is missing.',
    );
  }
}
