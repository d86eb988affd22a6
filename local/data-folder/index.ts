// The folder for everything that outlives a run; one run at a time may use it.
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localFailure } from '../failure.ts';

export interface DataFolder {
  /** Absolute. */
  readonly path: string;
  /** Deleted by `close`. */
  readonly ephemeral: boolean;
  /** Records the database, which must have ended before the next run uses the folder. */
  noteEngine(pid: number): void;
  /** Lets others use the folder. */
  close(): void;
}

interface Lock {
  readonly runner: ProcessIdentity;
  readonly engine: ProcessIdentity | undefined;
}

const LOCK = 'lock.json';
/** A killed run still exists for some milliseconds. */
const RUNNER_WAIT_MS = 1_000;
/** Its database ends after it. */
const ENGINE_WAIT_MS = 10_000;
/** After this, another run that took over at the same moment has written its lock. */
const SETTLE_MS = 30;

/**
 * Opens the folder, created if needed and readable by this user only. The folder of a killed run is taken over once its database has
 * ended.
 * @param path undefined for an ephemeral folder
 * @throws LocalFailure `DATA_FOLDER_NOT_MADE` or `DATA_FOLDER_IN_USE`
 */
export async function openDataFolder(path: string | undefined): Promise<DataFolder> {
  const ephemeral = path === undefined;
  const folder = ephemeral ? mkdtempSync(join(tmpdir(), 'local-run-')) : resolve(path);
  ensureFolder(folder);
  const lockFile = join(folder, LOCK);
  const runner = identifyProcess(process.pid);
  await takeLock(folder, lockFile, runner);
  return {
    path: folder,
    ephemeral,
    noteEngine: (pid) => writeLock(lockFile, { runner, engine: identifyProcess(pid) }),
    close: () => {
      rmSync(lockFile, { force: true });
      if (ephemeral) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ensureFolder(folder: string): void {
  try {
    createLevels(folder);
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    throw notMade(folder, (error as Error).message, error);
  }
  throw notMade(folder, 'it is no folder');
}

/** One level at a time: Node's own recursion never ends below /proc and the like, where nothing can be created. */
function createLevels(folder: string): void {
  if (existsSync(folder)) return;
  createLevels(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another run was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function takeLock(folder: string, lockFile: string, runner: ProcessIdentity): Promise<void> {
  const lock = { runner, engine: undefined };
  const started = Date.now();
  while (!createLock(lockFile, lock)) {
    // Another run may take over while this one waits.
    const previous = readLock(lockFile);
    const [holder, waitMs] =
      previous !== undefined && isAlive(previous.runner)
        ? [previous.runner, RUNNER_WAIT_MS]
        : [previous?.engine, ENGINE_WAIT_MS];
    if (holder === undefined || !isAlive(holder)) {
      await takeOver(folder, lockFile, lock);
      return;
    }
    if (Date.now() - started > waitMs) throw inUse(folder, holder.pid);
    await sleep(20);
  }
}

async function takeOver(folder: string, lockFile: string, lock: Lock): Promise<void> {
  writeLock(lockFile, lock);
  await sleep(SETTLE_MS);
  const winner = readLock(lockFile)?.runner.pid;
  if (winner !== lock.runner.pid) throw inUse(folder, winner ?? 0);
}

// A hard link fails if the name exists, and the file appears with its content.
function createLock(lockFile: string, lock: Lock): boolean {
  const temporary = writeTemporary(lockFile, lock);
  try {
    linkSync(temporary, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeLock(lockFile: string, lock: Lock): void {
  renameSync(writeTemporary(lockFile, lock), lockFile);
}

function writeTemporary(lockFile: string, lock: Lock): string {
  const temporary = `${lockFile}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(lock), { mode: 0o600 });
  return temporary;
}

function readLock(lockFile: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')) as Lock;
  } catch {
    return undefined;
  }
}

function notMade(folder: string, reason: string, cause?: unknown): Error {
  return localFailure(
    'DATA_FOLDER_NOT_MADE',
    `The data folder ${folder} cannot be created: ${reason}. Choose another data folder.`,
    cause,
  );
}

function inUse(folder: string, pid: number): Error {
  return localFailure(
    'DATA_FOLDER_IN_USE',
    `Process ${pid} uses the data folder ${folder}. Stop it, or choose another data folder.`,
  );
}

/** A process by id and start time. */
interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot (proc_pid_stat(5), field 22); undefined without /proc. */
  readonly started: string | undefined;
}

export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, started: readStat(pid)?.started };
}

/** Whether this process still runs; a zombie does not. */
function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = readStat(pid);
  if (stat === undefined) return true;
  return stat.state !== 'Z' && (started === undefined || stat.started === started);
}

function readStat(pid: number): { state: string | undefined; started: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in brackets, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], started: fields[19] };
  } catch {
    return undefined;
  }
}
