// The runner's side of one function process: starts it, talks to it, ends it.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  byteLength,
  createFrameReader,
  encodeFrame,
  encodeHead,
  FRAME,
  type FunctionError,
  type InvokeMessage,
  NO_RUN,
  type StartMessage,
} from './frames.ts';

/** Listeners, in the order of the events; `run` is the number that `invoke` was given. */
interface ChildEvents {
  readonly ready: () => void;
  readonly initFailure: (error: FunctionError) => void;
  readonly result: (run: number, json: Buffer) => void;
  readonly failure: (run: number, error: FunctionError) => void;
  readonly chunk: (run: number, bytes: Buffer) => void;
  readonly end: (run: number) => void;
  readonly free: (run: number) => void;
  /** The last event; `reason` in Lambda's words, for example `signal: killed`. */
  readonly exit: (reason: string) => void;
}

interface ChildSettings {
  readonly codeFolder: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A descriptor open for append: the output of the process does not pass through the runner. */
  readonly logFile: number;
  readonly start: StartMessage;
}

/** A process, which runs any number of invocations beside each other. */
export interface FunctionProcess {
  readonly pid: number | undefined;
  /** @param run a number of its own, above 0 */
  invoke(run: number, message: InvokeMessage, eventJson: readonly string[]): void;
  /** Back pressure for the streamed answer of a run, which holds up no other. */
  pause(run: number): void;
  resume(run: number): void;
  kill(): void;
}

const BOOT_FILE = fileURLToPath(new URL('./boot.ts', import.meta.url));

const SIGNAL_WORDS: Readonly<Record<string, string>> = {
  SIGKILL: 'killed',
  SIGABRT: 'aborted',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
};

/** Starts a process, which loads its bundle at once. */
export function startProcess(settings: ChildSettings, events: ChildEvents): FunctionProcess {
  const child = spawn(process.execPath, [...nodeArguments(settings.memoryMb), BOOT_FILE], {
    cwd: settings.codeFolder,
    // A terminal sends Ctrl-C to the whole process group, but functions must end their work first.
    detached: true,
    env: { ...settings.environment },
    stdio: ['ignore', settings.logFile, settings.logFile, 'pipe'],
  });
  // A pair of sockets on POSIX systems: it carries both directions.
  const channel = child.stdio[3] as Socket;
  reportExit(child, channel, events);
  channel.on('data', killOnError(createFrameReader(createDispatcher(events)), child));
  // An exit follows.
  channel.on('error', () => undefined);
  const send = (kind: number, run: number, payload?: string) =>
    void channel.write(encodeFrame(kind, run, payload));
  send(FRAME.start, NO_RUN, JSON.stringify(settings.start));
  return {
    pid: child.pid,
    invoke(run, message, eventJson) {
      const texts = [`${JSON.stringify(message)}\n`, ...eventJson];
      channel.cork();
      channel.write(encodeHead(FRAME.invoke, run, byteLength(texts)));
      // As texts: of 16 MB in buffers, V8 collects the garbage of the whole heap.
      for (const text of texts)
        channel.write(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8');
      channel.uncork();
    },
    pause: (run) => send(FRAME.pause, run),
    resume: (run) => send(FRAME.resume, run),
    kill: () => void child.kill('SIGKILL'),
  };
}

/**
 * Those with which Lambda starts Node (`/var/runtime/bootstrap` of its images): a tenth of the memory is for new objects, of which V8
 * keeps two halves, and the rest for old ones.
 */
function nodeArguments(memoryMb: number): string[] {
  const newSpaceMb = Math.floor(memoryMb / 10);
  return [
    '--expose-gc',
    '--max-http-header-size=81920',
    `--max-semi-space-size=${Math.floor(newSpaceMb / 2)}`,
    `--max-old-space-size=${memoryMb - newSpaceMb}`,
  ];
}

function createDispatcher(events: ChildEvents): (kind: number, run: number, payload: Buffer) => void {
  return (kind, run, payload) => {
    if (kind === FRAME.chunk) events.chunk(run, payload);
    else if (kind === FRAME.result) events.result(run, payload);
    else if (kind === FRAME.end) events.end(run);
    else if (kind === FRAME.free) events.free(run);
    else if (kind === FRAME.ready) events.ready();
    else if (kind === FRAME.failure) events.failure(run, JSON.parse(payload.toString()) as FunctionError);
    else if (kind === FRAME.initFailure) events.initFailure(JSON.parse(payload.toString()) as FunctionError);
  };
}

// A bundle that writes into the pipe must not break the runner.
function killOnError(read: (chunk: Buffer) => void, child: ChildProcess): (chunk: Buffer) => void {
  return (chunk) => {
    try {
      read(chunk);
    } catch {
      child.kill('SIGKILL');
    }
  };
}

// The pipe may still hold messages when the process has ended.
function reportExit(child: ChildProcess, channel: Socket, events: ChildEvents): void {
  let reason: string | undefined;
  let open = true;
  const report = () => {
    if (reason !== undefined && !open) events.exit(reason);
  };
  channel.on('close', () => {
    open = false;
    report();
  });
  child.on('exit', (code, signal) => {
    reason = signal === null ? `exit status ${code}` : `signal: ${SIGNAL_WORDS[signal] ?? signal}`;
    report();
  });
  child.on('error', (error) => {
    reason = error.message;
    channel.destroy();
  });
}
