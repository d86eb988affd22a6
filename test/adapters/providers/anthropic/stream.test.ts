// Streams of Anthropic's Messages API: what is read, what is passed over, and when a message is whole.
import { describe, expect, it } from 'vitest';
import { take } from '../stream-http.ts';
import { named, open, readBody, sse } from '../streams/protocols.ts';

const ANTHROPIC = { name: 'anthropic', contentType: 'text/event-stream' } as const;

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;
const start = (usage: object = { input_tokens: 3, output_tokens: 1 }): Event => ({
  type: 'message_start',
  message: { model: 'claude-1', usage },
});
const block = (index: number, content_block: object): Event => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, what: object): Event => ({ type: 'content_block_delta', index, delta: what });
const text = (words: string, index = 0) => delta(index, { type: 'text_delta', text: words });
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const close = (index: number): Event => ({ type: 'content_block_stop', index });
const reason = (stop_reason: string | null, usage: unknown = { output_tokens: 5 }): Event => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
});
const STOP: Event = { type: 'message_stop' };

const read = (...events: readonly Event[]) => readBody(ANTHROPIC, { pieces: [events.map(named).join('')] });

describe('a whole message', () => {
  it('gives text, finish, usage and the exact model', async () => {
    const { events } = await read(
      start(),
      block(0, { type: 'text', text: '' }),
      text('Hel'),
      text('lo'),
      close(0),
      reason('end_turn'),
      STOP,
    );
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'end', finish: 'stop', usage: { input: 3, output: 5 }, modelVersion: 'claude-1' },
    ]);
  });

  it('passes over thinking, pings, citations and events that nobody knows', async () => {
    const { text: words, thrown } = await read(
      start(),
      { type: 'ping' },
      block(0, { type: 'thinking', thinking: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'x' }),
      close(0),
      { type: 'of_tomorrow', index: 'x' },
      text('Hi', 1),
      delta(1, { type: 'citations_delta', citation: {} }),
      reason('end_turn'),
      STOP,
    );
    expect({ words, thrown }).toEqual({ words: 'Hi', thrown: undefined });
  });

  it('gives calls of tools whole, fragments of parallel ones apart, and {} where there is no argument', async () => {
    const { events } = await read(
      start(),
      text('Wait.'),
      block(1, { type: 'tool_use', id: 'a', name: 'one', input: {} }),
      block(2, { type: 'tool_use', id: 'b', name: 'two', input: {} }),
      json(1, '{"x":'),
      json(2, ''),
      json(1, '1}'),
      close(1),
      close(2),
      block(3, { type: 'tool_use', id: 'c', name: 'three', input: { y: 2 } }),
      close(3),
      reason('tool_use'),
      STOP,
    );
    expect(events.slice(1)).toEqual([
      { type: 'toolCall', call: { id: 'a', name: 'one', arguments: { x: 1 } } },
      { type: 'toolCall', call: { id: 'b', name: 'two', arguments: {} } },
      { type: 'toolCall', call: { id: 'c', name: 'three', arguments: { y: 2 } } },
      { type: 'end', finish: 'toolCalls', usage: { input: 3, output: 5 }, modelVersion: 'claude-1' },
    ]);
  });

  it('passes over calls of the vendor’s own tools', async () => {
    const own = block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} });
    const { events } = await read(
      start(),
      own,
      json(0, '{"q":1}'),
      close(0),
      text('Hi', 1),
      reason('end_turn'),
      STOP,
    );
    expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'filtered'],
    ['pause_turn', 'other'],
  ])('that ended by %s has ended by %s, and may have no text', async (stopReason, finish) => {
    const { events } = await read(start(), reason(stopReason), STOP);
    expect(events).toMatchObject([{ type: 'end', finish }]);
  });

  it.each([
    [
      'what went through the cache is input',
      { input_tokens: 3, cache_read_input_tokens: 7, output_tokens: 1 },
      { output_tokens: 5 },
      { input: 10, output: 5, cachedInput: 7 },
    ],
    [
      'later counts take the place of earlier ones',
      { input_tokens: 0, output_tokens: 0 },
      { input_tokens: 9, output_tokens: 5 },
      { input: 9, output: 5 },
    ],
    [
      'and never fall',
      { input_tokens: 9, output_tokens: 1 },
      { input_tokens: 0, output_tokens: 5 },
      { input: 9, output: 5 },
    ],
    [
      'thinking is a part of the output',
      { input_tokens: 9, output_tokens: 1, output_tokens_details: { thinking_tokens: 0 } },
      { output_tokens: 5, output_tokens_details: { thinking_tokens: 4 } },
      { input: 9, output: 5, reasoning: 4 },
    ],
    ['without a last count nobody knows', { input_tokens: 9, output_tokens: 1 }, null, undefined],
  ])('is counted: %s', async (_rule, first, last, usage) => {
    const { events } = await read(start(first), text('Hi'), reason('end_turn', last), STOP);
    expect(events.at(-1)).toMatchObject({ type: 'end', usage });
  });

  it('may leave out the names of events', async () => {
    const body = [start(), text('Hi'), reason('end_turn'), STOP].map((event) => sse(event)).join('');
    expect((await readBody(ANTHROPIC, { pieces: [body] })).events.at(-1)?.type).toBe('end');
  });
});

