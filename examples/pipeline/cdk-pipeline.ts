// The same as a CDK pipeline in AWS CodePipeline: it updates itself, deploys dev, checks it, waits for an approval and goes on to prod.
// Deploy it once by hand: npx cdk deploy -a 'node examples/pipeline/cdk-pipeline.ts'
import { App, type CfnOutput, Stack, Stage } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import {
  CodeBuildStep,
  CodePipeline,
  CodePipelineSource,
  type IFileSetProducer,
  ManualApprovalStep,
  ShellStep,
} from 'aws-cdk-lib/pipelines';
import { parseStage, type StageSettings } from '../../lib/config/config.ts';
import { ApiStack } from '../../lib/stacks/api.ts';
import { DataStack } from '../../lib/stacks/data.ts';
import { dev } from '../../lib/stages/dev.ts';
import { prod } from '../../lib/stages/prod.ts';

const ENV = { account: '111122223333', region: 'eu-central-1' };
const CONNECTION = `arn:aws:codeconnections:${ENV.region}:${ENV.account}:connection/0a1b2c3d-0000-4000-8000-000000000000`;

/** Both stacks of a stage, under the names that `cdk deploy` gives them, so that `neuron` finds them. */
class ServiceStage extends Stage {
  readonly url: CfnOutput;

  constructor(app: Stack, settings: StageSettings, code: Code | undefined) {
    super(app, settings.name, { env: ENV });
    const stage = parseStage({ ...settings, region: ENV.region });
    const [dataName, apiName] = [`NeuronData-${stage.name}`, `NeuronApi-${stage.name}`];
    const { tables } = new DataStack(this, dataName, { stage, stackName: dataName });
    const api = new ApiStack(this, apiName, { stage, tables, code, stackName: apiName });
    this.url = api.service.node.findChild('ApiUrl') as CfnOutput;
  }
}

/** Builds the app. `code` makes what replaces the bundles of the functions, for tests. */
export function buildPipeline(app: App, code?: () => Code): Stack {
  const stack = new Stack(app, 'NeuronPipeline', { env: ENV });
  const install = ['n 24', 'npm ci'];
  const source = CodePipelineSource.connection('OWNER/REPOSITORY', 'main', { connectionArn: CONNECTION });
  const pipeline = new CodePipeline(stack, 'Pipeline', {
    // The CDK's own classes do not fit its interfaces where optional properties are exact.
    synth: new ShellStep('Synth', {
      input: source as IFileSetProducer,
      installCommands: install,
      commands: [
        'npm run types',
        'npm test',
        'npx neuron validate examples',
        "npx cdk synth -a 'node examples/pipeline/cdk-pipeline.ts'",
      ],
    }) as IFileSetProducer,
  });
  for (const settings of [dev, prod]) {
    const stage = new ServiceStage(stack, settings, code?.());
    pipeline.addStage(stage, {
      pre: settings === prod ? [new ManualApprovalStep('Approve')] : [],
      post: [smoke(stage, install)],
    });
  }
  return stack;
}

/** A failed check stops the pipeline: what comes after is not deployed. */
function smoke({ stageName, url }: ServiceStage, installCommands: string[]): CodeBuildStep {
  return new CodeBuildStep(`Smoke-${stageName}`, {
    envFromCfnOutputs: { API_URL: url },
    installCommands,
    commands: [`npm run --silent smoke -- --url "$API_URL" --stack NeuronApi-${stageName} --json`],
    // Give it the rights of an operator: docs/deploy.md, "Rights".
    rolePolicyStatements: [
      new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: ['*'] }),
    ],
  });
}

if (import.meta.main) {
  const app = new App();
  buildPipeline(app);
  app.synth();
}
