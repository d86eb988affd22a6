// The execution function as it is deployed, from the event to the last byte of its answer: stores in memory, time and provider under a test's hand.
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { awslambda, createResponseStream } from 'run-template-locally';
import { vi } from 'vitest';
import { readingWhole } from '../../../../adapters/http/read-whole.ts';
import { createProviders } from '../../../../adapters/providers/index.ts';
import { validateJson } from '../../../../adapters/schema/validate-json.ts';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import type { CounterStore } from '../../../../core/ports/counters.ts';
import type { ResponseCacheStore } from '../../../../core/ports/response-cache.ts';
import { cacheSettings } from '../../../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../../../core/settings/version-cache.ts';
import { EXECUTION_FIELDS, toVariables } from '../../../../lambdas/environment.ts';
import type { compose } from '../../../../lambdas/execute/compose.ts';
import { composeMemory } from '../../../../lambdas/execute/compose-memory.ts';
import { createStreamHttp, type StreamedAnswer } from '../../../adapters/providers/stream-http.ts';
import { createMemoryClock, type MemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryIdempotency } from '../../../support/memory/idempotency.ts';
import { createMemoryLines } from '../../../support/memory/lines.ts';
import { createMemoryRandom } from '../../../support/memory/random.ts';
import {
  createMemoryResponseCache,
  createMemoryVectorIndex,
} from '../../../support/memory/response-cache.ts';
import { createMemorySecretReader, type SecretPath } from '../../../support/memory/secrets.ts';

/** What is stored of the neurons of `acme`. */
export interface Stored {
  readonly providers: Readonly<Record<string, object>>;
  readonly prices?: object;
  readonly neurons: Readonly<
    Record<string, { readonly settings?: object; readonly flow: readonly object[] }>
  >;
}

/** An answer, and the bytes of its body. */
export interface Called {
  readonly executionId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How to call. */
export interface CallOptions {
  readonly stream?: boolean;
  readonly surface?: 'native' | 'openai';
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
  vi.doMock('../../../../lambdas/execute/compose.ts', () => ({ compose: () => ports }));
  const { handler } = (await import('../../../../lambdas/execute/handler.ts')) as unknown as {
    handler: Handler;
  };
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
type Ports = ReturnType<typeof compose>;

function portsOf(
  { providers, prices, neurons }: Stored,
  counters: CounterStore,
  input: Pick<Ports, 'responses' | 'logs'> & {
    readonly clock: MemoryClock;
    readonly openHttp: Parameters<typeof readingWhole>[0];
  },
): Ports {
  const { clock, openHttp, responses, logs } = input;
  const secrets = createMemorySecretReader(
    new Map<SecretPath, string>([
      ['org-1/providers/key', 'sk-one'],
      ['org-1/log/hmac', 'a'.repeat(44)],
    ]),
  );
  const organization = { id: 'org-1', slug: 'acme', pause: undefined, write: 1 };
  const document = { organization: 'acme', providers, ...(prices === undefined ? {} : { prices }) };
  const settings = {
    read: async (_organization: string, slug: string) => {
      const { settings: own } = neurons[slug] ?? {};
      const neuron = {
        ...{ id: slug, organizationId: 'org-1', slug, write: 1, previewKeys: {}, cacheGeneration: 0 },
        document: { neuron: `acme/${slug}`, access: { public: true }, ...own },
        deployment: { version: 'v1', number: 1 },
      };
      return { organization: { ...organization, document }, neuron, maintenance: undefined };
    },
  };
  const versions = {
    read: async (_organization: string, neuronId: string, id: string) => {
      const made = { createdAt: '2026-11-22T12:00:00.000Z', author: 'test', message: undefined };
      return { id, neuronId, ...made, flow: neurons[neuronId]?.flow };
    },
  };
  const lookUp = createProviders({ secrets, http: readingWhole(openHttp), openHttp, clock });
  const limits = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 100 };
  return {
    ...{ stage: 'test', transferMode: 'STREAM' as const, clock, random: createMemoryRandom(), validateJson },
    ...{
      lines: createMemoryLines(),
      counterShards: 1,
      defaultConcurrency: undefined,
      maxDeadlineMs: 240_000,
    },
    ...{ settings: cacheSettings(settings, clock, limits), versions: cacheVersions(versions, 100) },
    ...{ counters, responses, logs, secrets, vectors: createMemoryVectorIndex() },
    openIdempotency: async () => createMemoryIdempotency(),
    keyUses: { read: async () => new Map(), record: async () => undefined },
    ...composeMemory(clock),
    // Every stream of a test breaks off, and none of them is to keep the next from being asked for.
    circuits: { within: (neuronId) => createCircuitBreakers(clock).within(neuronId) },
    providersOf: (usable) => lookUp(usable.organizationId, usable.organization.providers),
  };
}

function countWrites(store: ResponseCacheStore) {
  let writes = 0;
  const write: ResponseCacheStore['write'] = (...input) => {
    writes += 1;
    return store.write(...input);
  };
  return { responses: { ...store, write }, writes: () => writes };
}

function eventOf(
  neuron: string,
  json: object,
  { stream = true, surface = 'native' }: CallOptions,
  executionId: string,
  clock: MemoryClock,
): Partial<APIGatewayProxyEvent> {
  const ids = { organizationId: 'org-1', neuronId: neuron, settingsVersion: '1.1', authentication: 'public' };
  return {
    resource:
      surface === 'native' ? '/{organization}/{neuron}' : '/v1/{organization}/{neuron}/chat/completions',
    pathParameters: { organization: 'acme', neuron },
    multiValueQueryStringParameters: null,
    multiValueHeaders: {
      'content-type': ['application/json'],
      ...(stream ? { accept: ['text/event-stream'] } : {}),
    },
    body: JSON.stringify(json),
    isBase64Encoded: false,
    requestContext: {
      ...{ extendedRequestId: executionId, requestTimeEpoch: clock.now() },
      identity: { sourceIp: '203.0.113.7' },
      authorizer: { outcome: 'allow', organization: 'acme', neuron, ...ids },
    } as unknown as APIGatewayProxyEvent['requestContext'],
  };
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