describe('no whole message', () => {
  const call = block(0, { type: 'tool_use', id: 'a', name: 'one', input: {} });
  it.each<[string, readonly Event[]]>([
    ['without message_stop', [start(), text('Hi'), reason('end_turn')]],
    ['without a stop reason', [start(), text('Hi'), reason(null), STOP]],
    ['without message_delta', [start(), text('Hi'), close(0), STOP]],
    ['with arguments of no call', [start(), json(0, '{}'), reason('tool_use'), STOP]],
    [
      'with a call that has no name',
      [start(), block(0, { type: 'tool_use', id: 'a' }), reason('tool_use'), STOP],
    ],
    ['with a call in the place of one that has not ended', [start(), call, call, reason('tool_use'), STOP]],
    ['with an error', [start(), text('Hi'), { type: 'error', error: { type: 'overloaded_error' } }, STOP]],
  ])('is one %s', async (_what, events) => {
    const outcome = await read(...events);
    expect(outcome.thrown).toMatchObject({ name: 'ProviderFailure', kind: 'truncated', status: 200 });
    expect(outcome.events.map(({ type }) => type)).not.toContain('end');
  });

  it('says how much input had been counted', async () => {
    const { thrown } = await read(start({ input_tokens: 40, output_tokens: 1 }), text('Hi'));
    expect(thrown).toMatchObject({ usage: { input: 40, output: 1 } });
  });
});

describe('the request', () => {
  it('asks for a stream as for an answer', async () => {
    const whole = [start(), text('Hi'), reason('end_turn'), STOP].map(named).join('');
    const { stream, requests } = open(ANTHROPIC, { pieces: [whole] });
    expect((await take(stream())).text).toBe('Hi');
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/v1/messages',
      headers: { 'x-api-key': 'sk-one', 'anthropic-version': '2023-06-01', accept: 'text/event-stream' },
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ model: 'm', max_tokens: 5, stream: true });
  });

  it.each([
    [429, 'rate_limited'],
    [529, 'unavailable'],
    [400, 'rejected_input'],
  ])('that is answered %i fails before the stream: %s', async (status, kind) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'some_error', message: 'No.' } });
    const { thrown } = await take(open(ANTHROPIC, { status, pieces: [body] }).stream());
    expect(thrown).toMatchObject({ kind, status, explanation: { code: 'some_error', message: 'No.' } });
  });

  it('that is answered with a whole message gives its events', async () => {
    const message = {
      type: 'message',
      model: 'claude-1',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 5 },
    };
    const headers = { 'content-type': 'application/json' };
    const { events } = await take(open(ANTHROPIC, { headers, pieces: [JSON.stringify(message)] }).stream());
    expect(events).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'end', finish: 'stop', usage: { input: 3, output: 5 }, modelVersion: 'claude-1' },
    ]);
  });
});
