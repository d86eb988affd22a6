// Feedback on the way of a request: the token on answers of every surface, and what becomes of values that are sent with it.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { readToken } from '../../../core/feedback/token.ts';
import type { ExecutionPorts } from '../../../lambdas/execute/compose.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { type CallForm, eventOf, portsOf } from './memory-ports.ts';

const FEEDBACK = { metrics: { helpful: { type: 'boolean' }, stars: { type: 'number', min: 1, max: 5 } } };
const KEY = 'a'.repeat(44);
const HOUR_MS = 3_600_000;

interface Sent {
  readonly neuron?: string;
  readonly sourceIp?: string;
  readonly keyId?: string;
}

/** `acme/hello` takes feedback, and so does `acme/other`; `acme/quiet` takes none. */
function openService(replace: (usual: ExecutionPorts) => Partial<ExecutionPorts> = () => ({})) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 27, 12));
  const stored = new Map<string, LogEntry>();
  const flow = [
    { callModel: { provider: 'echo', model: 'echo', prompt: '{{input}}', accepts: ['parameters'] } },
  ];
  const access = { public: true };
  const taking = { settings: { access, feedback: FEEDBACK, caching: { exact: true } }, flow };
  const usual = portsOf(
    {
      providers: { echo: { type: 'echo' } },
      neurons: { hello: taking, other: taking, quiet: { settings: { access }, flow } },
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: {
        async put(entry) {
          // Another task may come in between, as in a store.
          await Promise.resolve();
          const key = `${entry.neuronId} ${entry.timeMs} ${entry.executionId}`;
          if (stored.has(key)) return false;
          stored.set(key, entry);
          return true;
        },
      },
      openHttp: createStreamHttp({ headers: {}, pieces: (async function* () {})() }).openHttp,
    },
  );
  const ports = { ...usual, ...replace(usual) };
  let requests = 0;
  const serveEvent = async (event: Partial<APIGatewayProxyEvent>) => {
    const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
    const { status, headers, body } = served.answer();
    const text = typeof body === 'string' ? body : (await body.toArray()).join('');
    await served.finish();
    return { status, text, token: headers['X-Feedback-Token'] ?? '' };
  };
  const call = (json: object, form: CallForm = {}, neuron = 'hello') => {
    requests += 1;
    const event = eventOf(neuron, json, { stream: false, ...form }, `e${requests}`, clock);
    Object.assign(event.multiValueHeaders ?? {}, { 'anthropic-version': ['2023-06-01'] });
    return serveEvent(event);
  };
  const send = (body: unknown, { neuron = 'hello', sourceIp, keyId }: Sent = {}) => {
    requests += 1;
    const event = eventOf(neuron, body as object, { stream: false }, `f${requests}`, clock);
    event.resource = '/{organization}/{neuron}/feedback';
    if (sourceIp !== undefined) Object.assign(event.requestContext?.identity ?? {}, { sourceIp });
    if (keyId !== undefined)
      Object.assign(event.requestContext?.authorizer ?? {}, { keyId, authentication: 'apiKey' });
    return serveEvent(event);
  };
  const feedbacks = () => [...stored.values()].filter(({ feedback }) => feedback !== undefined);
  return { call, send, clock, stored, feedbacks };
}

const codeOf = ({ text }: { readonly text: string }): unknown => JSON.parse(text).code;

describe('an answer of a neuron that takes feedback', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  it.each<[string, object, CallForm]>([
    ['native', { input: 'Hello' }, {}],
    ['native, streamed', { input: 'Hello' }, { stream: true }],
    ['OpenAI', { model: 'hello', messages }, { surface: 'openai' }],
    ['OpenAI, streamed', { model: 'hello', messages, stream: true }, { surface: 'openai' }],
    ['Responses', { model: 'hello', input: 'Hello' }, { surface: 'responses' }],
    ['Responses, streamed', { model: 'hello', input: 'Hello', stream: true }, { surface: 'responses' }],
    ['Messages', { model: 'hello', max_tokens: 9, messages }, { surface: 'anthropic' }],
    [
      'Messages, streamed',
      { model: 'hello', max_tokens: 9, messages, stream: true },
      { surface: 'anthropic' },
    ],
  ])('carries a token that names it: %s', async (_, json, form) => {
    const { call } = openService();
    const { status, token, text } = await call(json, form);
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(await readToken(token, async () => KEY)).toEqual({
      executionId: 'e1',
      timeMs: Date.UTC(2026, 10, 27, 12),
      neuronId: 'hello',
      version: 'v1',
    });
  });

  it('has a token of its own where it comes from the cache', async () => {
    const { call } = openService();
    await call({ input: 'Hello' });
    const { token, text } = await call({ input: 'Hello' });
    expect(JSON.parse(text).fromCache).toBe(true);
    expect(await readToken(token, async () => KEY)).toMatchObject({ executionId: 'e2' });
  });

  it('leaves without a token where the key cannot be read', async () => {
    const { call } = openService(() => ({ secrets: { read: () => Promise.reject(new Error('down')) } }));
    expect(await call({ input: 'Hello' })).toMatchObject({ status: 200, token: '' });
  });

  it('has none for a neuron that takes no feedback, nor for an error', async () => {
    const { call } = openService();
    expect(await call({ input: 'Hello' }, {}, 'quiet')).toMatchObject({ status: 200, token: '' });
    expect(await call({ inputs: 7 })).toMatchObject({ status: 422, token: '' });
  });
});

