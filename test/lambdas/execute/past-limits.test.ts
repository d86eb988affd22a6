// Requests that no limit admits, or that no limit counts: the entries and the stored items that they can make are bounded.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { MAX_REPEATS } from '../../../core/idempotency/repeat-budget.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryIdempotency } from '../../support/memory/idempotency.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

/** Entries of one neuron, minute and environment (docs/logs.md). */
const MAX_ENTRIES = 60;
const MINUTE_MS = 60_000;
const LIMIT = 5;

const ANSWER = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
});

const callModel = { provider: 'model', model: 'm' };
const FIVE_REQUESTS = { metric: 'requests', scope: 'total', limit: LIMIT, period: '1d' };

/** One environment, whose neuron admits five requests a day, with every write that it makes by its name. */
function openEnvironment(rule: object = FIVE_REQUESTS, more: object = {}, upstream: object = {}) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const writes: string[] = [];
  const entries: LogEntry[] = [];
  const noted = <Args extends unknown[], Result>(name: string, work: (...args: Args) => Result) => {
    return (...args: Args) => {
      writes.push(name);
      return work(...args);
    };
  };
  const counters = createMemoryCounters();
  const keys = createMemoryIdempotency();
  const ports = {
    ...portsOf(
      {
        providers: { model: { type: 'openai', baseUrl: 'https://api.example.com/v1' } },
        prices: { 'model/m': { input: 1, output: 1 } },
        neurons: {
          hello: { settings: { rateLimits: [rule] }, flow: [{ callModel }], ...more },
        },
      },
      { ...counters, reserve: noted('reserve', counters.reserve), settle: noted('settle', counters.settle) },
      {
        clock,
        responses: createMemoryResponseCache(),
        logs: { put: async (entry) => entries.push(entry) > 0 },
        openHttp: (request) => {
          const headers = { 'content-type': 'application/json' };
          return createStreamHttp({ headers, pieces: [ANSWER], ...upstream }).openHttp(request);
        },
      },
    ),
    openIdempotency: async () => ({
      ...keys,
      acquire: noted('acquire', keys.acquire),
      complete: noted('complete', keys.complete),
      release: noted('release', keys.release),
    }),
  };
  let calls = 0;
  const call = async (json: object, idempotencyKey?: string, more: Partial<APIGatewayProxyEvent> = {}) => {
    calls += 1;
    const form = { stream: false, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
    const event = { ...eventOf('hello', json, form, `call-${calls}`, clock), ...more };
    const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
    const { headers } = served.answer();
    return { ...(await finish(served)), headers };
  };
  const times = async (count: number, work: (index: number) => Promise<{ readonly status: number }>) => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) statuses.push((await work(index)).status);
    return Map.groupBy(statuses, (status) => status);
  };
  const useUp = () => times(LIMIT, (index) => call({ input: `${index}` }));
  return { call, times, useUp, clock, entries, writes };
}

const countOf = (entries: readonly LogEntry[]) => entries.reduce((sum, { count }) => sum + count, 0);
const OK = { input: 'Hello' };
const MALFORMED = { messages: 5 };

describe('300 requests of the list of models', () => {
  it('have sixty entries and a count, and hide no replay', async () => {
    const { call, times, clock, entries, writes } = openEnvironment();
    const models = { resource: '/v1/{organization}/{neuron}/models', body: null };
    const statuses = await times(300, () => call({}, undefined, models));
    expect(statuses.get(200)).toHaveLength(300);
    expect(entries).toHaveLength(MAX_ENTRIES);
    expect(writes).toEqual([]);
    await call(OK, 'order-17');
    await call(OK, 'order-17');
    expect(entries.at(-1)).toMatchObject({ replayOf: 'call-301' });
    await clock.advance(MINUTE_MS);
    await call({}, undefined, models);
    expect(entries).toHaveLength(MAX_ENTRIES + 4);
    expect(entries.filter(({ reason }) => reason === 'the list of models')).toHaveLength(MAX_ENTRIES + 2);
    expect(countOf(entries)).toBe(303);
  });
});

