// Runs scenarios on core/limits and the counters in DynamoDB alone, in processes of their own, without the rest of the stack.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TestDynamoDb } from '../../support/dynamodb.ts';
import type { Said, Work } from './direct-worker.ts';
import type { LossyProxy } from './lossy-proxy.ts';
import type { CountingProvider } from './provider.ts';
import type { Outcome, Scenario } from './scenario.ts';

/** Processes that count. */
export const PROCESSES = 8;
/** Their clocks are off by these, in turn. */
const SKEWS_MS = [0, 2_000, -2_000];

/** Processes that are ready for scenarios. */
export interface DirectRun {
  run(scenario: Scenario, index: number): Promise<readonly Outcome[]>;
  stop(): Promise<void>;
}

/** Starts the processes. */
export async function startDirectRun(
  database: TestDynamoDb,
  proxy: LossyProxy,
  provider: CountingProvider,
): Promise<DirectRun> {
  const workers = Array.from({ length: PROCESSES }, (_, index) => startWorker(index));
  await Promise.all(workers.map((worker) => nextMessage(worker)));
  return {
    async run(scenario, index) {
      const shared = {
        scenario,
        index,
        slug: `direct-${randomBytes(4).toString('hex')}`,
        callers: Math.ceil(scenario.callers / PROCESSES),
        atMs: Math.floor(Date.now() / 60_000) * 60_000,
        providerUrl: provider.baseUrl,
        dynamodbUrl: proxy.url,
        table: database.tables.counters,
      };
      const works = workers.map((worker, own) => {
        const numbers = allNumbers(scenario).filter((number) => processOf(number) === own);
        worker.send({ ...shared, numbers } satisfies Work);
        return nextMessage(worker);
      });
      return (await Promise.all(works)).flatMap((said) => (said === 'ready' ? [] : said));
    },
    async stop() {
      await Promise.all(workers.map(end));
    },
  };
}

function allNumbers({ offers }: Scenario): readonly number[] {
  return Array.from({ length: offers }, (_, number) => number);
}

/** Moves on by one with every round, so that no user is served by one process alone. */
function processOf(number: number): number {
  return (number + Math.floor(number / PROCESSES)) % PROCESSES;
}

function startWorker(index: number): ChildProcess {
  return fork(join(import.meta.dirname, 'direct-worker.ts'), [String(SKEWS_MS[index % SKEWS_MS.length])], {
    env: {
      ...process.env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
  });
}

function nextMessage(worker: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`a process of the proof ended with ${code}`));
    worker.once('exit', fail);
    worker.once('message', (said) => {
      worker.removeListener('exit', fail);
      resolve(said as Said);
    });
  });
}

function end(worker: ChildProcess): Promise<void> {
  worker.removeAllListeners('exit');
  return new Promise((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) resolve();
    worker.once('exit', () => resolve());
    worker.kill();
  });
}
