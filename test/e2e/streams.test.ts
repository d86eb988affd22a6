// Streams over HTTP in the service's own form: what comes, in which order, and how each one ends.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { expectCommonHeaders, expectError, expectSuccess } from './support/expect-answer.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';
import { type StepwiseModel, startStepwiseModel } from './support/stepwise-model.ts';
import { callStream, openStream, parseEvents, type StreamEvent, textOf } from './support/stream-call.ts';
import { MAX_TOKENS, streamSettings } from './support/stream-settings.ts';
import { findEntry, openTables } from './support/tables.ts';

/** Words of one, two, three and four bytes a character, combining marks and a family of joined emoji. */
const WORDS = 'añ é 日本語 👩‍👩‍👧 🧑🏽‍🚀 e\u0301 "quoted" \\ line\nnext\r\n\u2028 end';
/** A stream to its end: its head is that of every answer, and it ends in one result or one error. */
function expectStream(answer: Answer, mode: 'live' | 'whole', cache = 'off') {
  expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
    status: 200,
    type: 'text/event-stream; charset=utf-8',
  });
  const executionId = expectCommonHeaders(answer);
  const { headers } = answer;
  expect({ mode: headers['x-stream'], cache: headers['x-cache'] }).toEqual({ mode, cache });
  // Known at the end alone: the result has them.
  expect(Object.keys(headers).filter((name) => /stopped|cost|token/.test(name))).toEqual([]);
  const events = parseEvents(answer.text);
  const ends = events.filter(({ event }) => event === 'result' || event === 'error');
  expect(ends).toEqual([events.at(-1)]);
  return { executionId, events, last: ends[0]?.data ?? {}, end: ends[0]?.event };
}

