// What an idempotency key makes of a call: one key for all attempts, retries that would otherwise be a risk, and answers that came before.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type CallNeuronOptions,
  IdempotencyMismatchError,
  IncompleteStreamError,
  NeuronClient,
  type NeuronClientOptions,
  NeuronError,
  type NeuronEvent,
  runTools,
} from '../../client/src/index.ts';
import { type Step, scriptService, settle, useFakeClock } from './scripted-service.ts';

beforeEach(() => {
  useFakeClock();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const WITH_KEY: CallNeuronOptions = { input: 'Hello', idempotencyKey: 'order-7' };
const IN_PROGRESS = 'idempotency_in_progress';
const serve: Step = { after: 0, outcome: { status: 200 } };
const breakOff: Step = { after: 10, outcome: 'break' };
const answer = (status: number, more: { code?: string | null; retryAfter?: number } = {}): Step => ({
  after: 0,
  outcome: { status, ...more },
});

async function callThrough(
  steps: readonly Step[],
  options: CallNeuronOptions = WITH_KEY,
  client: NeuronClientOptions = {},
) {
  const { fetch, received } = scriptService(steps);
  const outcome = await settle(() =>
    new NeuronClient({ fetch, ...client }).callNeuron('acme', 'hello', options),
  );
  const keys = received.map(({ headers }) => headers.get('idempotency-key'));
  return { ...outcome, keys, at: received.map(({ at }) => at - (received[0]?.at ?? 0)) };
}

describe('an idempotency key', () => {
  it('is sent with every attempt of the call, and with no other call', async () => {
    const rejected = answer(503);
    expect((await callThrough([rejected, breakOff, serve])).keys).toEqual(['order-7', 'order-7', 'order-7']);
    expect((await callThrough([rejected, serve], {})).keys).toEqual([null, null]);
    expect((await callThrough([rejected, serve], { idempotent: false })).keys).toEqual([null, null]);
  });

  it('is made for each call with idempotent, where there is no TLS, too', async () => {
    const withoutTls = { getRandomValues: crypto.getRandomValues.bind(crypto) };
    vi.stubGlobal('crypto', withoutTls);
    const made = [];
    for (let calls = 0; calls < 100; calls += 1) {
      const { keys } = await callThrough([breakOff, serve], { idempotent: true });
      expect(keys[1]).toBe(keys[0]);
      expect(keys[0]).toMatch(/^[0-9-]{7,43}$/);
      made.push(keys[0]);
    }
    vi.unstubAllGlobals();
    expect(new Set(made).size).toBe(100);
  });

  it.each(['', ' ', 'a b', 'ä', 'a\n', 'x'.repeat(256), 7 as never])(
    'must be what the service takes: %j is a TypeError before any request',
    async (idempotencyKey) => {
      const { error, keys } = await callThrough([serve], { idempotencyKey });
      expect(error).toEqual(new TypeError('idempotencyKey must have 1 to 255 visible ASCII characters'));
      expect(keys).toEqual([]);
      expect(() => new NeuronClient().stream('acme', 'hello', { idempotencyKey })).toThrow(TypeError);
    },
  );

  it('is given or made, not both', async () => {
    for (const idempotent of [true, false]) {
      const both = { idempotencyKey: 'a', idempotent } as never;
      expect((await callThrough([serve], both)).error).toBeInstanceOf(TypeError);
    }
    const longest = '!~'.repeat(127);
    expect((await callThrough([serve], { idempotencyKey: longest })).keys).toEqual([longest]);
  });

  it('is one for each call of a loop with tools', async () => {
    const { fetch, received } = scriptService([serve]);
    const client = new NeuronClient({ fetch });
    await settle(() => runTools(client, 'acme', 'hello', { tools: [], idempotent: true }));
    await settle(() => runTools(client, 'acme', 'hello', { tools: [], idempotent: true }));
    const [one, other] = received.map(({ headers }) => headers.get('idempotency-key'));
    expect(one).toMatch(/./);
    expect(other).not.toBe(one);
  });
});

describe('a call with a key whose answer was lost', () => {
  it('is made again, and says so where the answer is that of the first', async () => {
    const replay: Step = { after: 0, outcome: { status: 200, replayed: true } };
    const { value, keys } = await callThrough([breakOff, replay]);
    expect(value).toEqual({ output: 'Hi', fromCache: false, executionStopped: false, replayed: true });
    expect(keys).toHaveLength(2);
    expect((await callThrough([breakOff, serve])).value).not.toHaveProperty('replayed');
  });

  it('is made again, too, where what stands between says so', async () => {
    for (const status of [502, 504]) {
      expect((await callThrough([answer(status, { code: null }), serve])).keys).toHaveLength(2);
      expect((await callThrough([answer(status, { code: null }), serve], {})).keys).toHaveLength(1);
      expect((await callThrough([answer(status), serve])).keys).toHaveLength(1);
    }
  });

  it('is made again as often as one without a key, and not at all without retries', async () => {
    expect(await callThrough([breakOff])).toMatchObject({
      error: { reason: 'network' },
      keys: { length: 3 },
    });
    expect((await callThrough([breakOff], WITH_KEY, { retry: false })).keys).toHaveLength(1);
    expect((await callThrough([breakOff], WITH_KEY, { retry: { maxRetries: 1 } })).keys).toHaveLength(2);
  });

  it('is made again where the answer ended within its body', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    const whole = JSON.stringify({ output: 'Hi', fromCache: false, executionStopped: false });
    const bodies = [broken, whole];
    const client = new NeuronClient({ fetch: async () => new Response(bodies.shift()) });
    const { value } = await settle(() => client.callNeuron('acme', 'hello', WITH_KEY));
    expect(value).toMatchObject({ output: 'Hi' });
  });
});

describe('a call with a key whose run has not ended', () => {
  const running = (retryAfter?: number) =>
    answer(409, { code: IN_PROGRESS, ...(retryAfter === undefined ? {} : { retryAfter }) });

  it('waits as long as it is told and asks again, more often than it would retry and longer', async () => {
    const steps = [running(3), running(3), running(30), running(1), serve];
    const { value, at } = await callThrough(steps);
    expect(value).toMatchObject({ output: 'Hi' });
    expect(at).toEqual([0, 3_000, 6_000, 36_000, 37_000]);
  });

  it('waits a second where it is told nothing', async () => {
    expect((await callThrough([running(), running(0), serve])).at).toEqual([0, 1_000, 2_000]);
  });

  it('ends with what it was told where the next wait would outlast its timeout', async () => {
    const { error, at } = await callThrough([running(4)], { ...WITH_KEY, timeout: 10_000 });
    expect(error).toMatchObject({ statusCode: 409, code: IN_PROGRESS, retryAfter: 4 });
    expect(at).toEqual([0, 4_000, 8_000]);
  });

  it('keeps its retries for failures', async () => {
    const { value, keys } = await callThrough([breakOff, running(1), running(1), breakOff, serve]);
    expect(value).toMatchObject({ output: 'Hi' });
    expect(keys).toHaveLength(5);
  });

  it('does not wait without retries, nor without a key, nor for another conflict', async () => {
    expect((await callThrough([running(1)], WITH_KEY, { retry: false })).keys).toHaveLength(1);
    expect((await callThrough([running(1)], {})).keys).toHaveLength(1);
    expect((await callThrough([answer(409, { retryAfter: 1 })])).keys).toHaveLength(1);
  });
});

it('is an error of its own where the key came before with another body', async () => {
  const { error, keys } = await callThrough([answer(422, { code: 'idempotency_mismatch' })]);
  expect(error).toBeInstanceOf(IdempotencyMismatchError);
  expect(error).toBeInstanceOf(NeuronError);
  expect(error).toMatchObject({ statusCode: 422, code: 'idempotency_mismatch' });
  expect(keys).toHaveLength(1);
  expect((await callThrough([answer(422)])).error).not.toBeInstanceOf(IdempotencyMismatchError);
});

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const RESULT = { output: 'Grüße 😀!', fromCache: false, executionStopped: false };
const CALL = { id: 'c1', name: 'find', arguments: { of: 'x' } };
const WHOLE = [event('delta', { text: RESULT.output }), event('toolCall', CALL), event('result', RESULT)];
const LIVE = [
  ...[...RESULT.output].map((text) => event('delta', { text })),
  event('toolCall', CALL),
  event('result', RESULT),
];

/** A stream whose body ends after these events; each next request gets the next of them. */
async function streamThrough(bodies: readonly (readonly string[])[], options: CallNeuronOptions = WITH_KEY) {
  const keys: (string | null)[] = [];
  const client = new NeuronClient({
    fetch: async (_url, init) => {
      const body = bodies[Math.min(keys.length, bodies.length - 1)] ?? [];
      const headers = keys.length === 0 ? {} : { 'Idempotency-Replayed': 'true' };
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return new Response(body.join(''), { headers: { 'Content-Type': 'text/event-stream', ...headers } });
    },
  });
  const events: NeuronEvent[] = [];
  const read = async () => {
    for await (const one of client.stream('acme', 'hello', { ...options, rawOutput: false }))
      events.push(one);
  };
  const { error } = await settle(read);
  const text = events.map((one) => (one.type === 'delta' ? one.text : '')).join('');
  return { events, error, keys, text };
}

describe('a stream with a key', () => {
  it('goes on where it was cut, without a word twice', async () => {
    for (let cut = 0; cut < LIVE.length; cut += 1) {
      for (const replay of [WHOLE, LIVE]) {
        const { events, error, keys, text } = await streamThrough([LIVE.slice(0, cut), replay]);
        expect([error, text, keys]).toEqual([undefined, RESULT.output, ['order-7', 'order-7']]);
        expect(events.filter(({ type }) => type === 'toolCall')).toEqual([
          { type: 'toolCall', toolCall: CALL },
        ]);
        expect(events.at(-1)).toEqual({ type: 'result', result: { ...RESULT, replayed: true } });
      }
    }
  });

  it('ends as cut where the retry begins in another way, and asks no third time', async () => {
    const others = [
      [event('delta', { text: 'Gut' }), event('result', RESULT)],
      [event('delta', { text: 'Gr' }), event('result', RESULT)],
      [
        event('delta', { text: RESULT.output }),
        event('toolCall', { ...CALL, id: 'c2' }),
        event('result', RESULT),
      ],
      [event('delta', { text: RESULT.output }), event('result', RESULT)],
    ];
    for (const other of others) {
      const { error, keys, text } = await streamThrough([LIVE.slice(0, -1), other]);
      expect(error).toBeInstanceOf(IncompleteStreamError);
      expect(error).toMatchObject({ text: RESULT.output, cause: 'the retry gave another answer' });
      expect([keys.length, text]).toEqual([2, RESULT.output]);
    }
  });

  it('is tried again as often as a call, and without a key not at all', async () => {
    const cut = LIVE.slice(0, 3);
    expect(await streamThrough([cut])).toMatchObject({ error: { text: 'Grü' }, keys: { length: 3 } });
    expect(await streamThrough([cut, WHOLE], {})).toMatchObject({ error: { text: 'Grü' }, keys: [null] });
  });

  it('is not tried again for an error that the service told', async () => {
    const error = { error: 'No.', statusCode: 503, code: 'upstream_unavailable', retryAfter: 1 };
    const outcome = await streamThrough([[...LIVE.slice(0, 2), event('error', error)], WHOLE]);
    expect(outcome).toMatchObject({ error: { statusCode: 503, code: 'upstream_unavailable' }, text: 'Gr' });
    expect(outcome.keys).toHaveLength(1);
  });
});
