// Runs a synthesized CloudFormation template on this machine: its API, functions, tables, secrets, streams and schedules.

import { join, resolve } from 'node:path';
import type { ApplicationSettings } from './application.ts';
import { openDataFolder } from './data-folder/index.ts';
import { type Endpoints, removeOutputs, renderOutputs, type StackOutputs, writeOutputs } from './outputs.ts';
import { prepareTemplate, type RunningTemplate, runTemplate } from './running-template.ts';
import { type Stores, startStores } from './stores.ts';
import { loadAssembly } from './template/load.ts';

/** What to run, and how. */
export interface LocalOptions {
  /** Folder of the cloud assembly (`manifest.json`), or with templates written by hand (`NAME.template.json`). */
  readonly assembly: string;
  /** Folder for everything that outlives the run; one run at a time may use it. Not used when `ephemeral`. */
  readonly data: string;
  /** Keep nothing: a temporary folder, deleted at the stop. @default false */
  readonly ephemeral?: boolean | undefined;
  /** Port of the API on 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Name of the API's stage. @default the first one of the template */
  readonly stage?: string | undefined;
  /** Processes per function, at most. @default 2 */
  readonly concurrency?: number | undefined;
  /** @default dynoxide, or dynalite where it is not installed */
  readonly engine?: 'dynoxide' | 'dynalite' | undefined;
  /** A DynamoDB that runs already, in place of an engine. @default the environment variable DYNAMODB_ENDPOINT */
  readonly dynamodbEndpoint?: string | undefined;
  /** Log what is ignored and why, and what is created and changed. @default false */
  readonly verbose?: boolean | undefined;
  /** File with certificates that the functions trust besides the usual ones. */
  readonly ca?: string | undefined;
  /** `globalThis[Symbol.for(loopbackSymbol)]` is true in the functions' processes; absent: nothing is registered. */
  readonly loopbackSymbol?: string | undefined;
  /** Tests only: take the caller's address from X-Forwarded-For. @default false */
  readonly trustForwardedFor?: boolean | undefined;
  /** Region of stacks whose app left it open. @default us-east-1 */
  readonly region?: string | undefined;
  /** Values of template parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Tests only: endpoints that the functions get in place of the real ones, for a proxy that loses or delays calls. */
  readonly functionEndpoints?: Partial<Pick<Endpoints, 'dynamodb' | 'secretsmanager'>> | undefined;
  /** Pause between two searches for expired items. @default 60,000 */
  readonly ttlSweepMs?: number | undefined;
  /** Receives one line of text at a time. */
  readonly log: (line: string) => void;
}

/** A template that runs. */
export interface Local {
  /** Of the API, without a path: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** By stack and output name, as they are now. */
  readonly outputs: () => StackOutputs;
  readonly endpoints: Endpoints;
  readonly region: string;
  /** Absolute. */
  readonly dataFolder: string;
  /** Absolute; holds `FUNCTION.log` per function and `dynamodb.log`. */
  readonly logFolder: string;
  /**
   * Reads the assembly again and restarts API and functions on the same port; tables and secrets stay and are brought up
   * to date. When the new template cannot be run, the old one goes on.
   * @throws LocalFailure that says why
   */
  reload(): Promise<void>;
  /** Ends everything: no process is left, the data is on disk. */
  stop(): Promise<void>;
}

const ACCOUNT_ID = '000000000000';
const DEFAULT_REGION = 'us-east-1';

/**
 * Starts a template. When it cannot be run, nothing is left running.
 * @throws LocalFailure; an error with code `PORT_TAKEN` or `TEMPLATE_NOT_SUPPORTED`
 */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const region = findRegion(options);
  const folder = await openDataFolder(options.ephemeral === true ? undefined : options.data);
  const undo: (() => Promise<void> | void)[] = [() => folder.close()];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= undoAll(undo);
    return stopped;
  };
  try {
    removeOutputs(folder.path);
    const detail = options.verbose === true ? options.log : () => undefined;
    const source = { ...options, region, accountId: ACCOUNT_ID, dataFolder: folder.path, detail };
    // A template that cannot be run costs no more than reading it.
    const first = prepareTemplate(source);
    const stores = await startStores(folder, {
      engine: options.engine ?? 'dynoxide',
      dynamodbEndpoint: options.dynamodbEndpoint ?? process.env['DYNAMODB_ENDPOINT'],
      region,
      accountId: ACCOUNT_ID,
      log: options.log,
    });
    undo.push(() => stores.stop());
    const settings = applicationSettings(options, stores, folder.path, detail);
    const template = await runTemplate(first, () => prepareTemplate(source), settings);
    undo.push(() => template.stop());
    const local = describe(template, stores, folder.path, settings.logFolder, region);
    local.publish();
    undo.push(() => removeOutputs(folder.path));
    const reload = async () => {
      await template.reload();
      local.publish();
    };
    return { ...local, reload, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Latest first, and all of them: a step that fails must not keep the others from running.
async function undoAll(steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps.toReversed()) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

function findRegion({ assembly, region }: LocalOptions): string {
  return (
    loadAssembly(assembly).find((stack) => stack.region !== undefined)?.region ?? region ?? DEFAULT_REGION
  );
}

function describe(
  template: RunningTemplate,
  stores: Stores,
  dataFolder: string,
  logFolder: string,
  region: string,
): Omit<Local, 'reload' | 'stop'> & { publish(): void } {
  const { url } = template.current();
  const endpoints = { url, dynamodb: stores.dynamodb, secretsmanager: stores.secretsmanager };
  const outputs = () => renderOutputs(template.current().stacks, url);
  const publish = () =>
    writeOutputs(dataFolder, {
      format: 1,
      pid: process.pid,
      region,
      stacks: outputs(),
      endpoints,
      logFolder,
    });
  return { url, endpoints, outputs, region, dataFolder, logFolder, publish };
}

/** Where the operator says that services are which the local run does not stand in for, by the variables of the AWS SDKs. */
function endpointsOfOthers(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      name.startsWith('AWS_ENDPOINT_URL_') && value !== undefined ? [[name, value]] : [],
    ),
  );
}

function applicationSettings(
  options: LocalOptions,
  stores: Stores,
  dataFolder: string,
  detail: (line: string) => void,
): ApplicationSettings {
  const { engine, secretsmanager: secrets, messages } = stores;
  const { dynamodb = engine, secretsmanager = secrets } = options.functionEndpoints ?? {};
  return {
    stores,
    dataFolder,
    logFolder: join(dataFolder, 'logs'),
    port: options.port,
    stage: options.stage,
    concurrency: options.concurrency ?? 2,
    environment: {
      ...endpointsOfOthers(process.env),
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
      AWS_ENDPOINT_URL_EVENTBRIDGE: messages,
      AWS_ENDPOINT_URL_SNS: messages,
    },
    ca: options.ca === undefined ? undefined : resolve(options.ca),
    loopbackSymbol: options.loopbackSymbol,
    trustForwardedFor: options.trustForwardedFor ?? false,
    ttlSweepMs: options.ttlSweepMs ?? 60_000,
    log: options.log,
    detail,
  };
}
