// What comes back through a neuron that passes requests on, and what is counted and kept of it.
import { describe, expect, it } from 'vitest';
import { named } from '../../../adapters/providers/streams/protocols.ts';
import { REQUEST } from './claude-request.ts';
import { EVENTS, EVENTS_TYPE, JSON_TYPE, type Json, MESSAGE, openNeuron } from './neuron.ts';

const WIRE_NAMES = ['id', 'model'];
const without = (json: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));

const eventsIn = (body: string): readonly Json[] =>
  [...body.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data]) => {
    const event = JSON.parse(data ?? '');
    expect(event.type).toBe(name);
    return event;
  });

describe('an answer', () => {
  it('comes back whole, with the names of this service', async () => {
    const { ask, entries } = openNeuron();
    const message = JSON.parse((await ask(REQUEST)).body);
    expect(without(message, ...WIRE_NAMES)).toEqual(without(MESSAGE, ...WIRE_NAMES));
    expect(message).toMatchObject({ id: expect.stringMatching(/^msg_call-1/), model: 'coder' });
    const [entry] = entries;
    expect(entry).toMatchObject({ tokensInput: 5, tokensOutput: 7, outcome: 'success' });
    expect(entry?.modelCalls).toMatchObject([{ estimated: false, finish: 'toolCalls' }]);
  });

  it('comes back event by event', async () => {
    const { ask, entries } = openNeuron();
    const { body, headers } = await ask({ ...REQUEST, stream: true });
    const events = eventsIn(body);
    const expected = EVENTS.filter(({ type }) => type !== 'ping');
    expect(events.slice(1)).toEqual(expected.slice(1));
    const [start] = events;
    const [vendors] = expected;
    expect(without(start?.['message'] as Json, ...WIRE_NAMES)).toEqual(
      without(vendors?.['message'] as Json, ...WIRE_NAMES),
    );
    expect(start?.['message']).toMatchObject({ id: expect.stringMatching(/^msg_call-1/), model: 'coder' });
    expect(headers['X-Stream']).toBe('live');
    expect(entries[0]).toMatchObject({ tokensInput: 5, tokensOutput: 7 });
    expect(entries[0]?.output).toMatchObject({ text: expect.stringContaining('toolu_1') });
  });

  it.each(['BUFFERED', 'STREAM'] as const)(
    'is events where the vendor sent none, %s',
    async (transferMode) => {
      const answer = { headers: JSON_TYPE, pieces: [JSON.stringify(MESSAGE)] };
      const { ask } = openNeuron({ transferMode, answer });
      const { body } = await ask({ ...REQUEST, stream: true });
      const events = eventsIn(body);
      const types = events.map(({ type }) => type);
      expect([types[0], ...types.slice(-2)]).toEqual(['message_start', 'message_delta', 'message_stop']);
      const begun = events.flatMap(({ content_block: block }) =>
        block === undefined ? [] : [block as Json],
      );
      expect(begun.map(({ type }) => type)).toEqual(
        (MESSAGE['content'] as readonly Json[]).map(({ type }) => type),
      );
      const pieces = events.map(({ delta }) => delta as Json | undefined);
      expect(pieces.map((one) => one?.['text'] ?? '').join('')).toBe('Hi \ud83d\ude00');
      const inputs = pieces.flatMap((one) => one?.['partial_json'] ?? []);
      expect(inputs.map((one) => JSON.parse(String(one)))).toEqual([{ pattern: 'a' }, { command: 'ls' }]);
      expect(events.at(-2)).toMatchObject({
        delta: { stop_reason: 'tool_use' },
        usage: { output_tokens: 7 },
      });
    },
  );

  it.each([false, true])('is repeated to the same key as it was; streamed: %s', async (stream) => {
    const { ask, sent } = openNeuron();
    const key = { 'idempotency-key': ['k'] };
    const first = await ask({ ...REQUEST, stream }, key);
    const second = await ask({ ...REQUEST, stream }, key);
    expect([second.status, second.headers['Idempotency-Replayed'], sent.length]).toEqual([200, 'true', 1]);
    if (!stream) {
      expect(second.body).toBe(first.body);
      return;
    }
    // A stream that nobody waits for may come in larger pieces.
    const blocksOf = (body: string) =>
      eventsIn(body).flatMap(({ content_block: block }) =>
        block === undefined ? [] : [(block as Json)['type']],
      );
    const textOf = (body: string) =>
      eventsIn(body)
        .map(({ delta }) => (delta as Json)?.['text'] ?? '')
        .join('');
    expect(blocksOf(second.body)).toEqual(blocksOf(first.body));
    expect(textOf(second.body)).toBe(textOf(first.body));
    expect(eventsIn(second.body).at(-1)).toEqual({ type: 'message_stop' });
  });

  it('that is cut between any two events never ends as a whole one', async () => {
    for (const [length] of EVENTS.entries()) {
      const answer = { headers: EVENTS_TYPE, pieces: EVENTS.slice(0, length).map(named) };
      const { ask, entries } = openNeuron({ answer });
      const { status, body } = await ask({ ...REQUEST, stream: true });
      expect(body).not.toContain('message_stop');
      expect(entries[0]?.outcome).toBe('failed');
      if (status === 200) expect(eventsIn(body).at(-1)).toMatchObject({ type: 'error' });
      else expect(status).toBe(503);
    }
  });

  it('is asked for again as long as none of its pieces has left', async () => {
    const answer = { headers: EVENTS_TYPE, pieces: EVENTS.slice(0, 3).map(named) };
    const { ask, sent } = openNeuron({
      answer,
      callModel: { fallbacks: [{ provider: 'claude', model: 'm' }] },
    });
    expect((await ask({ ...REQUEST, stream: true })).status).toBe(503);
    expect(sent).toHaveLength(2);
  });

  it('that calls a tool of nobody ends with an error, before the block does', async () => {
    const { ask } = openNeuron();
    const { body } = await ask({ ...REQUEST, tools: [], stream: true });
    const events = eventsIn(body);
    expect(events.at(-1)).toMatchObject({ type: 'error' });
    const opened = events.findLast(({ type }) => type === 'content_block_start');
    const closed = events.filter(
      ({ type, index }) => type === 'content_block_stop' && index === opened?.['index'],
    );
    expect(closed).toEqual([]);
  });

  it('of the filter of the vendor stops the run, and says so in the words of the vendor', async () => {
    const refused = {
      ...{ ...MESSAGE, content: [], stop_reason: 'refusal' },
      stop_details: { type: 'refusal', category: 'cyber', explanation: null },
    };
    const { ask, entries } = openNeuron({
      answer: { headers: JSON_TYPE, pieces: [JSON.stringify(refused)] },
    });
    for (const stream of [false, true]) {
      const { body } = await ask({ stream });
      expect(body).toContain('"category":"cyber"');
    }
    expect(entries.map(({ outcome }) => outcome)).toEqual(['stopped', 'stopped']);
  });
});

