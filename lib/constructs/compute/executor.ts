// The execution function: runs the flow of a neuron.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { TABLES } from '../../../core/contract/tables.ts';
import { EXECUTION_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { acknowledgeWildcard } from '../../checks/acknowledge.ts';
import type { Stage } from '../../config/config.ts';
import { reservedFor } from '../../config/reserved.ts';
import { appendToLog } from '../data/append-log.ts';
import { grantReadSecrets } from '../data/secrets-access.ts';
import type { Tables } from '../data/tables.ts';
import type { FunctionContext } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
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
      canary: stage.canary,
      permissions: storePermissions(tables),
      code,
    });
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

/** Ids of inference profiles begin with a geography: two letters, or one of these three. No vendor's name has two letters. */
const PROFILE = /^(?:[a-z]{2}|us-gov|apac|global)\.(?<foundationModel>.+)$/;

/**
 * Converse needs the same action as InvokeModel, ConverseStream that of the other operation with a stream
 * (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html and API_runtime_ConverseStream.html).
 */
const ACTIONS = ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'];

/**
 * Grants a function exactly the models and inference profiles of the stage settings. A profile routes a call to its model in any
 * region of its geography, so that model is allowed in every region, through this profile only
 * (docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html).
 */
function grantBedrock({ role }: ServiceFunction, { bedrock }: Stage): void {
  const named = bedrock.flatMap(({ region, models }) => models.map((model) => ({ region, model })));
  if (named.length === 0) return;
  const stack = Stack.of(role);
  const arnOf = (region: string, account: string, resource: string, resourceName: string): string =>
    stack.formatArn({
      service: 'bedrock',
      region,
      account,
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  const resources = named.map(({ region, model }) =>
    PROFILE.test(model)
      ? arnOf(region, stack.account, 'inference-profile', model)
      : arnOf(region, '', 'foundation-model', model),
  );
  role.addToPolicy(new PolicyStatement({ sid: 'CallModels', actions: ACTIONS, resources }));
  for (const [index, { region, model }] of named.entries()) {
    const foundationModel = PROFILE.exec(model)?.groups?.['foundationModel'];
    if (foundationModel === undefined) continue;
    const resource = arnOf('*', '', 'foundation-model', foundationModel);
    const profile = arnOf(region, stack.account, 'inference-profile', model);
    role.addToPolicy(
      new PolicyStatement({
        sid: `CallThroughProfile${index}`,
        actions: ACTIONS,
        resources: [resource],
        conditions: { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
      }),
    );
    acknowledgeWildcard(
      role,
      resource,
      'An inference profile chooses the region among those of its geography; model and profile are named.',
    );
  }
}
