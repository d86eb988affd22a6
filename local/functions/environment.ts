// One execution environment of a function: a process and its current invocations, with Lambda's limits.
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
  readonly eventJson: readonly string[];
  readonly onChunk?: OnChunk | undefined;
  /** Called once the answer is complete; the process may still be at work. */
  readonly settle: (outcome: RunOutcome | Rejection) => void;
}

interface EnvironmentSettings {
  readonly variables: Readonly<Record<string, string>>;
  readonly logFile: number;
  readonly loopbackSymbol: string | undefined;
  readonly log: (line: string) => void;
  /** It takes its first run. */
  readonly onReady: (environment: Environment) => void;
  /** A run has ended, and there is room for one more. */
  readonly onRoom: (environment: Environment) => void;
  /** A run has ended, whether it leaves room or not. */
  readonly onRunEnd: () => void;
  readonly onInitFailure: (error: FunctionError) => void;
  /** It takes no more runs. */
  readonly onGone: (environment: Environment, before: EnvironmentState) => void;
}

/** `gone`: the process has ended or is being killed, or it only finishes what it has begun. */
export type EnvironmentState = 'starting' | 'ready' | 'gone';

/** A run whose handler has not settled. */
interface ActiveRun extends PendingInvocation {
  readonly timer: NodeJS.Timeout;
  readonly collected: Buffer[];
  isStreamed: boolean;
  isSettled: boolean;
}

// Lambda Developer Guide, "Runtime environment lifecycle": the init phase has ten seconds.
const INIT_TIMEOUT_SECONDS = 10;

/** Runs as many invocations at a time as its function allows. A class, since a dozen events change the same few fields. */
export class Environment {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #definition: FunctionDefinition;
  readonly #settings: EnvironmentSettings;
  readonly #process: FunctionProcess;
  readonly #resolveEnded: () => void;
  readonly #runs = new Map<number, ActiveRun>();
  readonly #initTimer: NodeJS.Timeout;
  #state: EnvironmentState = 'starting';
  #lastRun = 0;

  constructor(definition: FunctionDefinition, settings: EnvironmentSettings) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#definition = definition;
    this.#settings = settings;
    const initSeconds = Math.max(INIT_TIMEOUT_SECONDS, definition.timeoutSeconds);
    this.#initTimer = setTimeout(() => this.#expireInit(initSeconds), initSeconds * 1000);
    this.#process = startProcess(
      {
        codeFolder: definition.codeFolder,
        memoryMb: definition.memoryMb,
        environment: settings.variables,
        logFile: settings.logFile,
        start: { loopbackSymbol: settings.loopbackSymbol },
      },
      {
        ready: () => this.#becomeReady(),
        initFailure: (error) => this.#failInit(error),
        result: (number, json) => this.#settle(number, limited(json)),
        failure: (number, error) => this.#fail(number, error),
        chunk: (number, bytes) => this.#takeChunk(number, bytes),
        end: (number) => this.#endStream(number),
        free: (number) => this.#endRun(number),
        exit: (reason) => this.#exit(reason),
      },
    );
  }

  get hasRoom(): boolean {
    return this.#state === 'ready' && this.#runs.size < this.#definition.runsAtOnce;
  }

  /** Begins a run. Only where there is room. */
  run(run: PendingInvocation): void {
    const { requestId, functionArn } = run;
    const { timeoutSeconds } = this.#definition;
    this.#lastRun += 1;
    const number = this.#lastRun;
    const timer = setTimeout(() => this.#expire(number, timeoutSeconds), timeoutSeconds * 1000);
    this.#runs.set(number, { ...run, timer, collected: [], isStreamed: false, isSettled: false });
    const deadline = Date.now() + timeoutSeconds * 1000;
    this.#process.invoke(number, { requestId, functionArn, deadline }, run.eventJson);
  }

  /** Ends the process: at once, or after its runs, but at most after the given time. */
  async stop(graceMs: number): Promise<void> {
    this.#retire();
    const kill = setTimeout(() => this.#process.kill(), graceMs);
    await this.ended;
    clearTimeout(kill);
  }

  #becomeReady(): void {
    if (this.#state !== 'starting') return;
    clearTimeout(this.#initTimer);
    this.#state = 'ready';
    this.#settings.onReady(this);
  }

  #takeChunk(number: number, bytes: Buffer): void {
    const run = this.#runs.get(number);
    if (run === undefined || run.isSettled) return;
    if (run.onChunk === undefined) {
      run.collected.push(bytes);
      return;
    }
    run.isStreamed = true;
    if (!run.onChunk(bytes, () => this.#process.resume(number))) this.#process.pause(number);
  }

  #endStream(number: number): void {
    const run = this.#runs.get(number);
    if (run === undefined) return;
    const isTaken = run.onChunk !== undefined;
    this.#settle(number, isTaken ? { outcome: 'streamed' } : limited(Buffer.concat(run.collected)));
  }

  #fail(number: number, error: FunctionError): void {
    this.#settle(number, { outcome: 'failed', error, streamed: this.#runs.get(number)?.isStreamed === true });
  }

  #settle(number: number, outcome: RunOutcome): void {
    const run = this.#runs.get(number);
    if (run === undefined || run.isSettled) return;
    run.isSettled = true;
    run.settle(outcome);
  }

  /** The handler of a run has settled, or will never. */
  #endRun(number: number): void {
    const run = this.#runs.get(number);
    if (run === undefined) return;
    clearTimeout(run.timer);
    this.#runs.delete(number);
    this.#settings.onRunEnd();
    if (this.#state === 'gone') this.#killWhenIdle();
    else if (this.hasRoom) this.#settings.onRoom(this);
  }

  #expire(number: number, seconds: number): void {
    const requestId = this.#runs.get(number)?.requestId ?? '';
    this.#log(`${requestId} Task timed out after ${seconds.toFixed(2)} seconds`);
    this.#fail(number, timedOut(requestId, seconds));
    this.#retire();
    this.#endRun(number);
  }

  #expireInit(seconds: number): void {
    this.#failInit(timedOut('init', seconds));
    this.#process.kill();
  }

  #failInit(error: FunctionError): void {
    if (this.#state !== 'starting') return;
    this.#log(`${error.errorType}: ${error.errorMessage}`);
    this.#settings.onInitFailure(error);
    this.#markGone();
  }

  #exit(reason: string): void {
    if (this.#state === 'starting') this.#failInit(exited('init', reason));
    for (const [number, { requestId }] of this.#runs) {
      const error = exited(requestId, reason);
      this.#log(error.errorMessage);
      this.#fail(number, error);
    }
    this.#markGone();
    for (const number of this.#runs.keys()) this.#endRun(number);
    this.#resolveEnded();
  }

  /** Takes no more runs, and ends the process after those that it has. */
  #retire(): void {
    this.#markGone();
    this.#killWhenIdle();
  }

  #killWhenIdle(): void {
    if (this.#runs.size === 0) this.#process.kill();
  }

  #markGone(): void {
    if (this.#state === 'gone') return;
    const before = this.#state;
    this.#state = 'gone';
    clearTimeout(this.#initTimer);
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