describe('feedback', () => {
  it('is kept under the answer, at its time, with its version', async () => {
    const { call, send, clock, feedbacks } = openService();
    const { token } = await call({ input: 'Hello' });
    await clock.advance(2 * HOUR_MS);
    const { status, text } = await send({ token, metric: 'stars', value: 4 }, { sourceIp: '198.51.100.9' });
    expect([status, JSON.parse(text)]).toEqual([201, { id: 'e1#stars' }]);
    expect(feedbacks()).toMatchObject([
      {
        executionId: 'e1#stars',
        timeMs: Date.UTC(2026, 10, 27, 12),
        neuronId: 'hello',
        organizationId: 'org-1',
        version: 'v1',
        outcome: 'success',
        sourceIp: '198.51.100.9',
        feedback: { of: 'e1', metric: 'stars', value: 4 },
        expiresAt: Date.UTC(2026, 10, 27, 12) / 1000 + 90 * 86_400,
      },
    ]);
  });

  it('is a request with an entry of its own, which says no more than that', async () => {
    const { call, send, stored } = openService();
    const { token } = await call({ input: 'Hello' });
    await send({ token, metric: 'helpful', value: true });
    const own = [...stored.values()].find(({ executionId }) => executionId === 'f2');
    expect(own).toMatchObject({ status: 201, outcome: 'success', reason: 'feedback', modelCalls: [] });
  });

  it('takes the first value for a metric: of 100 at once, one', async () => {
    const { call, send, feedbacks } = openService();
    const { token } = await call({ input: 'Hello' });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        send({ token, metric: 'stars', value: 1 + (index % 5) }, { keyId: 'k1' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(others.map(codeOf))).toEqual(new Set(['feedback_exists']));
    expect(feedbacks()).toHaveLength(1);
  });

  it('takes another metric of the same answer, and the same metric of another answer', async () => {
    const { call, send, feedbacks } = openService();
    const [first, second] = [await call({ input: 'Hello' }), await call({ input: 'Other' })];
    await send({ token: first.token, metric: 'stars', value: 1 });
    await send({ token: first.token, metric: 'helpful', value: false });
    await send({ token: second.token, metric: 'stars', value: 5 });
    expect(feedbacks().map(({ executionId }) => executionId)).toEqual(['e1#stars', 'e1#helpful', 'e2#stars']);
  });

  it('is taken for seven days, and not a millisecond longer', async () => {
    const { call, send, clock } = openService();
    const { token } = await call({ input: 'Hello' });
    await clock.advance(7 * 24 * HOUR_MS);
    expect(await send({ token, metric: 'stars', value: 1 })).toMatchObject({ status: 201 });
    await clock.advance(1);
    const late = await send({ token, metric: 'helpful', value: true });
    expect([late.status, codeOf(late)]).toEqual([410, 'feedback_too_late']);
  });

  it('refuses the token of another neuron', async () => {
    const { call, send, feedbacks } = openService();
    const { token } = await call({ input: 'Hello' }, {}, 'other');
    const answer = await send({ token, metric: 'stars', value: 1 });
    expect([answer.status, codeOf(answer), feedbacks()]).toEqual([422, 'invalid_feedback', []]);
  });

  it('refuses a wrong value before it writes anything, so that the right one is still taken', async () => {
    const { call, send } = openService();
    const { token } = await call({ input: 'Hello' });
    expect(await send({ token, metric: 'stars', value: 9 })).toMatchObject({ status: 422 });
    expect(await send({ token, metric: 'stars', value: 3 })).toMatchObject({ status: 201 });
  });

  it('refuses feedback on a neuron that takes none', async () => {
    const { send } = openService();
    const answer = await send({ token: 't', metric: 'stars', value: 1 }, { neuron: 'quiet' });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'feedback_off']);
  });

  it('refuses more than 60 a minute of an address, whatever they hold, and 600 of a key', async () => {
    const { send, clock } = openService();
    const statuses = async (count: number, sent: Sent) => {
      const all = await Promise.all(Array.from({ length: count }, () => send({}, sent)));
      return all.filter(({ status }) => status === 429).length;
    };
    expect(await statuses(61, {})).toBe(1);
    expect(await statuses(60, { sourceIp: '198.51.100.9' })).toBe(0);
    expect(await statuses(601, { keyId: 'k1' })).toBe(1);
    await clock.advance(60_000);
    expect(await statuses(60, {})).toBe(0);
  });

  it('answers 503 and not 201 where it could not be kept', async () => {
    const { call, send } = openService((usual) => ({
      logs: { put: (entry) => (entry.feedback ? Promise.reject(new Error('down')) : usual.logs.put(entry)) },
    }));
    const { token } = await call({ input: 'Hello' });
    const answer = await send({ token, metric: 'stars', value: 1 });
    expect([answer.status, codeOf(answer)]).toEqual([503, 'dependency_unavailable']);
  });
});
