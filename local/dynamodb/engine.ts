// Starts the database: dynoxide, dynalite where that is not installed, or none if there is an endpoint already.

import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localFailure } from '../failure.ts';
import { createCaller } from './call.ts';
import { fileIn, fileInMemory } from './engine-file.ts';
import { type EngineProcess, startDynalite, startWatched } from './engine-process.ts';

export interface Engine {
  readonly kind: 'dynoxide' | 'dynalite' | 'external';
  readonly endpoint: string;
  readonly features: EngineFeatures;
  /** Undefined for an external one. */
  readonly pid: number | undefined;
  /** Ends it, after its last write. */
  stop(): Promise<void>;
}

/** Features beyond tables and indexes; without one, the template's part is left out with a notice. */
export interface EngineFeatures {
  readonly streams: boolean;
  readonly timeToLive: boolean;
  readonly vectorIndexes: boolean;
  readonly deletionProtection: boolean;
  /** Indexes can be added to a table and removed from it. */
  readonly indexUpdates: boolean;
}

interface EngineSettings {
  readonly kind: 'dynoxide' | 'dynalite';
  /** A DynamoDB that runs already; nothing is started then. */
  readonly endpoint?: string | undefined;
  readonly dataFolder: string;
  /** Keeps tables in memory only, so that no write waits for the disk; dynalite has files all the same. @default false */
  readonly inMemory?: boolean | undefined;
  readonly region: string;
  /** Receives the process id as soon as there is one. */
  readonly onSpawn: (pid: number) => void;
  readonly log: (line: string) => void;
}

const ALL: EngineFeatures = {
  streams: true,
  timeToLive: true,
  vectorIndexes: true,
  deletionProtection: true,
  indexUpdates: true,
};
// dynalite 4.0.0 accepts some of these in CreateTable and ignores them.
const DYNALITE: EngineFeatures = {
  streams: false,
  timeToLive: false,
  vectorIndexes: false,
  deletionProtection: false,
  indexUpdates: false,
};
const START_TIMEOUT_MS = 15_000;
/** Another program may take the port between the search and the start. */
const MAX_ATTEMPTS = 3;

/**
 * Starts the database and waits until it answers. It ends with this process. dynoxide answers any origin, so it listens on a random
 * address of 127.0.0.0/8, which no web page finds by trying ports.
 * @throws LocalFailure `ENGINE_FAILED`
 */
export async function startEngine(settings: EngineSettings): Promise<Engine> {
  const { endpoint } = settings;
  if (endpoint !== undefined) {
    await waitUntilAnswering(endpoint, settings.region, () => true);
    return { kind: 'external', endpoint, features: ALL, pid: undefined, stop: async () => undefined };
  }
  const program = settings.kind === 'dynoxide' ? findDynoxide() : undefined;
  if (program !== undefined) return startDynoxide(program, settings);
  if (settings.kind === 'dynoxide') {
    settings.log(
      `dynoxide is not installed for ${process.platform} ${process.arch}: dynalite takes its place, without vector indexes (semantic caching) and streams`,
    );
  }
  const child = await start(settings, '127.0.0.1', (logFile) =>
    startDynalite(join(settings.dataFolder, 'dynalite'), logFile),
  );
  return { kind: 'dynalite', features: DYNALITE, ...child };
}

function findDynoxide(): string | undefined {
  try {
    const name = `@dynoxide/${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(import.meta.url).resolve(name)), 'dynoxide');
  } catch {
    return undefined;
  }
}

async function startDynoxide(program: string, settings: EngineSettings): Promise<Engine> {
  const file = settings.inMemory === true ? fileInMemory() : fileIn(settings.dataFolder);
  for (let attempt = 1; ; attempt += 1) {
    const { host, port } = await findFreeAddress();
    const place = file.path === undefined ? [] : ['--db-path', file.path];
    const args = ['--host', host, '--port', String(port), ...place];
    try {
      const spawnEngine = (logFile: number) => startWatched([program, ...args], port, logFile);
      const child = await start(settings, host, spawnEngine);
      await file.opened().catch((error: unknown) => {
        // Only slower without the index.
        settings.log(`the database gets slower with every change: ${(error as Error).message}`);
      });
      return { kind: 'dynoxide', features: ALL, ...child };
    } catch (error) {
      if (attempt < MAX_ATTEMPTS) continue;
      file.discard();
      throw error;
    }
  }
}

async function start(
  settings: EngineSettings,
  host: string,
  spawn: (logFile: number) => Promise<EngineProcess>,
): Promise<{ endpoint: string; pid: number; stop: () => Promise<void> }> {
  const logPath = join(settings.dataFolder, 'logs', 'dynamodb.log');
  mkdirSync(dirname(logPath), { recursive: true, mode: 0o700 });
  const logFile = openSync(logPath, 'a', 0o600);
  const child = await spawn(logFile).finally(() => closeSync(logFile));
  settings.onSpawn(child.pid);
  const endpoint = `http://${host}:${child.port}`;
  try {
    await waitUntilAnswering(endpoint, settings.region, child.isRunning);
  } catch (error) {
    await child.stop();
    const output = readFileSync(logPath, 'utf8').trim().split('\n').slice(-3).join('\n');
    throw localFailure(
      'ENGINE_FAILED',
      `The database did not start. Its output ends with:\n${output}`,
      error,
    );
  }
  child.onUnexpectedEnd(() =>
    settings.log(
      settings.inMemory === true
        ? 'the database has ended, and the data of this ephemeral run with it: start again'
        : 'the database has ended: calls fail until the next start, which finds all that was written',
    ),
  );
  return { endpoint, pid: child.pid, stop: child.stop };
}

async function waitUntilAnswering(endpoint: string, region: string, isRunning: () => boolean): Promise<void> {
  const call = createCaller(endpoint, region);
  const endMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await call('ListTables', { Limit: 1 });
      return;
    } catch (error) {
      if (isRunning() && Date.now() < endMs) await sleep(5);
      else throw localFailure('ENGINE_FAILED', `The database at ${endpoint} does not answer.`, error);
    }
  }
}

/** Linux lets programs listen on all of 127.0.0.0/8; some machines only on 127.0.0.1. */
async function findFreeAddress(): Promise<{ readonly host: string; readonly port: number }> {
  const host = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  try {
    return { host, port: await findFreePort(host) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw error;
    return { host: '127.0.0.1', port: await findFreePort('127.0.0.1') };
  }
}

function findFreePort(host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, host, () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server.close(() => resolve(port));
  });
  return promise;
}
