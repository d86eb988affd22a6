// The outputs by which the `neuron` command finds everything of a deployment.
import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { OUTPUTS, type OutputValues } from '../../core/contract/outputs.ts';
import type { FunctionEnvironment } from '../../lambdas/environment.ts';

/** Adds them under their fixed names, wherever in a stack the service stands: one service a stack. */
export function addOutputs(
  scope: Construct,
  environment: FunctionEnvironment,
  others: Pick<OutputValues, 'apiUrl' | 'bedrockModels' | 'authorizerLogGroup' | 'executeLogGroup'>,
): void {
  const values: OutputValues = {
    apiUrl: others.apiUrl,
    stageName: environment.stage,
    configTable: environment.configTable,
    keysTable: environment.keysTable,
    countersTable: environment.countersTable,
    cacheTable: environment.cacheTable,
    logsTable: environment.logsTable,
    usageTable: environment.usageTable,
    logShards: String(environment.logShards),
    secretPrefix: environment.secretPrefix,
    transferMode: environment.transferMode,
    maxDeadlineMs: String(environment.maxDeadlineMs),
    settingsTtlMs: String(environment.settingsTtlMs),
    secretsTtlMs: String(environment.secretsTtlMs),
    counterShards: String(environment.counterShards),
    bedrockModels: others.bedrockModels,
    authorizerLogGroup: others.authorizerLogGroup,
    executeLogGroup: others.executeLogGroup,
  };
  for (const [name, id] of Object.entries(OUTPUTS)) {
    new CfnOutput(scope, id, { value: values[name as keyof OutputValues] }).overrideLogicalId(id);
  }
}
