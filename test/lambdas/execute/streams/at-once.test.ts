// Many streams at once on counters in DynamoDB: a budget admits as many as without streaming, and a stream keeps its place among
// `concurrent` runs until it has ended, however its caller or its function goes.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDocumentClient } from '../../../../adapters/dynamodb/client.ts';
import { COUNTER_LIMITS, createCounterStore } from '../../../../adapters/dynamodb/counters.ts';
import { writeProof } from '../../../../bench/write-proof.ts';
import type { CounterStore } from '../../../../core/ports/counters.ts';
import { sse } from '../../../adapters/providers/streams/protocols.ts';
import { startDynamoDb, type TestDynamoDb } from '../../../support/dynamodb.ts';
import { type Called, type Execution, loadExecution } from './execution.ts';
import { IS_PROOF, STREAM_SOURCES } from './proof.ts';

/** Callers at once, and how many of them the budget is for. */
const CALLERS = IS_PROOF ? 1_000 : 100;
const BUDGET = 10;
/** What `Hello` may use: 5 bytes, 64 for the message, 30 tokens of output. */
const MOST = 99;
/** Patient: the store is a process on a machine that does other things too. */
const PATIENT = { ...COUNTER_LIMITS, connectionTimeout: 20_000, requestTimeout: 20_000 };

const flow = [{ callModel: { provider: 'model', model: 'm', maxTokens: 30, retries: 0, timeout: '60s' } }];
const budget = {
  settings: { rateLimits: [{ metric: 'tokens', scope: 'total', limit: BUDGET * MOST, period: '1d' }] },
  flow,
};
const places = {
  settings: { deadline: '60s', rateLimits: [{ metric: 'concurrent', scope: 'total', limit: 2 }] },
  flow,
};

let dynamoDb: TestDynamoDb;
let client: ReturnType<typeof createDocumentClient>;
let execution: Execution;
/** True while the function dies before it can write what it gives back. */
let isDead = false;

beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  client = createDocumentClient(PATIENT, dynamoDb.endpoint);
  const store = createCounterStore(client, dynamoDb.tables.counters);
  const counters: CounterStore = {
    ...store,
    settle: async (request) => (isDead ? undefined : store.settle(request)),
  };
  const provider = { type: 'openai', baseUrl: 'https://api.example.com/v1' };
  const neurons = { streamed: budget, unstreamed: budget, places, open: { flow } };
  execution = await loadExecution({ providers: { model: provider }, neurons }, counters);
});
afterAll(async () => {
  client?.destroy();
  await dynamoDb?.stop();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  if (IS_PROOF && Object.keys(admitted).length === 2)
    await writeProof('streams-at-once', { callers: CALLERS, budget: BUDGET, admitted }, STREAM_SOURCES);
});

/** By neuron. */
const admitted: Record<string, number> = {};

const HEADERS = { 'content-type': 'text/event-stream' };
const word = sse({ choices: [{ index: 0, delta: { content: 'Hi' } }] });
const end = sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + sse('[DONE]');

/** A model that answers a first word, and the rest when it is told to; `asked` counts its calls. */
function model(first: string, rest: string, headers = HEADERS) {
  const state = { asked: 0 };
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  execution.answerWith(() => {
    async function* pieces(): AsyncGenerator<string> {
      state.asked += 1;
      yield first;
      await told;
      yield rest;
    }
    return { headers, pieces: pieces() };
  });
  return { state, tell };
}

const codeOf = ({ body }: Called) => /"code":"(\w+)"/.exec(body.toString())?.[1];

describe('a budget for ten', () => {
  it.each([
    {
      neuron: 'streamed',
      stream: true,
      first: word,
      rest: 'data: broken\n\n',
      headers: HEADERS,
      status: 200,
    },
    {
      ...{ neuron: 'unstreamed', stream: false, first: '{"choices":', rest: '!' },
      ...{ headers: { 'content-type': 'application/json' }, status: 503 },
    },
  ])('admits ten of all who call at once: $neuron', { timeout: 120_000 }, async (mode) => {
    const { neuron, stream, first, rest, headers, status } = mode;
    const { state, tell } = model(first, rest, headers);
    const answers: Called[] = [];
    const calls = Array.from({ length: CALLERS }, async () => {
      answers.push(await execution.call(neuron, { input: 'Hello' }, { stream }));
    });
    // All of those who are admitted are open before the first of them ends.
    await vi.waitFor(() => expect(answers.length + state.asked).toBe(CALLERS), { timeout: 100_000 });
    expect(state.asked).toBe(BUDGET);
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['rate_limited']));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([429]));
    tell();
    await Promise.all(calls);
    expect(answers.slice(-BUDGET).map((answer) => [answer.status, codeOf(answer)])).toEqual(
      Array(BUDGET).fill([status, 'upstream_unavailable']),
    );
    // Each has booked the most that it can have used, so that nothing is left.
    expect((await execution.call(neuron, { input: 'Hello' }, { stream })).status).toBe(429);
    expect(state.asked).toBe(BUDGET);
    admitted[neuron] = state.asked;
  });
});

describe('a stream among runs at once', () => {
  const ask = (options = {}) => execution.call('places', { input: 'Hello' }, options);
  const expectFull = async () => {
    for (const stream of [true, false]) {
      const rejected = await ask({ stream });
      expect([rejected.status, codeOf(rejected)]).toEqual([429, 'too_many_at_once']);
    }
    // Nobody else's business.
    execution.answerWith(() => ({ headers: HEADERS, pieces: [word + end] }));
    expect((await execution.call('open', { input: 'Hello' })).status).toBe(200);
  };
  /** As many as there are places, each with its first word on its way. */
  const begin = async (options = {}) => {
    const { state, tell } = model(word, end);
    const running = [ask(options), ask(options)];
    await vi.waitFor(() => expect(state.asked).toBe(2));
    return { running, tell };
  };
  const expectFree = async () => {
    const { running, tell } = await begin();
    tell();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
  };

  it('keeps its place as long as it runs, and gives it back at its end', async () => {
    const { running, tell } = await begin();
    await expectFull();
    tell();
    expect((await Promise.all(running)).every(({ body }) => body.includes('event: result'))).toBe(true);
    await expectFree();
  });

  it('keeps it when its caller goes away, until the run has ended', async () => {
    const { running, tell } = await begin({
      onOpen: (answer: { once(event: 'pipe', listener: () => void): void; destroy(): void }) =>
        answer.once('pipe', () => setImmediate(() => answer.destroy())),
    });
    await expectFull();
    tell();
    const left = await Promise.all(running);
    expect(left.some(({ body }) => body.includes('event: result'))).toBe(false);
    expect(left.map(({ executionId }) => execution.entries.get(executionId)?.outcome)).toEqual([
      'success',
      'success',
    ]);
    await expectFree();
  });

  it('gives it back when the provider breaks off', async () => {
    const { state, tell } = model(word, 'data: broken\n\n');
    const running = [ask(), ask()];
    await vi.waitFor(() => expect(state.asked).toBe(2));
    await expectFull();
    tell();
    expect((await Promise.all(running)).every(({ body }) => body.includes('event: error'))).toBe(true);
    await expectFree();
  });

  it('whose function dies gives it back when its time is over, and not before', async () => {
    const { running, tell } = await begin();
    isDead = true;
    tell();
    await Promise.all(running);
    isDead = false;
    await expectFull();
    await execution.clock.advance(60_000);
    await expectFull();
    await execution.clock.advance(60_000);
    await expectFree();
  });
});
