// The execution function as it is deployed, from the event to the last byte of its answer: stores in memory, time and provider under a test's hand.
import { registerHooks } from 'node:module';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { awslambda, createResponseStream } from 'run-template-locally';
import { vi } from 'vitest';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import type { CounterStore } from '../../../../core/ports/counters.ts';
import type { ResponseCacheStore } from '../../../../core/ports/response-cache.ts';
import { EXECUTION_FIELDS, toVariables } from '../../../../lambdas/environment.ts';
import type { ExecutionPorts } from '../../../../lambdas/execute/compose.ts';
import { createStreamHttp, type StreamedAnswer } from '../../../adapters/providers/stream-http.ts';
import { createMemoryClock, type MemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { type CallForm, eventOf, portsOf, type Stored } from '../memory-ports.ts';

/** An answer, and the bytes of its body. */
export interface Called {
  readonly executionId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How to call. */
export interface CallOptions extends CallForm {
  /** Given the stream that the function writes to, at once: destroyed, its reader has gone. */
  readonly onOpen?: (answer: Writable) => void;
  /** Given what the function has sent, each time that it sends more. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/** The loaded function. */
export interface Execution {
  readonly clock: MemoryClock;
  /** Each as it was put, by its execution id. */
  readonly entries: ReadonlyMap<string, LogEntry>;
  /** How many answers were stored. */
  readonly stored: () => number;
  /** What the provider answers from now on. */
  answerWith(answer: () => StreamedAnswer): void;
  call(neuron: string, json: object, options?: CallOptions): Promise<Called>;
}

const ENVIRONMENT = toVariables(EXECUTION_FIELDS, {
  ...{
    stage: 'test',
    configTable: 'c',
    countersTable: 'n',
    cacheTable: 'a',
    logsTable: 'l',
    secretPrefix: 'p',
  },
  ...{
    counterShards: 1,
    organizationConcurrency: 0,
    providerHosts: undefined,
    logShards: 1,
    transferMode: 'STREAM',
    maxDeadlineMs: 240_000,
  },
  ...{ settingsTtlMs: 15_000, settingsMaxStaleMs: 60_000, secretsTtlMs: 60_000 },
});

const BEGIN_MS = Date.UTC(2026, 10, 22, 12);

/** Loads it, once for a test file: the handler composes its ports as it loads. */
export async function loadExecution(stored: Stored, counters: CounterStore): Promise<Execution> {
  for (const [name, value] of Object.entries({
    ...ENVIRONMENT,
    AWS_ACCESS_KEY_ID: 'A',
    AWS_SECRET_ACCESS_KEY: 's',
  }))
    vi.stubEnv(name, String(value));
  vi.stubGlobal('awslambda', awslambda);
  const clock = createMemoryClock(BEGIN_MS);
  const entries = new Map<string, LogEntry>();
  const cache = countWrites(createMemoryResponseCache());
  let answer: () => StreamedAnswer = () => ({ pieces: [] });
  const ports = portsOf(stored, counters, {
    clock,
    responses: cache.responses,
    logs: { put: async (entry) => entries.set(entry.executionId, entry).size > 0 },
    openHttp: (request) => createStreamHttp(answer()).openHttp(request),
  });
  const handler = await loadHandler(ports);
  let calls = 0;
  return {
    clock,
    entries,
    stored: cache.writes,
    answerWith: (next) => {
      answer = next;
    },
    call(neuron, json, options = {}) {
      calls += 1;
      return call(handler, eventOf(neuron, json, options, `call-${calls}`, clock), options);
    },
  };
}

type Handler = (event: object, to: Writable, context: object) => Promise<void>;

const HANDLER = new URL('../../../../lambdas/execute/handler.ts', import.meta.url).href;
const PORTS = 'neuron.ports-of-test';

/** In place of the function's own `compose`, one that gives these. */
async function loadHandler(ports: ExecutionPorts): Promise<Handler> {
  Object.assign(globalThis, { [Symbol.for(PORTS)]: ports });
  const source = `export const compose = () => globalThis[Symbol.for('${PORTS}')];`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === './compose.ts' && context.parentURL === HANDLER
        ? { url: `data:text/javascript,${encodeURIComponent(source)}`, format: 'module', shortCircuit: true }
        : next(specifier, context),
  });
  try {
    const { handler } = await import('../../../../lambdas/execute/handler.ts');
    return handler as unknown as Handler;
  } finally {
    hooks.deregister();
  }
}

function countWrites(store: ResponseCacheStore) {
  let writes = 0;
  const write: ResponseCacheStore['write'] = (...input) => {
    writes += 1;
    return store.write(...input);
  };
  return { responses: { ...store, write }, writes: () => writes };
}

const DELIMITER = Buffer.alloc(8);

/** Resolves when the function has ended, with all that it sent. */
async function call(
  handler: Handler,
  event: Partial<APIGatewayProxyEvent>,
  { onOpen, onBytes }: CallOptions,
): Promise<Called> {
  const chunks: Buffer[] = [];
  const answer = createResponseStream(
    (bytes, done) => {
      chunks.push(bytes);
      onBytes?.(bytes);
      done();
    },
    () => undefined,
  );
  onOpen?.(answer);
  // A reader that has gone fails the function's write; what is kept of the run is seen in its entry.
  await handler(event, answer, { getRemainingTimeInMillis: () => 3_600_000 }).catch(() => undefined);
  const sent = Buffer.concat(chunks);
  const end = sent.indexOf(DELIMITER);
  const head = JSON.parse(sent.subarray(0, end).toString() || '{}') as {
    readonly statusCode?: number;
    readonly headers?: Readonly<Record<string, string>>;
  };
  const executionId = event.requestContext?.extendedRequestId ?? '';
  const body = sent.subarray(end + DELIMITER.length);
  return { executionId, status: head.statusCode ?? 0, headers: head.headers ?? {}, body };
}
