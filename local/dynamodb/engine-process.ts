// Runs a database process that ends with the runner, even if the runner is killed.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface EngineProcess {
  /** Process id of the database, not of the shell. */
  readonly pid: number;
  readonly port: number;
  isRunning(): boolean;
  /** Called if it ends without `stop`. */
  onUnexpectedEnd(listener: () => void): void;
  /** Ends it with SIGTERM, and after five seconds with SIGKILL. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 5_000;

// A shell watches: the kernel closes its standard input, a pipe from the runner, however the runner ends, and the shell then kills the
// database. `read` waits for the end of the pipe (descriptor 3); descriptor 1 gives the runner the database's process id.
const WATCHER = `
umask 077
exec 3<&0
"$@" 3<&- </dev/null >&2 &
engine=$!
echo "$engine"
exec >&2
{ read -r _ <&3; kill -9 "$engine"; } &
watch=$!
wait "$engine"
status=$?
kill "$watch" 2>/dev/null
exit "$status"
`;

/** Starts a program whose arguments name the port; its output goes to the log file. */
export async function startWatched(
  command: readonly string[],
  port: number,
  logFile: number,
): Promise<EngineProcess> {
  const child = spawn('/bin/sh', ['-c', WATCHER, 'database', ...command], spawnOptions(logFile));
  const pid = Number(await readLine(child));
  return manage(child, pid, port);
}

/** Starts dynalite, which prints its port and ends with its standard input. */
export async function startDynalite(folder: string, logFile: number): Promise<EngineProcess> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const program = fileURLToPath(new URL('./dynalite-main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, folder], spawnOptions(logFile));
  const port = Number(await readLine(child));
  return manage(child, child.pid ?? 0, port);
}

// Detached: Ctrl-C must reach only the runner, which ends the database after the functions.
function spawnOptions(logFile: number): SpawnOptions {
  return { stdio: ['pipe', 'pipe', logFile], detached: true };
}

// The first line; empty if the process ends before it.
async function readLine(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    text += String(bytes);
    if (text.includes('\n')) resolve(text);
  });
  child.stdout?.once('end', () => resolve(text));
  child.once('error', reject);
  return promise;
}

function manage(child: ChildProcess, pid: number, port: number): EngineProcess {
  let running = child.exitCode === null && child.signalCode === null;
  let stopping = false;
  const listeners: (() => void)[] = [];
  const ended = new Promise<void>((resolve) => {
    if (!running) resolve();
    child.once('exit', () => {
      running = false;
      // If only the watcher was killed, closing its pipe ends the database.
      child.stdin?.destroy();
      if (!stopping) for (const listener of listeners) listener();
      resolve();
    });
  });
  // A database that has just ended has closed the pipe.
  child.stdin?.on('error', () => undefined);
  return {
    pid,
    port,
    isRunning: () => running,
    onUnexpectedEnd: (listener) => listeners.push(listener),
    stop: async () => {
      stopping = true;
      if (!running) return;
      signal(pid, 'SIGTERM');
      const force = setTimeout(() => signal(pid, 'SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(force);
    },
  };
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
