// The environments of one function: starts them on demand, hands each one invocation at a time, queues the rest.

import type { FunctionDefinition } from './definition.ts';
import { Environment, type PendingInvocation } from './environment.ts';
import type { OnChunk, Rejection, RunOutcome } from './outcome.ts';
import { buildVariables, type ExtraVariables } from './variables.ts';

/** What all pools share. */
interface PoolSettings {
  /** At most so many processes per function. */
  readonly concurrency: number;
  /** At most so many runs wait for a process. */
  readonly queueLength: number;
  /** A run that has waited longer is refused. */
  readonly queueWaitMs: number;
  /** After so long a wait, the processes at work are taken for stuck. */
  readonly reliefAfterMs: number;
  readonly extra: ExtraVariables;
  readonly loopbackSymbol?: string | undefined;
  /** Takes one line of text about the local run itself. */
  readonly log: (line: string) => void;
}

/** One invocation as a caller wants it. */
interface InvokeRequest {
  readonly requestId: string;
  readonly functionArn: string;
  readonly eventJson: string;
  readonly onChunk?: OnChunk | undefined;
}

interface Waiting {
  readonly run: PendingInvocation;
  readonly timer: NodeJS.Timeout;
  readonly relief: NodeJS.Timeout;
}

/**
 * A pool stands in for Lambda's scaling. Lambda has no queue: where it would start one more environment, a machine of
 * few cores lets the caller wait for a bounded time, and starts one more where that does not help. The template's reserved concurrency is held as Lambda holds it: a
 * run beyond it is refused at once. A class, because runs, processes and timers change the same few lists.
 */
export class Pool {
  readonly #definition: FunctionDefinition;
  readonly #settings: PoolSettings;
  readonly #logFile: number;
  readonly #reserved: number;
  readonly #most: number;
  /** All processes that have not ended. */
  readonly #processes = new Set<Environment>();
  /** The one used last is at the end: it is the warmest, and Lambda takes it first. */
  readonly #idle: Environment[] = [];
  readonly #waiting: Waiting[] = [];
  #starting = 0;
  #running = 0;
  #stopped = false;

  constructor(definition: FunctionDefinition, settings: PoolSettings, logFile: number) {
    this.#definition = definition;
    this.#settings = settings;
    this.#logFile = logFile;
    this.#reserved = definition.reservedConcurrency ?? Number.POSITIVE_INFINITY;
    this.#most = Math.min(settings.concurrency, this.#reserved);
  }

  /** Runs the function once; never rejects. */
  invoke(request: InvokeRequest): Promise<RunOutcome | Rejection> {
    return new Promise((settle) => {
      const run = { ...request, settle };
      const environment = this.#idle.pop();
      if (this.#stopped || this.#running + this.#waiting.length >= this.#reserved) {
        if (environment !== undefined) this.#idle.push(environment);
        settle(throttled(this.#definition));
      } else if (environment !== undefined) this.#give(environment, run);
      else if (this.#waiting.length >= this.#settings.queueLength) settle(throttled(this.#definition));
      else this.#enqueue(run);
    });
  }

  /** Lets running invocations go on for the given time, then ends all processes. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (let run = this.#next(); run !== undefined; run = this.#next())
      run.settle(throttled(this.#definition));
    await Promise.all([...this.#processes].map((environment) => environment.stop(graceMs)));
  }

  #give(environment: Environment, run: PendingInvocation): void {
    this.#running += 1;
    environment.run(run);
  }

  #enqueue(run: PendingInvocation): void {
    const timer = setTimeout(() => {
      const index = this.#waiting.findIndex((waiting) => waiting.run === run);
      if (index >= 0) this.#waiting.splice(index, 1);
      run.settle(throttled(this.#definition));
    }, this.#settings.queueWaitMs);
    // A process that is stopped or hangs holds its place until its timeout, which may be minutes away. Lambda would start another one.
    const more = Math.min(2 * this.#most, this.#reserved);
    const relief = setTimeout(() => this.#grow(more), this.#settings.reliefAfterMs);
    this.#waiting.push({ run, timer, relief });
    this.#grow();
  }

  #next(): PendingInvocation | undefined {
    const waiting = this.#waiting.shift();
    clearTimeout(waiting?.timer);
    clearTimeout(waiting?.relief);
    return waiting?.run;
  }

  #grow(most = this.#most): void {
    const live = this.#starting + this.#running + this.#idle.length;
    if (this.#stopped || this.#waiting.length <= this.#starting || live >= most) return;
    this.#starting += 1;
    const environment = new Environment(this.#definition, {
      variables: buildVariables(this.#definition, this.#settings.extra, `local/${Date.now()}`),
      logFile: this.#logFile,
      loopbackSymbol: this.#settings.loopbackSymbol,
      log: this.#settings.log,
      onFree: (free, before) => {
        this.#leave(free, before);
        const run = this.#next();
        if (run === undefined) this.#idle.push(free);
        else this.#give(free, run);
      },
      onInitFailure: (error) => this.#next()?.settle({ outcome: 'failed', error, streamed: false }),
      onGone: (gone, before) => {
        this.#leave(gone, before);
        this.#grow();
      },
    });
    this.#processes.add(environment);
    void environment.ended.then(() => this.#processes.delete(environment));
  }

  #leave(environment: Environment, before: 'starting' | 'idle' | 'running' | 'gone'): void {
    if (before === 'starting') this.#starting -= 1;
    else if (before === 'running') this.#running -= 1;
    else if (before === 'idle') this.#idle.splice(this.#idle.indexOf(environment), 1);
  }
}

// Lambda API reference, "Invoke": 429 TooManyRequestsException.
function throttled(definition: FunctionDefinition): Rejection {
  return {
    outcome: 'rejected',
    errorType: 'TooManyRequestsException',
    message: `Rate Exceeded: no free environment for ${definition.name}.`,
  };
}
