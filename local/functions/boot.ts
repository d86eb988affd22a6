// The program of a function's process: takes invocations from the runner over a pipe, one at a time.
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { format } from 'node:util';
import {
  createFrameReader,
  encodeFrame,
  FRAME,
  type FunctionError,
  type InvokeMessage,
  type StartMessage,
} from './frames.ts';
import { neverSettled, type Reports, runInvocation, toFunctionError } from './invocation.ts';
import { type Handler, loadHandler, runtimeError } from './load-handler.ts';
import { awslambda } from './response-stream.ts';

const LINE_FEED = 10;

const channel = new Socket({ fd: 3, readable: true, writable: true });
let current: string | undefined;
let handler: Handler | undefined;
const writeLine = createLineWriter(process.env['AWS_LAMBDA_LOG_FORMAT'] === 'JSON', () => current);

// The pipe closes with the runner, even if that is killed. No function may outlive it.
channel.on('close', () => process.exit(0));
channel.on('end', () => process.exit(0));
channel.on('error', () => process.exit(0));
channel.on('data', createFrameReader(receive));

process.on('uncaughtException', (error) => {
  writeLine('ERROR', 'Uncaught Exception', error);
  reportAndExit(toFunctionError(error), 129);
});
process.on('unhandledRejection', (reason) => {
  const error = runtimeError('UnhandledPromiseRejection', String(reason));
  writeLine('ERROR', 'Unhandled Promise Rejection', reason);
  reportAndExit(toFunctionError(error), 128);
});
// The pipe is unreferenced while a handler runs: an empty event loop means that its promise can never settle.
process.on('beforeExit', () => {
  if (current === undefined) return;
  send(FRAME.failure, JSON.stringify(neverSettled()));
  endRun();
});

function receive(kind: number, payload: Buffer): void {
  if (kind === FRAME.start) void start(JSON.parse(payload.toString()) as StartMessage);
  else if (kind === FRAME.invoke) void invoke(payload);
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
  send(FRAME.ready);
  flushCompileCache();
}

async function invoke(payload: Buffer): Promise<void> {
  if (handler === undefined) return;
  const lineFeed = payload.indexOf(LINE_FEED);
  const message = JSON.parse(payload.toString('utf8', 0, lineFeed)) as InvokeMessage;
  const { requestId } = message;
  current = requestId;
  channel.unref();
  await runInvocation(handler, message, payload.toString('utf8', lineFeed + 1), createReports(requestId));
  if (current === requestId) endRun();
}

// Late reports of an earlier invocation are dropped.
function createReports(requestId: string): Reports {
  const report = (kind: number, json?: string) => {
    if (current === requestId) send(kind, json);
  };
  return {
    result: (json) => report(FRAME.result, json),
    failure: (error) => {
      if (current === requestId) writeLine('ERROR', 'Invoke Error', error);
      report(FRAME.failure, JSON.stringify(error));
    },
    chunk: (bytes, done) => {
      if (current !== requestId || send(FRAME.chunk, bytes)) done();
      else channel.once('drain', done);
    },
    end: () => report(FRAME.end),
  };
}

function endRun(): void {
  current = undefined;
  channel.ref();
  send(FRAME.free);
}

// The frames of one turn of the event loop leave in one system call.
function send(kind: number, payload?: string | Uint8Array): boolean {
  if (channel.writableCorked === 0) {
    channel.cork();
    process.nextTick(() => channel.uncork());
  }
  return channel.write(encodeFrame(kind, payload));
}

function reportAndExit(error: FunctionError, code: number): void {
  if (handler !== undefined && current === undefined) process.exit(code);
  const kind = handler === undefined ? FRAME.initFailure : FRAME.failure;
  channel.write(encodeFrame(kind, JSON.stringify(error)), () => process.exit(code));
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
