// One execution environment of a function: a process and its current invocation, with Lambda's limits.
import { writeSync } from 'node:fs';
import { type FunctionProcess, startProcess } from './child.ts';
import type { FunctionDefinition } from './definition.ts';
import type { FunctionError } from './frames.ts';
import {
  answerTooLarge,
  exited,
  MAX_PAYLOAD_BYTES,
  type OnChunk,
  type Rejection,
  type RunOutcome,
  timedOut,
} from './outcome.ts';

/** An invocation that has not been answered. */
export interface PendingInvocation {
  readonly requestId: string;
  readonly functionArn: string;
  readonly eventJson: string;
  readonly onChunk?: OnChunk | undefined;
  /** Called once the answer is complete; the process may still be at work. */
  readonly settle: (outcome: RunOutcome | Rejection) => void;
}

interface EnvironmentSettings {
  readonly variables: Readonly<Record<string, string>>;
  readonly logFile: number;
  readonly loopbackSymbol: string | undefined;
  readonly log: (line: string) => void;
  /** Ready for a run. */
  readonly onIdle: (environment: Environment, before: 'starting' | 'running') => void;
  readonly onInitFailure: (error: FunctionError) => void;
  /** It takes no more runs. */
  readonly onGone: (environment: Environment, before: EnvironmentState) => void;
}

/** `gone`: the process has ended or is being killed. */
export type EnvironmentState = 'starting' | 'idle' | 'running' | 'gone';

// Lambda Developer Guide, "Runtime environment lifecycle": the init phase has ten seconds.
const INIT_TIMEOUT_SECONDS = 10;

/** Runs one invocation at a time. A class, since a dozen events change the same five fields. */
export class Environment {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #definition: FunctionDefinition;
  readonly #settings: EnvironmentSettings;
  readonly #process: FunctionProcess;
  readonly #resolveEnded: () => void;
  #state: EnvironmentState = 'starting';
  #run: PendingInvocation | undefined;
  #timer: NodeJS.Timeout;
  #collected: Buffer[] = [];
  #streamed = false;
  #stopping = false;

