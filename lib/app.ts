// The CDK app: two stacks for one stage. Run by the CDK command, and in process by the local run and the tests.
import { readFileSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { validateNeurons } from './checks/neurons.ts';
import { ServiceChecks } from './checks/service-checks.ts';
import { parseStage, type Stage, type StageSettings } from './config/config.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { dev } from './stages/dev.ts';
import { local } from './stages/local.ts';
import { prod } from './stages/prod.ts';

/** The stages that can be named; a new one is a file of its own and a line here. */
export const STAGES: Readonly<Record<string, StageSettings>> = { dev, local, prod };

const DEFAULT_STAGE = 'dev';

export interface AppOptions {
  /** @default the context `stage` (`cdk synth -c stage=NAME`), then `dev` */
  readonly stage?: string;
  /** Settings that replace those of the stage. */
  readonly overrides?: Partial<StageSettings>;
  /** Where the assembly goes. @default as the CDK command says */
  readonly outdir?: string;
  /** Code of the functions instead of their bundles, for tests of everything else. */
  readonly code?: Code;
  /** Judge the templates: CloudFormation's schemas, cdk-nag and the rules of lib/checks. @default true */
  readonly checks?: boolean;
}

/**
 * Builds the app; `synth()` on the result writes the templates. Reads nothing but its options, CDK's context and the files
 * that the stage names. Throws on an unknown stage and on refused settings, before any stack is made.
 */
export function buildApp(options: AppOptions = {}): App {
  const checks = options.checks ?? true;
  const app = new App({
    context: featureFlags(),
    postCliContext: {
      'aws:cdk:enable-path-metadata': false,
      // Where each function's bundle is, for the local run.
      'aws:cdk:enable-asset-metadata': true,
    },
    analyticsReporting: false,
    treeMetadata: false,
    // Where a construct was made is told with a finding, and costs time otherwise.
    stackTraces: checks,
    builtinCloudFormationValidation: checks,
    ...(options.outdir === undefined ? {} : { outdir: options.outdir }),
  });
  const stage = chooseStage(app, options);
  validateNeurons(stage, process.cwd());
  if (checks) {
    const packs = [new AwsSolutionsChecks(app), new ServerlessChecks(app)];
    Validations.of(app).addPlugins(...packs, new ServiceChecks(stage));
  }
  addStacks(app, stage, options.code);
  return app;
}

/** Of `cdk.json`. Only the CDK command reads them by itself, and a template would depend on who asked for it. */
function featureFlags(): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')).context;
}

function addStacks(app: App, stage: Stage, code: Code | undefined): void {
  const env = stage.region === undefined ? {} : { env: { region: stage.region } };
  const { tables } = new DataStack(app, `NeuronData-${stage.name}`, { stage, ...env });
  new ApiStack(app, `NeuronApi-${stage.name}`, { stage, tables, code, ...env });
}

function chooseStage(app: App, { stage, overrides }: AppOptions): Stage {
  const name: unknown = stage ?? app.node.tryGetContext('stage') ?? DEFAULT_STAGE;
  const settings = typeof name === 'string' && Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (settings === undefined) {
    throw new Error(`There is no stage "${String(name)}". Choose one of ${Object.keys(STAGES).join(', ')}.`);
  }
  const transferMode: unknown = app.node.tryGetContext('transferMode');
  return parseStage({ ...settings, ...(transferMode === undefined ? {} : { transferMode }), ...overrides });
}
