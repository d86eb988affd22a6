// The execution function: runs the flow of a neuron.
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { TABLES } from '../../../core/contract/tables.ts';
import { EXECUTION_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { reservedFor } from '../../config/reserved.ts';
import { appendToLog } from '../data/append-log.ts';
import { grantReadSecrets } from '../data/secrets-access.ts';
import type { Tables } from '../data/tables.ts';
import type { FunctionContext } from './function-environment.ts';
import { grantBedrock } from './grant-bedrock.ts';
import { ServiceFunction } from './service-function.ts';
import { runOnSharedInstances } from './shared-instances.ts';
import { executionTimeouts } from './timeouts.ts';

export type ExecutorProps = FunctionContext;

export class Executor extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { stage, tables, environment, code }: ExecutorProps) {
    super(scope, id);
    this.service = new ServiceFunction(this, 'Service', {
      stage,
      entry: 'lambdas/execute/handler.ts',
      description: 'Runs the flow of a neuron',
      timeout: executionTimeouts(stage).function,
      environment: toVariables(EXECUTION_FIELDS, environment),
      reservedConcurrency: reservedFor(stage).execution,
      provisionedConcurrency: stage.provisionedConcurrency?.execution,
      onInstances: stage.compute !== undefined,
      canary: stage.canary,
      isOnRequests: true,
      permissions: storePermissions(tables),
      code,
    });
    runOnSharedInstances(this.service, stage);
    grantReadSecrets(this.service, stage, ['providers']);
    grantBedrock(this.service, stage);
  }
}

/** The log is append-only and the settings are read-only: the function cannot change its own rules or its audit trail. */
function storePermissions(tables: Tables): PolicyStatement[] {
  const { config, counters, cache } = tables.byName;
  return [
    new PolicyStatement({
      sid: 'ReadSettings',
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
      resources: [config.tableArn],
    }),
    new PolicyStatement({
      // The list of models of an organization.
      sid: 'ListNeurons',
      actions: ['dynamodb:Query'],
      resources: [config.tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] },
        // ForAllValues alone would pass a request without leading keys.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
    new PolicyStatement({
      sid: 'Count',
      actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      resources: [counters.tableArn],
    }),
    new PolicyStatement({
      sid: 'Cache',
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [cache.tableArn],
    }),
    new PolicyStatement({
      sid: 'ReleaseIdempotencyKeys',
      actions: ['dynamodb:DeleteItem'],
      resources: [cache.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['I#*'] } },
    }),
    new PolicyStatement({
      sid: 'SearchCache',
      actions: ['dynamodb:SearchVectors'],
      resources: [`${cache.tableArn}/index/${TABLES.cache.vectorIndex.name}`],
    }),
    appendToLog('AppendLog', tables),
  ];
}
