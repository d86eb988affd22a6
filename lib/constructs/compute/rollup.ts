// The rollup function: keeps the usage table from the log table's stream, off the way of every request.
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
import { type FunctionEnvironment, ROLLUP_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import type { Tables } from '../data/tables.ts';
import { ServiceFunction } from './service-function.ts';
import { ROLLUP_TIMEOUT } from './timeouts.ts';

export interface RollupProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly environment: FunctionEnvironment;
  /** @default the bundled handler */
  readonly code?: Code | undefined;
}

/** Entries are gathered so long, or until there are so many: each batch writes a row once, whatever the number of its entries. */
const GATHERING = Duration.seconds(5);
const BATCH_SIZE = 100;

/**
 * The stream keeps a record for 24 hours. While the store fails, a batch is tried again for half of that: a record that no try
 * can count is then given up in time for those behind it.
 */
const TRIED_FOR = Duration.hours(12);

/** A class, because CDK's tree is made of constructs. */
export class Rollup extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: RollupProps) {
    super(scope, id);
    const { logs, usage } = tables.byName;
    const { tableStreamArn } = logs;
    if (tableStreamArn === undefined) throw new Error('the log table has no stream');
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/rollup/handler.ts',
      description: 'Adds log entries to the usage of their day',
      timeout: ROLLUP_TIMEOUT,
      environment: toVariables(ROLLUP_FIELDS, environment),
      reservedConcurrency: stage.reservedConcurrency?.rollup,
      permissions: [
        new PolicyStatement({
          sid: 'ReadLogStream',
          actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
          resources: [tableStreamArn],
        }),
        new PolicyStatement({ sid: 'ListStreams', actions: ['dynamodb:ListStreams'], resources: ['*'] }),
        new PolicyStatement({
          sid: 'AddUsage',
          actions: ['dynamodb:UpdateItem'],
          resources: [usage.tableArn],
        }),
      ],
      code,
    });
    acknowledgeWildcard(
      this.service.role,
      '*',
      'Listing streams takes no resource, and Lambda asks for it before it reads one; X-Ray takes only * as well.',
    );
    this.#readStream(tableStreamArn);
  }

  /** How old the last entry of a batch is when it is handed over, in milliseconds; one that fails is older with each try. */
  metricLateness(options?: MetricOptions): Metric {
    return this.service.handler.metric('IteratorAge', { statistic: Stats.MAXIMUM, ...options });
  }

  #readStream(eventSourceArn: string): void {
    const mapping = new EventSourceMapping(this, 'LogStream', {
      target: this.service.handler,
      eventSourceArn,
      // From the beginning: entries that were put before the mapping was made count as well.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: BATCH_SIZE,
      maxBatchingWindow: GATHERING,
      // Entries are never changed, and what time to live deletes stays counted.
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT') })],
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maxRecordAge: TRIED_FOR,
    });
    acknowledge(
      mapping,
      'Serverless::Serverless-LambdaEventSourceMappingDestination',
      'A queue would hold places in a stream that forgets them; the entries stay in the log table, and a recount tells what is missing.',
    );
  }
}