describe.runIf(isLocal)('a stream', () => {
  let model: StepwiseModel;
  let stack: Stack;
  let client: DynamoDBDocumentClient;
  let authorization: string;

  beforeAll(async () => {
    model = await startStepwiseModel();
    stack = await startStack({ settings: streamSettings(model.baseUrl), concurrency: 3 });
    client = openTables(stack.dataFolder);
    const made = await stack.operate(['keys', 'create', 'acme', '--name', 'streams', '--json']);
    authorization = `Bearer ${(JSON.parse(made) as { key: string }).key}`;
  });
  afterAll(async () => {
    client?.destroy();
    await stack?.stop();
    await model?.stop();
  });

  const stream = (slug: string, json: unknown = { input: 'Hello' }, headers = {}) =>
    callStream(stack.url, `/acme/${slug}`, { json, headers });
  const ask = (slug: string, json: unknown = { input: 'Hello' }) => stack.call(`/acme/${slug}`, { json });
  const entryOf = async (id: string) => {
    const find = () => findEntry({ client, dataFolder: stack.dataFolder }, id);
    await expect.poll(find, { message: `the entry of ${id}` }).toBeDefined();
    return { ...(await find()) };
  };

  it('gives in pieces, byte for byte, what the call gives unstreamed, and then the very same body', async () => {
    const { events, last } = expectStream(await stream('hello', { input: WORDS }), 'live');
    const whole = (await ask('hello', { input: WORDS })).json();
    expect(events.length).toBeGreaterThan(5);
    expect(events.slice(0, -1).map(({ event }) => event)).toEqual(Array(events.length - 1).fill('delta'));
    expect(Buffer.from(textOf(events))).toEqual(Buffer.from(String(whole['output'])));
    expect(last).toEqual(whole);
  });

  it('shows the receipt in its result to whom it may be shown', async () => {
    const { last } = expectStream(await stream('keyed', { input: 'Hello' }, { authorization }), 'live');
    expect(last).toMatchObject({
      output: 'You said: Hello',
      receipt: { costMicrodollars: 6, tokensInput: 2, tokensOutput: 4 },
    });
  });

  it('of a flow that may still change the text is whole: one delta, then the result', async () => {
    const { events } = expectStream(await stream('whole'), 'whole');
    expect(events).toEqual([
      { event: 'delta', data: { text: 'You said: Hello' } },
      { event: 'result', data: { output: 'You said: Hello', fromCache: false, executionStopped: false } },
    ]);
    const stopped = expectStream(await stream('whole', { input: 'secret' }), 'whole');
    expect(stopped.events).toEqual([{ event: 'result', data: { fromCache: false, executionStopped: true } }]);
  });

  it('of a stopped run has the text of the stop, or no text', async () => {
    const { events } = expectStream(await stream('stopped'), 'whole');
    expect(events.map(({ event }) => event)).toEqual(['delta', 'result']);
    expect(events.at(-1)?.data).toEqual((await ask('stopped')).json());
    const silent = expectStream(await stream('silent'), 'whole');
    expect(silent.events).toEqual([{ event: 'result', data: { fromCache: false, executionStopped: true } }]);
  });

  it('of an answer from the cache has the same framing, and says so', async () => {
    const first = expectStream(await stream('cached', { input: 'kept' }), 'live', 'miss');
    await entryOf(first.executionId);
    const again = async () => (await stream('cached', { input: 'kept' })).headers['x-cache'];
    await expect.poll(again).toBe('hit');
    const { events, last, executionId } = expectStream(
      await stream('cached', { input: 'kept' }),
      'whole',
      'hit',
    );
    expect(events.map(({ event }) => event)).toEqual(['delta', 'result']);
    expect(textOf(events)).toBe(textOf(first.events));
    expect(last).toEqual({ ...first.last, fromCache: true });
    expect(executionId).not.toBe(first.executionId);
    // One store for both ways of asking.
    expect((await ask('cached', { input: 'kept' })).json()).toEqual(last);
  });

  it('has the calls of tools, whole, before its result', async () => {
    const weather = {
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    };
    const json = { input: 'weather in Bern', tools: [{ type: 'function', function: weather }] };
    const { events, last } = expectStream(await stream('agent', json), 'live');
    expect(events.map(({ event }) => event)).toEqual(['toolCall', 'result']);
    expect(last).toEqual((await ask('agent', json)).json());
    expect(last['toolCalls']).toEqual([events[0]?.data]);
  });

  it('begins only when there is text: retries and fallbacks come before', async () => {
    const { events, executionId } = expectStream(await stream('saved'), 'live');
    expect(textOf(events)).toBe('You said: Hello');
    expect((await entryOf(executionId))['modelCalls']).toMatchObject([
      { provider: 'failing', finish: 'unavailable' },
      { provider: 'demo', finish: 'stop', firstTextMs: expect.any(Number) },
    ]);
  });

  it.each([
    ['keyed', {}, 401, 'unauthorized'],
    ['closed', {}, 403, 'access_closed'],
    ['nobody', {}, 404, 'not_found'],
    ['hello', { input: 7 }, 422, 'invalid_input'],
    ['hello?rawOutput=1', {}, 422, 'invalid_parameter'],
    ['failing', {}, 503, 'upstream_unavailable'],
    ['impatient', {}, 503, 'deadline_exceeded'],
  ] as const)(
    'that fails before its first text is an ordinary answer: %s %j is %i %s',
    async (slug, json, status, code) => {
      const answer = await stream(slug, json);
      expectError(answer, status, code);
      expect(answer.headers['x-stream']).toBeUndefined();
    },
  );

  it('that is refused by a limit is an ordinary 429', async () => {
    expectStream(await stream('counted'), 'live');
    expectError(await stream('counted'), 429, 'rate_limited');
  });

  it('ends in an error where the provider breaks off: nothing is kept, the most is booked', async () => {
    const { events, end, last, executionId } = expectStream(await stream('broken'), 'live', 'miss');
    expect(textOf(events)).toBe('You said:');
    expect(end).toBe('error');
    expect(last).toMatchObject({ statusCode: 503, code: 'upstream_unavailable', executionId, retryAfter: 1 });
    expect(await entryOf(executionId)).toMatchObject({
      ...{ outcome: 'failed', status: 503, code: 'upstream_unavailable', ...MAX_TOKENS },
      modelCalls: [{ finish: 'truncated', estimated: true, ...MAX_TOKENS, firstTextMs: expect.any(Number) }],
    });
    expectStream(await stream('broken'), 'live', 'miss');
  });

  it('that breaks off takes its reservation from the limit', async () => {
    const { executionId } = expectStream(await stream('metered'), 'live');
    await entryOf(executionId);
    const report = JSON.parse(await stack.operate(['limits', 'acme/metered', '--json'])) as unknown;
    expect(JSON.stringify(report)).toContain(`"used":${MAX_TOKENS.tokensInput + MAX_TOKENS.tokensOutput}`);
  });

  it('ends in an error where the provider falls silent', async () => {
    const { events, end, last, executionId } = expectStream(await stream('stalled'), 'live');
    expect({ text: textOf(events), end, code: last['code'] }).toEqual({
      ...{ text: 'You said:', end: 'error', code: 'upstream_unavailable' },
    });
    expect((await entryOf(executionId))['modelCalls']).toMatchObject([
      { finish: 'truncated', estimated: true },
    ]);
  });

  it('hands each word on before the model has sent the next', async () => {
    const opening = openStream(stack.url, '/acme/stepwise', { input: 'Hello' });
    const asked = await model.nextCall();
    await asked.send('one ');
    const open = await opening;
    const seen: (StreamEvent | undefined)[] = [await open.next()];
    for (const word of ['two ', '三 ', '🧑🏽‍🚀']) {
      await asked.send(word);
      seen.push(await open.next());
    }
    asked.finish({ prompt_tokens: 7, completion_tokens: 4 });
    expect(seen.map((event) => event?.data['text'])).toEqual(['one ', 'two ', '三 ', '🧑🏽‍🚀']);
    expect(await open.rest()).toEqual({
      events: [{ event: 'result', data: expect.objectContaining({ output: 'one two 三 🧑🏽‍🚀' }) }],
      whole: true,
    });
  });

  it('whose caller goes away runs to its end, and has the entry of the whole run', async () => {
    const opening = openStream(stack.url, '/acme/stepwise', { input: 'Hello' });
    const asked = await model.nextCall();
    await asked.send('one ');
    const open = await opening;
    await open.next();
    open.leave();
    await asked.send('two');
    expect(asked.isGone()).toBe(false);
    asked.finish({ prompt_tokens: 7, completion_tokens: 4 });
    expect(await entryOf(String(open.headers['x-execution-id']))).toMatchObject({
      ...{ outcome: 'success', status: 200, tokensInput: 7, tokensOutput: 4 },
      modelCalls: [{ finish: 'stop', estimated: false }],
    });
  });

  it('is for callers who ask for one: everyone else is answered as before', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/*', 'text/event-stream;q=0']) {
      const answer = await stack.call('/acme/hello', {
        json: { input: 'Hello' },
        headers: accept === undefined ? {} : { accept },
      });
      expectSuccess(answer, { output: 'You said: Hello', fromCache: false, executionStopped: false });
      expect(answer.text).toBe('{"output":"You said: Hello","fromCache":false,"executionStopped":false}');
      expect(answer.headers['x-stream']).toBeUndefined();
    }
  });
});

describe.runIf(isLocal)('in BUFFERED transfer', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: streamSettings('http://127.0.0.1:9/v1'), transferMode: 'BUFFERED' });
  });
  afterAll(() => stack?.stop());

  const stream = (slug: string, input = 'Hello') =>
    callStream(stack.url, `/acme/${slug}`, { json: { input } });

  it('a stream is one body with all its events', async () => {
    const answer = await stream('hello', WORDS);
    const { events, last } = expectStream(answer, 'whole');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
    expect(events.map(({ event }) => event)).toEqual(['delta', 'result']);
    expect(last).toEqual({ output: textOf(events), fromCache: false, executionStopped: false });
    expect(last['output']).toContain('🧑🏽‍🚀');
  });

  it('a run that fails is an ordinary answer: nothing has left', async () => {
    expectError(await stream('broken'), 503, 'upstream_unavailable');
    expectError(await stream('closed'), 403, 'access_closed');
  });
});