  constructor(definition: FunctionDefinition, settings: EnvironmentSettings) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#definition = definition;
    this.#settings = settings;
    const initSeconds = Math.max(INIT_TIMEOUT_SECONDS, definition.timeoutSeconds);
    this.#timer = setTimeout(() => this.#expire('init', initSeconds), initSeconds * 1000);
    this.#process = startProcess(
      {
        codeFolder: definition.codeFolder,
        memoryMb: definition.memoryMb,
        environment: settings.variables,
        logFile: settings.logFile,
        start: { loopbackSymbol: settings.loopbackSymbol },
      },
      {
        ready: () => this.#becomeIdle('starting'),
        initFailure: (error) => this.#failInit(error),
        result: (json) => this.#settle(limited(json)),
        failure: (error) => this.#settle({ outcome: 'failed', error, streamed: this.#streamed }),
        chunk: (bytes) => this.#takeChunk(bytes),
        end: () => this.#endStream(),
        free: () => this.#becomeIdle('running'),
        exit: (reason) => this.#exit(reason),
      },
    );
  }

  /** Begins a run. Only for an idle environment. */
  run(run: PendingInvocation): void {
    const { requestId, functionArn } = run;
    const { timeoutSeconds } = this.#definition;
    this.#state = 'running';
    this.#run = run;
    this.#collected = [];
    this.#streamed = false;
    this.#timer = setTimeout(() => this.#expire(requestId, timeoutSeconds), timeoutSeconds * 1000);
    const deadline = Date.now() + timeoutSeconds * 1000;
    this.#process.invoke({ requestId, functionArn, deadline }, run.eventJson);
  }

  /** Ends the process: at once, or after its run, but at most after the given time. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const kill = setTimeout(() => this.#process.kill(), this.#state === 'running' ? graceMs : 0);
    await this.ended;
    clearTimeout(kill);
  }

  #becomeIdle(before: 'starting' | 'running'): void {
    if (this.#state !== before) return;
    clearTimeout(this.#timer);
    this.#state = 'idle';
    if (this.#stopping) this.#process.kill();
    else this.#settings.onIdle(this, before);
  }

  #takeChunk(bytes: Buffer): void {
    if (this.#run === undefined) return;
    if (this.#run.onChunk === undefined) {
      this.#collected.push(bytes);
      return;
    }
    this.#streamed = true;
    if (!this.#run.onChunk(bytes, () => this.#process.resume())) this.#process.pause();
  }

  #endStream(): void {
    const isTaken = this.#run?.onChunk !== undefined;
    this.#settle(isTaken ? { outcome: 'streamed' } : limited(Buffer.concat(this.#collected)));
  }

  #settle(outcome: RunOutcome): void {
    const run = this.#run;
    this.#run = undefined;
    run?.settle(outcome);
  }

  #expire(requestId: string, seconds: number): void {
    const error = timedOut(requestId, seconds);
    if (this.#state === 'starting') this.#failInit(error);
    else this.#log(`${requestId} Task timed out after ${seconds.toFixed(2)} seconds`);
    this.#settle({ outcome: 'failed', error, streamed: this.#streamed });
    this.#markGone();
    this.#process.kill();
  }

  #failInit(error: FunctionError): void {
    if (this.#state !== 'starting') return;
    this.#log(`${error.errorType}: ${error.errorMessage}`);
    this.#settings.onInitFailure(error);
    this.#markGone();
  }

  #exit(reason: string): void {
    const error = exited(this.#run?.requestId ?? 'init', reason);
    if (this.#state === 'starting') this.#failInit(error);
    else if (this.#state === 'running') this.#log(error.errorMessage);
    this.#settle({ outcome: 'failed', error, streamed: this.#streamed });
    this.#markGone();
    this.#resolveEnded();
  }

  #markGone(): void {
    if (this.#state === 'gone') return;
    const before = this.#state;
    this.#state = 'gone';
    clearTimeout(this.#timer);
    this.#settings.onGone(this, before);
  }

  #log(text: string): void {
    this.#settings.log(`${this.#definition.name}: ${text}`);
    try {
      writeSync(this.#settings.logFile, `${new Date().toISOString()} ${text}\n`);
    } catch (error) {
      // A full disk must not end the runner, which holds the tables.
      this.#settings.log(`${this.#definition.name}: its log cannot be written: ${(error as Error).message}`);
    }
  }
}

function limited(payload: Buffer): RunOutcome {
  return payload.length > MAX_PAYLOAD_BYTES
    ? { outcome: 'failed', error: answerTooLarge(), streamed: false }
    : { outcome: 'succeeded', payload };
}

/** Variables that the local run adds for every function. */
export interface ExtraVariables {
  /** For example `AWS_ENDPOINT_URL_DYNAMODB`. */
  readonly variables: Readonly<Record<string, string>>;
  /** File with certificates to trust besides Node's own. */
  readonly ca?: string | undefined;
  /** Node keeps compiled code there between starts; the process hides the variable from the function. */
  readonly compileCacheFolder: string;
}

/**
 * All variables of a function's process. Only `PATH` comes from the runner, so that nothing works here because of the machine.
 * Names and values: Lambda Developer Guide, "Defined runtime environment variables"; the credentials are placeholders.
 */
export function buildVariables(
  definition: FunctionDefinition,
  extra: ExtraVariables,
  logStream: string,
): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: definition.handler,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_DEFAULT_REGION: definition.region,
    AWS_REGION: definition.region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: definition.version,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat,
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    LAMBDA_TASK_ROOT: definition.codeFolder,
    ...definition.variables,
    ...extra.variables,
    ...(extra.ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: extra.ca }),
    NODE_COMPILE_CACHE: extra.compileCacheFolder,
  };
}
