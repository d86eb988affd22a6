// The program of a function's process: takes invocations from the runner over a pipe, beside each other if there are several.
import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { format } from 'node:util';
import {
  createFrameReader,
  encodeFrame,
  FRAME,
  type FunctionError,
  type InvokeMessage,
  NO_RUN,
  type StartMessage,
} from './frames.ts';
import { neverSettled, type Reports, runInvocation, toFunctionError } from './invocation.ts';
import { type Handler, loadHandler, runtimeError } from './load-handler.ts';
import { awslambda } from './response-stream.ts';

const LINE_FEED = 10;
/** A pair of sockets holds no more on Linux, by default. */
const READ_BYTES = 208 * 1024;

interface Run {
  readonly number: number;
  readonly requestId: string;
  isPaused: boolean;
  /** Continues the answer, which waits for `resume`. */
  continue: (() => void) | undefined;
}

/** Invocations whose handlers have not settled. */
const runs = new Map<number, Run>();
/** The run that calls, whatever it waits for: lines of several mix in one log. */
const calling = new AsyncLocalStorage<Run>();
let handler: Handler | undefined;
const writeLine = createLineWriter(process.env['AWS_LAMBDA_LOG_FORMAT'] === 'JSON', () => {
  const run = calling.getStore() ?? (runs.size === 1 ? [...runs.values()][0] : undefined);
  return run !== undefined && runs.has(run.number) ? run.requestId : undefined;
});

const read = createFrameReader(receive, 'read at once');
const channel = new Socket({
  fd: 3,
  readable: true,
  writable: true,
  // One buffer for all that comes: V8 would count a new one for each read as garbage of the function.
  onread: {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback: (length, buffer) => {
      read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      return true;
    },
  },
});
// The pipe closes with the runner, even if that is killed. No function may outlive it.
channel.on('close', () => process.exit(0));
channel.on('end', () => process.exit(0));
channel.on('error', () => process.exit(0));
channel.resume();

process.on('uncaughtException', (error) => {
  writeLine('ERROR', 'Uncaught Exception', error);
  reportAndExit(toFunctionError(error), 129);
});
process.on('unhandledRejection', (reason) => {
  const error = runtimeError('UnhandledPromiseRejection', String(reason));
  writeLine('ERROR', 'Unhandled Promise Rejection', reason);
  reportAndExit(toFunctionError(error), 128);
});
// The pipe is unreferenced while handlers run: an empty event loop means that their promises can never settle.
process.on('beforeExit', () => {
  for (const run of runs.values()) {
    send(FRAME.failure, run, JSON.stringify(neverSettled()));
    endRun(run);
  }
});

function receive(kind: number, number: number, payload: Buffer): void {
  if (kind === FRAME.start) void start(JSON.parse(payload.toString()) as StartMessage);
  else if (kind === FRAME.invoke) void invoke(number, payload);
  else if (kind === FRAME.pause) pause(number);
  else if (kind === FRAME.resume) resume(number);
}

async function start(message: StartMessage): Promise<void> {
  // The function must see Lambda's variables only.
  delete process.env['NODE_COMPILE_CACHE'];
  patchConsole(console, writeLine);
  if (message.loopbackSymbol !== undefined) {
    Object.defineProperty(globalThis, Symbol.for(message.loopbackSymbol), { value: true });
  }
  Object.assign(globalThis, { awslambda });
  try {
    handler = await loadHandler(process.env['LAMBDA_TASK_ROOT'] ?? '', process.env['_HANDLER'] ?? '');
  } catch (error) {
    writeLine('ERROR', 'Init Error', error);
    reportAndExit(toFunctionError(error), 1);
    return;
  }
  send(FRAME.ready, undefined);
  flushCompileCache();
}

async function invoke(number: number, payload: Buffer): Promise<void> {
  if (handler === undefined) return;
  const called = handler;
  const lineFeed = payload.indexOf(LINE_FEED);
  const message = JSON.parse(payload.toString('utf8', 0, lineFeed)) as InvokeMessage;
  const run: Run = { number, requestId: message.requestId, isPaused: false, continue: undefined };
  runs.set(number, run);
  keepAlive();
  const eventJson = payload.toString('utf8', lineFeed + 1);
  await calling.run(run, () => runInvocation(called, message, eventJson, createReports(run)));
  endRun(run);
}

