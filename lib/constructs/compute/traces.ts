// The traces function: sends the log table's stream as spans to the stage's OTLP endpoint, off the request path.
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { TRACES_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledge, acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import type { FunctionContext } from './function-environment.ts';
import { acknowledgeListStreams, logStreamPermissions, requireLogStream } from './log-stream.ts';
import { ServiceFunction } from './service-function.ts';

const BATCHING_WINDOW = Duration.seconds(5);
const BATCH_SIZE = 100;
/** Two attempts of at most 5 s for each 500 spans; a batch has at most 10,000. */
const TIMEOUT = Duration.minutes(5);
/** A trace that is an hour late helps nobody. */
const MAX_RECORD_AGE = Duration.hours(1);

/** A hyphen and six characters. */
const ANY_SUFFIX = '-??????';

export class Traces extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: FunctionContext) {
    super(scope, id);
    const tableStreamArn = requireLogStream(tables);
    const secret = this.#toSecretArn(stage);
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/traces/handler.ts',
      description: 'Sends log entries as spans to an OTLP endpoint',
      timeout: TIMEOUT,
      environment: toVariables(TRACES_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).traces,
      permissions: [
        ...logStreamPermissions(tableStreamArn),
        ...(secret === undefined
          ? []
          : [
              new PolicyStatement({
                sid: 'ReadHeaders',
                actions: ['secretsmanager:GetSecretValue'],
                resources: [secret],
              }),
            ]),
      ],
      code,
    });
    acknowledgeListStreams(this.service);
    if (secret?.endsWith(ANY_SUFFIX))
      acknowledgeWildcard(
        this.service.role,
        secret,
        'Secrets Manager ends the ARN of a named secret in six characters that nobody knows before it is made.',
      );
    const mapping = new EventSourceMapping(this, 'LogStream', {
      target: this.service.handler,
      eventSourceArn: tableStreamArn,
      // Entries from before the endpoint was set are not sent.
      startingPosition: StartingPosition.LATEST,
      batchSize: BATCH_SIZE,
      maxBatchingWindow: BATCHING_WINDOW,
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT') })],
      retryAttempts: 1,
      maxRecordAge: MAX_RECORD_AGE,
    });
    acknowledge(
      mapping,
      'Serverless::Serverless-LambdaEventSourceMappingDestination',
      'Spans that cannot be sent are counted and left: the log has everything that they say.',
    );
  }

  /** Undefined where no headers are sent. */
  #toSecretArn({ traces }: Stage): string | undefined {
    const secret = traces?.headersSecret;
    if (secret === undefined || secret.startsWith('arn:')) return secret;
    return Stack.of(this).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${secret}${ANY_SUFFIX}`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }
}