describe('counts of tokens', () => {
  const count = {
    resource: '/v1/{organization}/{neuron}/messages/count_tokens',
    body: JSON.stringify({ model: 'hello', messages: [{ role: 'user', content: 'Hi' }] }),
  };

  const counting = { flow: [{ callModel: { ...callModel, accepts: ['parameters'] } }] };

  it('are charged to no limit, and have sixty entries and a count', async () => {
    const { call, times, entries, writes } = openEnvironment(FIVE_REQUESTS, counting);
    const statuses = await times(300, () => call({}, undefined, count));
    expect(statuses.get(200)).toHaveLength(300);
    expect([entries.length, writes]).toEqual([MAX_ENTRIES, []]);
  });

  it('have a budget by the length of bodies, which is asked before one is parsed', async () => {
    const { call, times, clock, writes } = openEnvironment(FIVE_REQUESTS, counting);
    const long = { ...count, body: `{"model":"hello","messages":[]}${' '.repeat(1_000_000)}` };
    const statuses = await times(21, () => call({}, undefined, long));
    expect([statuses.get(400)?.length, statuses.get(429)?.length]).toEqual([20, 1]);
    const { body, headers } = await call({}, undefined, { ...count, body: '{' });
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'rate_limit_error' } });
    expect(headers).toMatchObject({ 'Retry-After': '60' });
    expect(writes).toEqual([]);
    await clock.advance(MINUTE_MS);
    expect(await call({}, undefined, count)).toMatchObject({ status: 200 });
  });

  it('take 10,000 characters each at least', async () => {
    const { call, times } = openEnvironment();
    const statuses = await times(2_001, () => call({}, undefined, { ...count, body: '{' }));
    expect([statuses.get(400)?.length, statuses.get(429)?.length]).toEqual([2_000, 1]);
  });
});

describe('300 repetitions of an answered key', () => {
  it('are answered sixty times a minute, and wait for the next one then, without a store call', async () => {
    const { call, times, clock, entries, writes } = openEnvironment();
    await call(OK, 'order-17');
    expect(writes.splice(0)).toEqual(['acquire', 'reserve', 'complete']);
    const statuses = await times(300, () => call(OK, 'order-17'));
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([MAX_REPEATS, 240]);
    // Each is a rejected write of the key's item; none is left behind.
    expect(writes).toEqual(Array(MAX_REPEATS).fill('acquire'));
    expect(entries).toHaveLength(1 + MAX_ENTRIES + MAX_ENTRIES);
    const { headers, body } = await call(OK, 'order-17');
    expect(JSON.parse(body)).toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    expect(headers).toMatchObject({ 'Retry-After': '60' });
    await clock.advance(MINUTE_MS);
    expect(await call(OK, 'order-17')).toMatchObject({ status: 200 });
  });

  it('of another request are rejected as often, and no more', async () => {
    const { call, times, writes } = openEnvironment();
    await call(OK, 'order-17');
    writes.splice(0);
    const statuses = await times(300, (index) => call({ input: `${index}` }, 'order-17'));
    expect([statuses.get(422)?.length, statuses.get(429)?.length]).toEqual([MAX_REPEATS, 240]);
    expect(writes).toHaveLength(MAX_REPEATS);
  });
});

describe('300 keys of rejected requests', () => {
  it('write nothing where the request is malformed', async () => {
    const { call, times, entries, writes } = openEnvironment();
    const statuses = await times(300, (index) => call(MALFORMED, `key-${index}`));
    expect(statuses.get(422)).toHaveLength(300);
    expect(writes).toEqual([]);
    expect(entries).toHaveLength(MAX_ENTRIES);
    // The key is free: a request that was mended runs.
    expect(await call(OK, 'key-0')).toMatchObject({ status: 200 });
  });

  it('keep the 422 of a request that was admitted, which a model may have been paid for, and no other', async () => {
    const error = JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } });
    const { call, entries, writes } = openEnvironment(FIVE_REQUESTS, {}, { status: 400, pieces: [error] });
    const notAccepted = { ...OK, parameters: { temperature: 1 } };
    for (const body of [notAccepted, MALFORMED, { input: 5 }, { prompt: 'Hello' }]) {
      const first = await call(body, 'order-17');
      const again = await call(body, 'order-17');
      expect([first.status, again.status]).toEqual([422, 422]);
      expect(again.headers).not.toHaveProperty('Idempotency-Replayed');
    }
    expect(writes.splice(0)).toEqual([]);
    expect(JSON.parse((await call(OK, 'order-17')).body)).toMatchObject({ code: 'context_too_long' });
    expect(writes.splice(0)).toEqual(['acquire', 'reserve', 'complete']);
    const again = await call(OK, 'order-17');
    expect(again).toMatchObject({ status: 422, headers: { 'Idempotency-Replayed': 'true' } });
    expect(entries.at(-1)).toMatchObject({ replayOf: 'call-9', modelCalls: [] });
    // Another body under the key of a kept one.
    expect(JSON.parse((await call({ input: 'Other' }, 'order-17')).body).code).toBe('idempotency_mismatch');
  });

  it('write nothing once the limit is known to be used up', async () => {
    const { call, times, useUp, entries, writes } = openEnvironment();
    await useUp();
    expect(await call(OK, 'first')).toMatchObject({ status: 429 });
    expect(writes.slice(-3)).toEqual(['acquire', 'reserve', 'release']);
    writes.splice(0);
    entries.splice(0);
    const statuses = await times(300, (index) => call(OK, `key-${index}`));
    expect(statuses.get(429)).toHaveLength(300);
    expect(writes).toEqual([]);
    expect(entries.length).toBeLessThanOrEqual(MAX_ENTRIES);
  });
});