// Late reports of an earlier invocation are dropped.
function createReports(run: Run): Reports {
  const report = (kind: number, json?: string) => {
    if (runs.has(run.number)) send(kind, run, json);
  };
  return {
    result: (json) => report(FRAME.result, json),
    failure: (error) => {
      if (runs.has(run.number)) writeLine('ERROR', 'Invoke Error', error);
      report(FRAME.failure, JSON.stringify(error));
    },
    chunk: (bytes, done) => {
      const hasRoom = !runs.has(run.number) || send(FRAME.chunk, run, bytes);
      if (run.isPaused) waitForResume(run, done);
      else if (hasRoom) done();
      else channel.once('drain', done);
    },
    end: () => report(FRAME.end),
  };
}

function pause(number: number): void {
  const run = runs.get(number);
  if (run !== undefined) run.isPaused = true;
}

function resume(number: number): void {
  const run = runs.get(number);
  if (run === undefined) return;
  run.isPaused = false;
  const proceed = run.continue;
  run.continue = undefined;
  keepAlive();
  proceed?.();
}

function waitForResume(run: Run, proceed: () => void): void {
  run.continue = proceed;
  keepAlive();
}

// An answer that waits for its reader has nothing but the pipe.
function keepAlive(): void {
  const waitsForPipe = runs.size === 0 || runs.values().some((run) => run.continue !== undefined);
  if (waitsForPipe) channel.ref();
  else channel.unref();
}

function endRun(run: Run): void {
  if (!runs.delete(run.number)) return;
  keepAlive();
  send(FRAME.free, run);
}

// The frames of one turn of the event loop leave in one system call.
function send(kind: number, run: Run | undefined, payload?: string | Uint8Array): boolean {
  if (channel.writableCorked === 0) {
    channel.cork();
    process.nextTick(() => channel.uncork());
  }
  return channel.write(encodeFrame(kind, run?.number ?? NO_RUN, payload));
}

function reportAndExit(error: FunctionError, code: number): void {
  const json = JSON.stringify(error);
  if (handler === undefined) send(FRAME.initFailure, undefined, json);
  for (const run of runs.values()) send(FRAME.failure, run, json);
  channel.write('', () => process.exit(code));
  channel.uncork();
}

const LEVELS = {
  log: 'INFO',
  info: 'INFO',
  debug: 'DEBUG',
  warn: 'WARN',
  error: 'ERROR',
  trace: 'TRACE',
} as const;

type WriteLine = (level: (typeof LEVELS)[keyof typeof LEVELS], ...values: unknown[]) => void;

/**
 * One line per call: time, request id, level and text between tabs, or a JSON object when the function's log format is
 * JSON (Lambda Developer Guide, "Log and monitor Node.js Lambda functions").
 */
function createLineWriter(json: boolean, currentRequestId: () => string | undefined): WriteLine {
  return (level, ...values) => {
    const line = json
      ? jsonLine(level, currentRequestId(), values)
      : `${new Date().toISOString()}\t${currentRequestId()}\t${level}\t${format(...values)}`;
    process.stdout.write(`${line.replaceAll('\n', '\r')}\n`);
  };
}

/** Sends `console` through the writer; `process.stdout` itself stays as it is. */
function patchConsole(console: Console, write: WriteLine): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...values: unknown[]) => write(level, ...values);
  }
}

function jsonLine(level: string, requestId: string | undefined, values: readonly unknown[]): string {
  const only = values.length === 1 ? values[0] : undefined;
  const message =
    typeof only === 'object' && only !== null && !(only instanceof Error) ? only : format(...values);
  const entry = { timestamp: new Date().toISOString(), level, requestId, message };
  try {
    return JSON.stringify(entry);
  } catch {
    return JSON.stringify({ ...entry, message: format(...values) });
  }
}
