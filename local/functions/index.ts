// Runs the Lambda functions of a template: one pool of processes for each, addressed by ARN.

import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ResolvedStack } from '../template/types.ts';
import { type FunctionDefinition, readFunctions } from './definition.ts';
import { byteLength } from './frames.ts';
import { MAX_PAYLOAD_BYTES, type OnChunk, type Rejection, type RunOutcome } from './outcome.ts';
import { Pool } from './pool.ts';

export type { FunctionError } from './frames.ts';
export type { OnChunk, Rejection, RunOutcome } from './outcome.ts';

/** The outcome of an invocation; `requestId` is the one in the function's context and log. */
export type InvokeResult = (RunOutcome | Rejection) & { readonly requestId: string };

interface InvokeOptions {
  /** Takes the bytes of a streamed answer as they come. @default they are collected */
  readonly onChunk?: OnChunk | undefined;
}

export interface Functions {
  /** Runs a function once. The event becomes JSON. Never rejects. */
  invoke(arn: string, event: unknown, options?: InvokeOptions): Promise<InvokeResult>;
  /** The same with an event that is JSON already, in any number of pieces. */
  invokeJson(arn: string, eventJson: readonly string[], options?: InvokeOptions): Promise<InvokeResult>;
  /** Whether the ARN of a function, a version or an alias is in the template. */
  has(arn: string): boolean;
  /** Ends all processes, those at work after `graceMs` (default 2,000) at most. */
  stop(graceMs?: number): Promise<void>;
}

export interface FunctionsSettings {
  readonly stacks: readonly ResolvedStack[];
  /** Max. processes per function. */
  readonly concurrency: number;
  /** Max. runs that wait for a process, per function. @default 256 */
  readonly queueLength?: number | undefined;
  /** Max. wait of a run. @default 10,000 */
  readonly queueWaitMs?: number | undefined;
  /** After this wait, the processes at work are assumed to be stuck. @default 2,500 */
  readonly reliefAfterMs?: number | undefined;
  /** Variables for every function besides the template's, for example `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly environment: Readonly<Record<string, string>>;
  /** File with certificates that every function trusts besides Node's own. */
  readonly ca?: string | undefined;
  /** `globalThis[Symbol.for(loopbackSymbol)]` is true in every function's process before its bundle loads. */
  readonly loopbackSymbol?: string | undefined;
  /** The output of each function is appended to `logFolder/FUNCTION.log`. */
  readonly logFolder: string;
  /** Keeps compiled code between starts. @default in the log folder */
  readonly compileCacheFolder?: string | undefined;
  readonly log: (line: string) => void;
}

/**
 * Prepares a pool for each function; a process starts with the first invocation.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` that says which function cannot be run and why
 */
export function createFunctions(settings: FunctionsSettings): Functions {
  const definitions = readFunctions(settings.stacks);
  mkdirSync(settings.logFolder, { recursive: true, mode: 0o700 });
  const logFiles: number[] = [];
  const poolSettings = {
    concurrency: settings.concurrency,
    queueLength: settings.queueLength ?? 256,
    queueWaitMs: settings.queueWaitMs ?? 10_000,
    reliefAfterMs: settings.reliefAfterMs ?? 2_500,
    extra: {
      variables: settings.environment,
      ca: settings.ca,
      compileCacheFolder: settings.compileCacheFolder ?? join(settings.logFolder, '.compile-cache'),
    },
    loopbackSymbol: settings.loopbackSymbol,
    log: settings.log,
  };
  const pools = new Map<string, { definition: FunctionDefinition; pool: Pool }>();
  for (const definition of definitions) {
    const logFile = openSync(join(settings.logFolder, `${definition.name}.log`), 'a', 0o600);
    logFiles.push(logFile);
    pools.set(definition.arn, { definition, pool: new Pool(definition, poolSettings, logFile) });
  }
  const find = (arn: string) => findPool(pools, arn);
  const invokeJson: Functions['invokeJson'] = async (arn, eventJson, options) => {
    const requestId = randomUUID();
    const pool = find(arn);
    if (pool === undefined) return { ...notFound(arn), requestId };
    if (byteLength(eventJson) > MAX_PAYLOAD_BYTES) return { ...eventTooLarge(), requestId };
    const outcome = await pool.invoke({ requestId, functionArn: arn, eventJson, onChunk: options?.onChunk });
    return { ...outcome, requestId };
  };
  return {
    invoke: (arn, event, options) => invokeJson(arn, [JSON.stringify(event) ?? 'null'], options),
    invokeJson,
    has: (arn) => find(arn) !== undefined,
    stop: async (graceMs = 2_000) => {
      await Promise.all([...pools.values()].map(({ pool }) => pool.stop(graceMs)));
      for (const logFile of logFiles.splice(0)) closeSync(logFile);
    },
  };
}

// `arn:aws:lambda:REGION:ACCOUNT:function:NAME`, with an alias or a version after a further colon.
function findPool(
  pools: ReadonlyMap<string, { definition: FunctionDefinition; pool: Pool }>,
  arn: string,
): Pool | undefined {
  const whole = pools.get(arn);
  if (whole !== undefined) return whole.pool;
  const colon = arn.lastIndexOf(':');
  const found = pools.get(arn.slice(0, colon));
  return found?.definition.qualifiers.has(arn.slice(colon + 1)) === true ? found.pool : undefined;
}

function notFound(arn: string): Rejection {
  return {
    outcome: 'rejected',
    errorType: 'ResourceNotFoundException',
    message: `Function not found: ${arn}`,
  };
}

function eventTooLarge(): Rejection {
  return {
    outcome: 'rejected',
    errorType: 'RequestTooLargeException',
    message: `Request must be smaller than ${MAX_PAYLOAD_BYTES} bytes for the Invoke operation`,
  };
}