describe('what is counted', () => {
  it.each<[string, object, boolean]>([
    ['nothing unknown', { server_tool_use: { web_search_requests: 0 }, inference_geo: 'us' }, false],
    ['a search', { server_tool_use: { web_search_requests: 1 } }, true],
    ['rounds', { iterations: [{ type: 'compaction', input_tokens: 9 }] }, true],
    ['a new kind', { novel_tokens: 3 }, true],
  ])('is an estimate where the vendor counts %s', async (_what, members, estimated) => {
    const usage = { input_tokens: 5, output_tokens: 7, ...members };
    const whole = { ...MESSAGE, usage };
    const events = EVENTS.map((one) => (one.type === 'message_delta' ? { ...one, usage } : one));
    for (const stream of [false, true]) {
      const answer = stream
        ? { headers: EVENTS_TYPE, pieces: events.map(named) }
        : { headers: JSON_TYPE, pieces: [JSON.stringify(whole)] };
      const { ask, entries } = openNeuron({ answer });
      await ask({ ...REQUEST, stream });
      const call = { tokensInput: 5, tokensOutput: 7, estimated };
      expect(entries[0]?.modelCalls).toMatchObject([call]);
    }
  });

  it('is reserved for every byte that is sent, and what the vendor adds to its tools', async () => {
    const { ask, kept } = openNeuron();
    await ask(REQUEST);
    const line = /\\"neuronRun\\".*?\\"tokensInput\\":(\d+)/.exec(kept());
    const bytes = JSON.stringify([REQUEST.system, REQUEST.messages, REQUEST.tools]).length;
    expect(Number(line?.[1])).toBeGreaterThan(0.7 * bytes + 2 * 2_000);
  });

  it('has no cache, and no thought of a model in the log', async () => {
    const { ask, kept, sent } = openNeuron({ settings: { caching: { exact: true } } });
    const { headers } = await ask({});
    await ask({});
    expect([headers['X-Cache'], sent.length]).toEqual(['off', 2]);
    const thought = { type: 'thinking', thinking: 'I saw it.', signature: 'vendor-signature' };
    const assistant = { role: 'assistant', content: [thought, { type: 'text', text: 'Hi' }] };
    const { headers: left } = await ask({
      messages: [{ role: 'user', content: 'a' }, assistant, { role: 'user', content: 'b' }],
    });
    expect(left['X-Neuron-Left-Out']).toBe('messages[].reasoning');
    expect(JSON.stringify(sent.at(-1)?.body)).not.toContain('vendor-signature');
    expect(kept()).not.toContain('vendor-signature');
    expect(kept()).not.toContain('I saw it.');
  });
});
