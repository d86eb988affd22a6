// Runs a synthesized CloudFormation template on this machine: its API, functions, tables, secrets, streams and schedules.

import { join, resolve } from 'node:path';
import { type ApplicationSettings, runApplication } from './application.ts';
import { openDataFolder } from './data-folder/index.ts';
import { type Endpoints, removeOutputs, renderOutputs, type StackOutputs, writeOutputs } from './outputs.ts';
import { checkResources } from './resources/check.ts';
import { type Stores, startStores } from './stores.ts';
import { loadAssembly } from './template/load.ts';
import { resolveStacks } from './template/resolve-stacks.ts';
import type { ResolvedStack } from './template/types.ts';

export interface LocalOptions {
  /** Folder of the cloud assembly (`manifest.json`), or with templates written by hand (`NAME.template.json`). */
  readonly assembly: string;
  /** Folder for everything that outlives the run; one run at a time may use it. Not used if `ephemeral`. */
  readonly data: string;
  /** Keep nothing: a temporary folder, deleted at the stop. @default false */
  readonly ephemeral?: boolean | undefined;
  /** Port of the API on 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Name of the API's stage. @default the first one of the template */
  readonly stage?: string | undefined;
  /** Max. processes per function. @default 2 */
  readonly concurrency?: number | undefined;
  /** @default dynoxide, or dynalite where it is not installed */
  readonly engine?: 'dynoxide' | 'dynalite' | undefined;
  /** A DynamoDB that runs already, in place of an engine. @default the environment variable DYNAMODB_ENDPOINT */
  readonly dynamodbEndpoint?: string | undefined;
  /** Log what is ignored and why, and what is created and changed. @default false */
  readonly verbose?: boolean | undefined;
  /** File with certificates that the functions trust besides the usual ones. */
  readonly ca?: string | undefined;
  /** Sets `globalThis[Symbol.for(loopbackSymbol)]` to true in the processes of functions. @default nothing is set */
  readonly loopbackSymbol?: string | undefined;
  /** Keeps what Node compiled of the functions between runs. @default in the log folder, so gone with an ephemeral run */
  readonly compileCacheFolder?: string | undefined;
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

export interface Local {
  /** The API, without a path: `http://127.0.0.1:3000`. */
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
   * Reads the assembly again, updates the tables, and restarts API and functions on the same port. If the new template cannot
   * be run, the old one runs again.
   * @throws LocalFailure that says why
   */
  reload(): Promise<void>;
  /** Ends everything: no process is left, the data is on disk. */
  stop(): Promise<void>;
}

const ACCOUNT_ID = '000000000000';
const DEFAULT_REGION = 'us-east-1';
const DEFAULT_CONCURRENCY = 2;
const DEFAULT_TTL_SWEEP_MS = 60_000;

/**
 * Starts a template. If it cannot be run, nothing is left running.
 * @throws LocalFailure
 */
export async function startLocal(options: LocalOptions): Promise<Local> {
  const { log } = options;
  const region = findRegion(options);
  const folder = await openDataFolder(options.ephemeral === true ? undefined : options.data);
  const dataFolder = folder.path;
  const undo: (() => Promise<void> | void)[] = [() => folder.close()];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= undoAll(undo);
    return stopped;
  };
  try {
    removeOutputs(dataFolder);
    const detail = options.verbose === true ? log : () => undefined;
    const read = () => readStacks(options, region, dataFolder, detail);
    // Before anything is started: a template that cannot be run costs no more than reading it.
    const stacks = read();
    const stores = await startStores(folder, {
      engine: options.engine ?? 'dynoxide',
      dynamodbEndpoint: options.dynamodbEndpoint ?? process.env['DYNAMODB_ENDPOINT'],
      region,
      accountId: ACCOUNT_ID,
      log,
    });
    undo.push(() => stores.stop());
    const settings = applicationSettings(options, stores, dataFolder, detail);
    const application = await runApplication(stacks, read, settings);
    undo.push(() => application.stop());
    const { logFolder } = settings;
    const { url } = application.current();
    const endpoints = { url, dynamodb: stores.dynamodb, secretsmanager: stores.secretsmanager };
    const outputs = () => renderOutputs(application.current().stacks, url);
    const publish = () =>
      writeOutputs(dataFolder, {
        format: 1,
        pid: process.pid,
        region,
        stacks: outputs(),
        endpoints,
        logFolder,
      });
    publish();
    undo.push(() => removeOutputs(dataFolder));
    const reload = () => application.reload().then(publish);
    return { url, outputs, endpoints, region, dataFolder, logFolder, reload, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readStacks(
  { assembly, parameters = {} }: LocalOptions,
  region: string,
  dataFolder: string,
  detail: (line: string) => void,
): readonly ResolvedStack[] {
  const inlineCodeFolder = join(dataFolder, 'inline-code');
  const settings = { region, accountId: ACCOUNT_ID, parameters, inlineCodeFolder };
  const stacks = resolveStacks(loadAssembly(assembly), settings);
  for (const line of checkResources(stacks)) detail(line);
  return stacks;
}

// The latest first, and all of them, even if one fails.
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

/** Endpoints that the operator set for services without a stand-in, by the variables of the AWS SDKs. */
function otherEndpoints(
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
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    environment: {
      ...otherEndpoints(process.env),
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
      AWS_ENDPOINT_URL_EVENTBRIDGE: messages,
      AWS_ENDPOINT_URL_SNS: messages,
    },
    ca: options.ca === undefined ? undefined : resolve(options.ca),
    loopbackSymbol: options.loopbackSymbol,
    compileCacheFolder:
      options.compileCacheFolder === undefined ? undefined : resolve(options.compileCacheFolder),
    trustForwardedFor: options.trustForwardedFor ?? false,
    ttlSweepMs: options.ttlSweepMs ?? DEFAULT_TTL_SWEEP_MS,
    log: options.log,
    detail,
  };
}
