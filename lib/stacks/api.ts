// The stack of what runs: the API, its functions, and the outputs that describe the whole deployment.
import { CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionEnvironment } from '../../lambdas/environment.ts';
import type { Stage } from '../config.ts';
import { NeuronApi } from '../constructs/api.ts';
import { Authorizer } from '../constructs/authorizer.ts';
import { Executor } from '../constructs/executor.ts';
import { secretPrefix } from '../constructs/secrets-access.ts';
import type { Tables } from '../constructs/tables.ts';
import { toCounterShards } from '../counter-shards.ts';
import { OUTPUTS, type OutputValues } from '../outputs.ts';

export interface ApiStackProps extends StackProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Code of both functions instead of their bundles, for tests of everything else. */
  readonly code?: Code | undefined;
}

/** A class, because CDK's tree is made of constructs. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage, tables, code, ...props }: ApiStackProps) {
    super(scope, id, {
      ...props,
      description: `Neuron Execution Service (${stage.name}): the API and its functions`,
      terminationProtection: stage.protectData,
    });
    // Exports, which CloudFormation refuses to remove while they are used: no table goes away under the functions.
    CrossStackReferences.of(this).consume(ReferenceStrength.STRONG);
    const environment = functionEnvironment(stage, tables);
    const authorizer = new Authorizer(this, 'Authorizer', { stage, tables, environment, code });
    const executor = new Executor(this, 'Executor', { stage, tables, environment, code });
    const { restApi } = new NeuronApi(this, 'Api', { stage, authorizer, executor });
    this.#output({
      apiUrl: restApi.url,
      stageName: environment.stage,
      configTable: environment.configTable,
      keysTable: environment.keysTable,
      countersTable: environment.countersTable,
      cacheTable: environment.cacheTable,
      logsTable: environment.logsTable,
      usageTable: environment.usageTable,
      secretPrefix: environment.secretPrefix,
      transferMode: environment.transferMode,
      maxDeadlineMs: String(environment.maxDeadlineMs),
      counterShards: String(environment.counterShards),
      authorizerLogGroup: authorizer.service.logGroup.logGroupName,
      executeLogGroup: executor.service.logGroup.logGroupName,
    });
  }

  #output(values: OutputValues): void {
    for (const [name, id] of Object.entries(OUTPUTS)) {
      new CfnOutput(this, id, { value: values[name as keyof OutputValues] });
    }
  }
}

function functionEnvironment(stage: Stage, { byName }: Tables): FunctionEnvironment {
  return {
    stage: stage.name,
    configTable: byName.config.tableName,
    keysTable: byName.keys.tableName,
    countersTable: byName.counters.tableName,
    cacheTable: byName.cache.tableName,
    logsTable: byName.logs.tableName,
    usageTable: byName.usage.tableName,
    counterShards: toCounterShards(stage),
    secretPrefix: secretPrefix(stage),
    transferMode: stage.transferMode,
    maxDeadlineMs: stage.maxDeadline,
    settingsFreshMs: stage.settingsFresh,
    settingsStaleMs: stage.settingsStale,
    secretsFreshMs: stage.secretsFresh,
    keySetsFreshMs: stage.keySetsFresh,
    keySetsStaleMs: stage.keySetsStale,
    keySetsRefetchMs: stage.keySetsRefetch,
    keySetsFailedMs: stage.keySetsFailed,
  };
}
