// The environments of one function: starts them on demand, gives each as many invocations as it takes, queues the others.

import { createThrottle } from '../http/throttle.ts';
import type { FunctionDefinition } from './definition.ts';
import { buildVariables, Environment, type ExtraVariables, type PendingInvocation } from './environment.ts';
import type { Rejection, RunOutcome } from './outcome.ts';

interface PoolSettings {
  /** Max. processes per function. */
  readonly concurrency: number;
  readonly queueLength: number;
  /** Max. wait of a run. */
  readonly queueWaitMs: number;
  /** After this wait, the processes at work are assumed to be stuck. */
  readonly reliefAfterMs: number;
  readonly extra: ExtraVariables;
  readonly loopbackSymbol?: string | undefined;
  readonly log: (line: string) => void;
}

/** For each environment. */
const INVOCATIONS_PER_SECOND = 10;

interface QueuedRun {
  readonly run: PendingInvocation;
  readonly timer: NodeJS.Timeout;
  readonly relief: NodeJS.Timeout;
}

/**
 * Stands in for Lambda's scaling. Lambda has no queue and starts one more environment at once; a machine of few cores lets the
 * caller wait first. Reserved concurrency is as on Lambda: a run beyond it is rejected at once, and so is one beyond ten
 * a second for each reserved environment. A class, since runs, processes
 * and timers change the same few lists.
 */
export class Pool {
  readonly #definition: FunctionDefinition;
  readonly #settings: PoolSettings;
  readonly #logFile: number;
  readonly #reserved: number;
  readonly #maxProcesses: number;
  readonly #isWithinRate: () => boolean;
  /** All processes that have not ended. */
  readonly #processes = new Set<Environment>();
  /** With room for a run. The one used last is at the end and is taken first, as on Lambda: it is the warmest. */
  readonly #free: Environment[] = [];
  readonly #queue: QueuedRun[] = [];
  /** Environments that take runs, or will once they have started. */
  #live = 0;
  #starting = 0;
  #running = 0;
  #stopped = false;

  constructor(definition: FunctionDefinition, settings: PoolSettings, logFile: number) {
    this.#definition = definition;
    this.#settings = settings;
    this.#logFile = logFile;
    this.#reserved = definition.reservedConcurrency ?? Number.POSITIVE_INFINITY;
    this.#maxProcesses = Math.min(settings.concurrency, this.#reserved);
    this.#isWithinRate = limitRate(definition.reservedConcurrency);
  }

  /** Runs the function once; never rejects. */
  invoke(request: Omit<PendingInvocation, 'settle'>): Promise<RunOutcome | Rejection> {
    return new Promise((settle) => {
      const run = { ...request, settle };
      const isFull =
        this.#stopped || this.#running + this.#queue.length >= this.#reserved || !this.#isWithinRate();
      const environment = isFull ? undefined : this.#free.at(-1);
      if (environment !== undefined) this.#assign(environment, run);
      else if (isFull || this.#queue.length >= this.#settings.queueLength)
        settle(throttled(this.#definition));
      else this.#enqueue(run);
    });
  }

  /** Ends all processes, those at work after the given time at most. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (let run = this.#dequeue(); run !== undefined; run = this.#dequeue())
      run.settle(throttled(this.#definition));
    await Promise.all([...this.#processes].map((environment) => environment.stop(graceMs)));
  }

  #assign(environment: Environment, run: PendingInvocation): void {
    this.#running += 1;
    environment.run(run);
    if (!environment.hasRoom) this.#forget(environment);
  }

  #enqueue(run: PendingInvocation): void {
    const timer = setTimeout(() => {
      const index = this.#queue.findIndex((queued) => queued.run === run);
      if (index >= 0) this.#queue.splice(index, 1);
      run.settle(throttled(this.#definition));
    }, this.#settings.queueWaitMs);
    // A process that hangs is killed at its timeout, which may be minutes away. Lambda would have started another one.
    const more = Math.min(2 * this.#maxProcesses, this.#reserved);
    const relief = setTimeout(() => this.#grow(more), this.#settings.reliefAfterMs);
    this.#queue.push({ run, timer, relief });
    this.#grow();
  }

  #dequeue(): PendingInvocation | undefined {
    const queued = this.#queue.shift();
    clearTimeout(queued?.timer);
    clearTimeout(queued?.relief);
    return queued?.run;
  }

  #grow(max = this.#maxProcesses): void {
    const expected = this.#starting * this.#definition.runsAtOnce;
    if (this.#stopped || this.#queue.length <= expected || this.#live >= max) return;
    this.#live += 1;
    this.#starting += 1;
    const environment = new Environment(this.#definition, {
      variables: buildVariables(this.#definition, this.#settings.extra, `local/${Date.now()}`),
      logFile: this.#logFile,
      loopbackSymbol: this.#settings.loopbackSymbol,
      log: this.#settings.log,
      onReady: (ready) => {
        this.#starting -= 1;
        this.#fill(ready);
      },
      onRoom: (free) => this.#fill(free),
      onRunEnd: () => {
        this.#running -= 1;
      },
      onInitFailure: (error) => this.#dequeue()?.settle({ outcome: 'failed', error, streamed: false }),
      onGone: (gone, before) => {
        this.#live -= 1;
        if (before === 'starting') this.#starting -= 1;
        this.#forget(gone);
        this.#grow();
      },
    });
    this.#processes.add(environment);
    void environment.ended.then(() => this.#processes.delete(environment));
  }

  /** Gives an environment the runs that wait, as many as it takes; it keeps the rest of its room. */
  #fill(environment: Environment): void {
    this.#forget(environment);
    this.#free.push(environment);
    while (environment.hasRoom) {
      const run = this.#dequeue();
      if (run === undefined) return;
      this.#assign(environment, run);
    }
  }

  #forget(environment: Environment): void {
    const index = this.#free.indexOf(environment);
    if (index >= 0) this.#free.splice(index, 1);
  }
}

/**
 * "Each instance of your execution environment can serve up to 10 requests per second … the total invocation limit is 10 times your
 * concurrency limit" (lambda/latest/dg/gettingstarted-limits.html). Without a reservation the limit is the account's, which is not here.
 */
function limitRate(reserved: number | undefined): () => boolean {
  const limit = reserved === undefined ? undefined : reserved * INVOCATIONS_PER_SECOND;
  return createThrottle({ rateLimit: limit, burstLimit: limit }, () => performance.now());
}

// Lambda API reference, "Invoke": 429 TooManyRequestsException.
function throttled(definition: FunctionDefinition): Rejection {
  return {
    outcome: 'rejected',
    errorType: 'TooManyRequestsException',
    message: `Rate Exceeded: no free environment for ${definition.name}.`,
  };
}
