// Streams as applications read them: by event, as text, as the result; and no cut one passes for whole.
import { describe, expect, it } from 'vitest';
import {
  IncompleteStreamError,
  NeuronClient,
  NeuronError,
  type NeuronEvent,
} from '../../client/src/index.ts';

const RESULT = { output: 'Grüße 😀!', fromCache: false, executionStopped: false };
const CALL = { id: 'c1', name: 'find', arguments: { of: 'x' } };
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const STREAM = [
  ': ping\n\n',
  event('delta', { text: 'Grüße ' }),
  event('delta', { text: '😀!' }),
  event('toolCall', CALL),
  event('later', { kind: 'of another release' }),
  event('result', RESULT),
].join('');
const EVENTS: readonly NeuronEvent[] = [
  { type: 'delta', text: 'Grüße ' },
  { type: 'delta', text: '😀!' },
  { type: 'toolCall', toolCall: CALL },
  { type: 'result', result: RESULT },
];

/** A client whose service answers with these pieces of a body, and what it was asked. */
function clientOf(pieces: readonly (Uint8Array | Error)[], headers: Record<string, string> = {}) {
  const sent: RequestInit[] = [];
  const state = { cancelled: false };
  const fetch = async (_url: unknown, init: RequestInit = {}) => {
    sent.push(init);
    const left = [...pieces];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = left.shift();
          if (next === undefined) controller.close();
          else if (next instanceof Error) controller.error(next);
          else controller.enqueue(next);
        },
        cancel() {
          state.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, {
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Execution-Id': 'e1', ...headers },
    });
  };
  const client = new NeuronClient({
    baseURL: 'https://api.example.com',
    fetch: fetch as typeof globalThis.fetch,
  });
  return { client, sent, state };
}

const bytes = (text: string) => new TextEncoder().encode(text);
async function eventsOf(client: NeuronClient): Promise<NeuronEvent[]> {
  const events: NeuronEvent[] = [];
  for await (const one of client.stream('acme', 'hello', { input: 'Hi' })) events.push(one);
  return events;
}

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error,
  );
}