const MALFORMED_BODIES = ['{', '[]', '{"messages":5}', `{"x":[${'[],'.repeat(300_000)}0]}`];

describe('a caller whose limit is used up', () => {
  it('is told so whatever its body holds, which is not even parsed', async () => {
    const { call, useUp, writes } = openEnvironment();
    await useUp();
    await call(OK);
    writes.splice(0);
    for (const body of MALFORMED_BODIES)
      expect(JSON.parse((await call({}, undefined, { body })).body)).toMatchObject({ code: 'rate_limited' });
    expect(writes).toEqual([]);
  });

  it('has its answers repeated all the same, and is told of a run and of another request', async () => {
    const { call, useUp, writes } = openEnvironment();
    await call(OK, 'order-17');
    await useUp();
    await call(OK);
    writes.splice(0);
    expect(await call(OK, 'order-17')).toMatchObject({
      status: 200,
      headers: { 'Idempotency-Replayed': 'true' },
    });
    expect(JSON.parse((await call({ input: 'Other' }, 'order-17')).body)).toMatchObject({
      code: 'idempotency_mismatch',
    });
    expect(writes).toEqual([]);
  });
});

/** Each run reserves about 1,100 tokens or microdollars, and is charged all of it, since the answer reports no usage. */
describe.each([
  { metric: 'tokens', scope: 'total', limit: 2_000, period: '1d' },
  { metric: 'tokens', scope: 'ip', limit: 2_000, period: '1d' },
  { metric: 'cost', scope: 'total', limit: 0.002, period: '1d' },
])('a caller whose limit of $metric, $scope, is used up', (rule) => {
  it('is told so before the body is parsed, once the environment knows', async () => {
    const { call, writes } = openEnvironment(rule);
    expect(await call(OK)).toMatchObject({ status: 200 });
    // What is left is less than the version needs, which no one has been denied yet.
    expect(await call(MALFORMED)).toMatchObject({ status: 422 });
    const denied = await call(OK);
    expect(JSON.parse(denied.body)).toMatchObject({ code: 'rate_limited', retryAfter: 43_200 });
    writes.splice(0);
    for (const body of MALFORMED_BODIES) {
      const { status, body: text } = await call({}, undefined, { body });
      expect([status, text]).toEqual([429, denied.body.replace('call-3', JSON.parse(text).executionId)]);
    }
    expect(writes).toEqual([]);
  });

  it('may ask for less than others, where the version lets a caller choose', async () => {
    const flow = [{ callModel: { ...callModel, accepts: ['parameters'] } }];
    const { call } = openEnvironment(rule, { flow });
    await call(OK);
    expect(await call(OK)).toMatchObject({ status: 429 });
    expect(await call(MALFORMED)).toMatchObject({ status: 422 });
    expect(await call({ ...OK, parameters: { maxTokens: 100 } })).toMatchObject({ status: 200 });
  });

  it('passes where the version may answer without a model', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the branch's name in settings files; nothing here is awaited.
    const branch = { any: ['hours'], then: [{ serveOutput: { text: '9 to 5' } }] };
    const { call } = openEnvironment(rule, { flow: [{ ifInputContains: branch }, { callModel }] });
    await call(OK);
    expect(await call(OK)).toMatchObject({ status: 429 });
    expect(await call(MALFORMED)).toMatchObject({ status: 422 });
    expect(await call({ input: 'hours?' })).toMatchObject({ status: 200 });
  });

  it('has a place again in the next window', async () => {
    const { call, clock } = openEnvironment(rule);
    for (const status of [200, 429, 429]) expect(await call(OK)).toMatchObject({ status });
    await clock.advance(43_200_000);
    for (const status of [200, 429]) expect(await call(OK)).toMatchObject({ status });
  });
});
