// The CDK app: two stacks for one stage. The CDK command runs it, and the local run and the tests call it in process.

import { readFileSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { findNearest } from '../core/settings/members.ts';
import { validateNeurons } from './checks/neurons.ts';
import { ServiceChecks } from './checks/service-checks.ts';
import { parseStage, type Stage, type StageSettings } from './config/config.ts';
import { StageError } from './config/stage-error.ts';
import { readStageFile } from './config/stage-file.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { dev } from './stages/dev.ts';
import { local } from './stages/local.ts';
import { prod } from './stages/prod.ts';

/** The stages by name. To add one, write a file and add a line here. */
export const STAGES: Readonly<Record<string, StageSettings>> = { dev, local, prod };

const DEFAULT_STAGE = 'dev';

export interface AppOptions {
  /** @default the file of the context `settings`, the context `stage` (`cdk synth -c stage=NAME`), then `dev` */
  readonly stage?: string;
  /** Settings that replace those of the stage. */
  readonly overrides?: Partial<StageSettings>;
  /** Where the assembly is written. @default the CDK command's choice */
  readonly outdir?: string;
  /** Code of the functions instead of their bundles, for tests of everything else. */
  readonly code?: Code;
  /** Check the templates by CloudFormation's schemas, cdk-nag and lib/checks. @default true */
  readonly checks?: boolean;
}

/**
 * Builds the app; `synth()` on the result writes the templates. Reads nothing but its options, CDK's context and the files
 * that the stage names. Throws on an unknown stage and on invalid settings, before any stack is created.
 */
export function buildApp(options: AppOptions = {}): App {
  const checks = options.checks ?? true;
  const app = new App({
    context: featureFlags(),
    postCliContext: {
      'aws:cdk:enable-path-metadata': false,
      // The local run finds each function's bundle by it.
      'aws:cdk:enable-asset-metadata': true,
    },
    analyticsReporting: false,
    treeMetadata: false,
    // A finding shows where its construct was created; without checks this only costs time.
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

/** The flags of `cdk.json`. Only the CDK command reads that file, and the template must not depend on who runs the app. */
function featureFlags(): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')).context;
}

function addStacks(app: App, stage: Stage, code: Code | undefined): void {
  const env = stage.region === undefined ? {} : { env: { region: stage.region } };
  const { tables } = new DataStack(app, `NeuronData-${stage.name}`, { stage, ...env });
  new ApiStack(app, `NeuronApi-${stage.name}`, { stage, tables, code, ...env });
}

function chooseStage(app: App, { stage, overrides }: AppOptions): Stage {
  const file: unknown = app.node.tryGetContext('settings');
  const settings =
    stage === undefined && file !== undefined ? fromFile(app, String(file)) : fromSources(app, stage);
  checkContext(app);
  const transferMode: unknown = app.node.tryGetContext('transferMode');
  return parseStage({ ...settings, ...(transferMode === undefined ? {} : { transferMode }), ...overrides });
}

function fromSources(app: App, stage: string | undefined): StageSettings {
  const name: unknown = stage ?? app.node.tryGetContext('stage') ?? DEFAULT_STAGE;
  const settings = typeof name === 'string' && Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (settings === undefined) throw new StageError(explainUnknownStage(name));
  return settings;
}

/** The file must not deploy another stage than the one that is named beside it. */
function fromFile(app: App, file: string): Readonly<Record<string, unknown>> {
  const settings = readStageFile(file, process.cwd(), STAGES);
  const stage: unknown = app.node.tryGetContext('stage') ?? settings['name'];
  if (stage === settings['name']) return settings;
  throw new StageError(
    `The settings file ${file} is of the stage ${settings['name']}, and the context stage is ${String(stage)}. Leave out -c stage.`,
  );
}

function explainUnknownStage(name: unknown): string {
  const known = Object.keys(STAGES);
  const choice = `Choose one of ${known.join(', ')}.`;
  // `-c stage=` and, in a script, `-c stage=$UNSET` give an empty text.
  if (name === '') return `The context stage is empty. ${choice}`;
  const nearest = findNearest(String(name), known);
  const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
  return `There is no stage "${String(name)}"${hint} ${choice}`;
}

/** A misspelt `-c stage=prod` must not deploy the default stage. */
function checkContext(app: App): void {
  const known = ['stage', 'settings', 'transferMode'];
  const input: object = app.node.getAllContext();
  // The CDK's own names have a colon or a slash.
  for (const name of Object.keys(input).filter((key) => !known.includes(key) && !/[:/]/.test(key))) {
    const nearest = findNearest(name, known);
    if (nearest !== undefined)
      throw new StageError(
        `There is no context "${name}"; did you mean ${nearest}? Pass -c ${nearest}=VALUE.`,
      );
  }
}