describe('a stream', () => {
  it('is asked for by its media type, and gives events, text or the result', async () => {
    const { client, sent } = clientOf([bytes(STREAM)]);
    expect(await eventsOf(client)).toEqual(EVENTS);
    expect(await client.stream('acme', 'hello').text()).toBe(RESULT.output);
    expect(await client.stream('acme', 'hello').result()).toEqual(RESULT);
    expect(new Headers(sent[0]?.headers).get('accept')).toBe('text/event-stream');
    expect(sent[0]?.body).toBe('{"input":"Hi"}');
  });

  it.each(['\n', '\r\n', '\r'])('is read with lines that end with %j, cut at every byte', async (lineEnd) => {
    const whole = bytes(`\u{feff}${STREAM.replaceAll('\n', lineEnd)}`);
    for (let at = 0; at <= whole.length; at += 1) {
      const { client } = clientOf([whole.slice(0, at), whole.slice(at)]);
      expect(await eventsOf(client)).toEqual(EVENTS);
    }
  });

  it('is incomplete when it is cut at any byte before the end of its result, by an end or a break', async () => {
    const whole = bytes(STREAM);
    // The last line end is the one that ends the event.
    for (let at = 0; at < whole.length - 1; at += 1) {
      for (const breaks of [[], [new TypeError('terminated')]]) {
        const { client } = clientOf([whole.slice(0, at), ...breaks]);
        const error = await thrownBy(eventsOf(client));
        expect(error).toBeInstanceOf(IncompleteStreamError);
        expect(RESULT.output.startsWith((error as IncompleteStreamError).text)).toBe(true);
        expect((error as IncompleteStreamError).executionId).toBe('e1');
      }
    }
  });

  it('throws the error of the service in place of the result, without the token', async () => {
    const body = {
      error: 'The model provider of secret-token is unavailable.',
      statusCode: 503,
      code: 'upstream_unavailable',
      retryAfter: 2,
      executionId: 'e1',
    };
    const { client } = clientOf([bytes(event('delta', { text: 'Hel' }) + event('error', body))]);
    client.setJwtOrApiKey('secret-token');
    const seen: NeuronEvent[] = [];
    const error = await thrownBy(
      (async () => {
        for await (const one of client.stream('acme', 'hello')) seen.push(one);
      })(),
    );
    expect(seen).toEqual([{ type: 'delta', text: 'Hel' }]);
    expect(error).toBeInstanceOf(NeuronError);
    expect(error).toMatchObject({ ...body, error: 'The model provider of [token] is unavailable.' });
  });

  it.each(['event: delta\ndata: {"text"\n\n', 'event: result\ndata: 7\n\n', 'event: result\ndata: \n\n'])(
    'is incomplete where an event is no JSON of the service: %j',
    async (text) => {
      expect(await thrownBy(eventsOf(clientOf([bytes(text)]).client))).toBeInstanceOf(IncompleteStreamError);
    },
  );

  it('is not what a proxy answers in another form', async () => {
    const { client } = clientOf([bytes('<html>')], { 'Content-Type': 'text/html' });
    expect(await thrownBy(eventsOf(client))).toMatchObject({ name: 'NeuronError', statusCode: 200 });
  });

  it('ends the connection when its reader stops, and reads nothing after the result', async () => {
    const early = clientOf([bytes(STREAM.slice(0, 60)), bytes(STREAM.slice(60))]);
    for await (const one of early.client.stream('acme', 'hello')) {
      expect(one.type).toBe('delta');
      break;
    }
    expect(early.state.cancelled).toBe(true);
    const late = clientOf([bytes(STREAM), bytes(event('delta', { text: 'more' })), bytes('x')]);
    expect(await eventsOf(late.client)).toEqual(EVENTS);
    expect(late.state.cancelled).toBe(true);
  });

  it('is read once, and called when reading begins', async () => {
    const { client, sent } = clientOf([bytes(STREAM)]);
    const stream = client.stream('acme', 'hello');
    expect(sent).toHaveLength(0);
    await stream.text();
    expect(await thrownBy(stream.result())).toBeInstanceOf(TypeError);
    expect(sent).toHaveLength(1);
  });

  it('refuses what cannot be sent at once', () => {
    const { client } = clientOf([]);
    expect(() => client.stream('Acme!', 'hello')).toThrow(TypeError);
    expect(() => client.stream('acme', 'hello', { timeout: 0 })).toThrow(TypeError);
  });

  it('ends with its signal, between events too', async () => {
    const controller = new AbortController();
    const pending = new ReadableStream<Uint8Array>({
      start: (body) => body.enqueue(bytes(event('delta', { text: 'Hel' }))),
    });
    const fetch = async () => new Response(pending, { headers: { 'Content-Type': 'text/event-stream' } });
    const client = new NeuronClient({ baseURL: 'https://api.example.com', fetch });
    const error = await thrownBy(
      (async () => {
        for await (const one of client.stream('acme', 'hello', { signal: controller.signal }))
          if (one.type === 'delta') controller.abort();
      })(),
    );
    expect(error).toMatchObject({ name: 'AbortError', reason: 'abort' });
  });

  it('is retried until it opens, and never after', async () => {
    let calls = 0;
    const rejected = JSON.stringify({ error: 'Later.', statusCode: 503, code: 'overloaded', retryAfter: 0 });
    const fetch = async () => {
      calls += 1;
      return calls === 1
        ? new Response(rejected, { status: 503 })
        : new Response(event('delta', { text: 'x' }), { headers: { 'Content-Type': 'text/event-stream' } });
    };
    const client = new NeuronClient({ baseURL: 'https://api.example.com', fetch, retry: { baseDelay: 1 } });
    expect(await thrownBy(eventsOf(client))).toBeInstanceOf(IncompleteStreamError);
    expect(calls).toBe(2);
  });
});
