// Runs at once under 16 environments that are killed in the middle of runs, with clocks that are off and answers that are lost: never more than
// the limit, and every place used again within a second of being free. Runs are counted here, by connections that a kill ends.
import { type ChildProcess, fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDynamoDb } from '../../support/dynamodb.ts';
import type { KilledWork } from './killed-worker.ts';
import type { LossyProxy } from './lossy-proxy.ts';
import type { ScenarioReport } from './report.ts';
import { UNEXPLAINED } from './verdict.ts';

const ENVIRONMENTS = 16;
const CALLERS = 4;
const LIMIT = 12;
const DEADLINE_MS = 2_000;
/** Of the functions' clocks: a slow one would end leases of runs that go on, if it decided. */
const SKEWS_MS = [0, 2_000, -2_000, 20_000, -20_000];
const KILLS = 24;
const KILL_EVERY_MS = 700;
/** Within this a free place is to be in use again. */
const REUSE_MS = 1_000;
/** Leases of dead runs end at the latest: by the documentation 10 s after the deadline, and as much later as the clock is fast. */
const MAX_LEASE_MS = DEADLINE_MS + 10_000 + Math.max(...SKEWS_MS);

/** What the proof sees of runs. */
interface Observed {
  running: number;
  most: number;
  /** The latest moment at which a place of a run that died is free, by the documentation. */
  freeMs: number;
  /** When as many ran as may, for the first time after that moment. */
  fullMs: number | undefined;
  readonly codes: Map<string, number>;
  writersSeen: Set<number>;
}

/** Runs it, and reports it as one scenario with one rule. */
export async function runKilled(database: TestDynamoDb, proxy: LossyProxy): Promise<ScenarioReport> {
  const observed: Observed = {
    ...{ running: 0, most: 0, freeMs: 0, fullMs: undefined },
    ...{ codes: new Map(), writersSeen: new Set() },
  };
  const server = await countRuns(observed);
  // Answers that are lost hold places until leases end; they stop with the kills.
  proxy.begin({ takeAnswers: 25, settlements: 40 });
  const countPort = (server.address() as AddressInfo).port;
  const start = (index: number): ChildProcess =>
    startEnvironment(index, { dynamodbUrl: proxy.url, table: database.tables.counters, countPort }, observed);
  const environments = Array.from({ length: ENVIRONMENTS }, (_, index) => start(index));
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(KILL_EVERY_MS);
    const index = Math.floor(Math.random() * ENVIRONMENTS);
    environments[index]?.kill('SIGKILL');
    environments[index] = start(index);
  }
  const writes = proxy.writes();
  const losses = { ...proxy.losses };
  for (const pid of proxy.writers()) observed.writersSeen.add(pid);
  proxy.begin(undefined);
  // Every lease of a run that died, and of a write whose answer was lost, ends by then.
  observed.freeMs = Date.now() + MAX_LEASE_MS;
  const limitMs = observed.freeMs + 30_000;
  while (observed.fullMs === undefined && Date.now() < limitMs) await sleep(50);
  for (const one of environments) one.kill('SIGKILL');
  server.close();
  process.stderr.write(
    `killed: ${KILLS} kills, ${losses.takes} answers and ${losses.settlements} settlements lost\n`,
  );
  return toReport(observed, writes + proxy.writes());
}

function toReport(observed: Observed, writes: number): ScenarioReport {
  const { most, freeMs, fullMs, codes, writersSeen } = observed;
  const lateMs = (fullMs ?? Number.POSITIVE_INFINITY) - freeMs;
  return {
    where: 'core/limits and DynamoDB',
    name: `runs at once, ${KILLS} kills of ${ENVIRONMENTS} environments, clocks 20 s off, slow runs`,
    offered: [...codes.values()].reduce((sum, many) => sum + many, 0),
    outcomes: Object.fromEntries(codes),
    rules: [
      {
        rule: 'concurrent total',
        limit: LIMIT,
        counters: 1,
        admitted: codes.get('ok') ?? 0,
        overshoot: Math.max(0, most - LIMIT),
        undershoot: Math.max(0, LIMIT - most),
        cause:
          most < LIMIT || lateMs > REUSE_MS
            ? UNEXPLAINED
            : `all ${LIMIT} in use ${Math.max(0, Math.round(lateMs))} ms after the last was free`,
      },
    ],
    writes,
    writers: [...writersSeen],
  };
}

/** Each run is a connection: it says when it begins and ends, is answered, and ends with its process. */
async function countRuns(observed: Observed): Promise<Server> {
  const server = createServer((socket: Socket) => {
    let isRunning = false;
    const end = (): void => {
      if (isRunning) observed.running -= 1;
      isRunning = false;
    };
    socket.on('data', (data) => {
      if (data.toString().startsWith('begin')) {
        isRunning = true;
        observed.running += 1;
        observed.most = Math.max(observed.most, observed.running);
        const nowMs = Date.now();
        if (observed.freeMs > 0 && nowMs >= observed.freeMs && observed.running === LIMIT)
          observed.fullMs ??= nowMs;
      } else end();
      socket.write('.');
    });
    socket.on('close', end);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  return server;
}

function startEnvironment(
  index: number,
  where: Pick<KilledWork, 'dynamodbUrl' | 'table' | 'countPort'>,
  observed: Observed,
): ChildProcess {
  const work: KilledWork = {
    ...where,
    ...{ callers: CALLERS, limit: LIMIT, deadlineMs: DEADLINE_MS },
    skewMs: SKEWS_MS[index % SKEWS_MS.length] ?? 0,
  };
  const child = fork(join(import.meta.dirname, 'killed-worker.ts'), [JSON.stringify(work)], {
    env: {
      ...process.env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
  });
  child.on('message', (message) => {
    const { code } = message as { readonly code: string };
    observed.codes.set(code, (observed.codes.get(code) ?? 0) + 1);
  });
  return child;
}
