// Chunks of OpenAI-compatible endpoints: calls of tools in fragments, and what servers add or leave out.
import { describe, expect, it } from 'vitest';
import { readBody, sse as toEvent } from '../streams/protocols.ts';

const sse = (...chunks: readonly unknown[]) => chunks.map((chunk) => toEvent(chunk)).join('');
const read = (body: string) => readBody({ name: 'openai' }, { pieces: [body] });
const delta = (content: string) => ({
  model: 'gpt-1',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});
const finish = (finish_reason: string) => ({
  model: 'gpt-1',
  choices: [{ index: 0, delta: {}, finish_reason }],
});
const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } };

describe('a stream of tool calls', () => {
  const fragment = (index: number | undefined, rest: object) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ ...(index === undefined ? {} : { index }), ...rest }] } }],
  });
  const begin = (index: number | undefined, id: string | undefined, name: string | null, options = '') =>
    fragment(index, {
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name, arguments: options },
    });
  const args = (index: number | undefined, options: string) =>
    fragment(index, { function: { arguments: options } });
  const ending = [finish('tool_calls'), USAGE, '[DONE]'];
  const callsOf = async (...chunks: readonly unknown[]) => {
    const { events, thrown } = await read(sse(...chunks, ...ending));
    expect(thrown).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: 'end', finish: 'toolCalls' });
    return events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
  };
  const a = { id: 'a', name: 'one', arguments: { x: 1 } };
  const b = { id: 'b', name: 'two', arguments: { y: 2 } };

  it('gives each whole, however their fragments are mixed', async () => {
    const mixed = [
      begin(0, 'a', 'one'),
      begin(1, 'b', 'two'),
      args(0, '{"x"'),
      args(1, '{"y":2'),
      args(0, ':1}'),
      args(1, '}'),
    ];
    expect(await callsOf(delta('Wait.'), ...mixed)).toEqual([a, b]);
  });

  it('takes indexes that begin at 1, are missing, or are all 0', async () => {
    expect(await callsOf(begin(1, 'a', 'one', '{"x":1}'), begin(2, 'b', 'two', '{"y":2}'))).toEqual([a, b]);
    expect(
      await callsOf(begin(undefined, 'a', 'one', '{"x":1}'), begin(undefined, 'b', 'two', '{"y":2}')),
    ).toEqual([a, b]);
    expect(await callsOf(begin(0, 'a', 'one', '{"x":1}'), begin(0, 'b', 'two', '{"y":2}'))).toEqual([a, b]);
  });

  it('takes id and name in every fragment, or an id that changes with each', async () => {
    expect(await callsOf(begin(0, 'a', 'one', '{"x"'), begin(0, 'a', 'one', ':1}'))).toEqual([a]);
    expect(await callsOf(begin(0, 'a', 'one', '{"x"'), begin(0, 'other', null, ':1}'))).toEqual([a]);
  });

  it('gives a call without an id one of its own, and {} for no argument', async () => {
    const [one, two] = await callsOf(begin(0, undefined, 'one'), begin(1, '', 'two', '{}'));
    expect([one, two]).toMatchObject([
      { name: 'one', arguments: {} },
      { name: 'two', arguments: {} },
    ]);
    expect(one?.id).toMatch(/^call_[0-9a-f]{32}$/);
    expect(two?.id).not.toBe(one?.id);
  });

  it('ends by toolCalls whatever the server says', async () => {
    const { events } = await read(sse(begin(0, 'a', 'one', '{"x":1}'), finish('stop'), '[DONE]'));
    expect(events).toMatchObject([{ type: 'toolCall' }, { type: 'end', finish: 'toolCalls' }]);
  });

  it.each([
    ['no name', [args(0, '{}'), finish('tool_calls')]],
    [
      'fragments after the finish reason',
      [begin(0, 'a', 'one', '{"x"'), finish('tool_calls'), args(0, ':1}')],
    ],
    [
      'more calls than any request has tools',
      Array.from({ length: 129 }, (_, at) => begin(at, `${at}`, 'one')),
    ],
  ])('fails with %s', async (_what, chunks) => {
    const { events, thrown } = await read(sse(...chunks, '[DONE]'));
    expect(thrown).toMatchObject({ kind: 'truncated' });
    expect(events).toEqual([]);
  });
});

describe('what servers add or leave out', () => {
  const choice = (of: object) => ({ model: 'gpt-1', choices: [{ index: 0, ...of }] });

  it.each([
    [
      'the first chunk of Azure OpenAI',
      [
        { id: '', object: '', model: '', choices: [], prompt_filter_results: [] },
        delta('Hi'),
        finish('stop'),
      ],
    ],
    ['chunks without choices', [{ object: 'ping' }, delta('Hi'), {}, finish('stop')]],
    ['an empty event', ['', delta('Hi'), finish('stop')]],
    ['a role in every delta', [choice({ delta: { role: 'assistant', content: 'Hi' } }), finish('stop')]],
    [
      'reasoning',
      [choice({ delta: { reasoning_content: 'hm', content: null } }), delta('Hi'), finish('stop')],
    ],
    [
      'parts',
      [
        choice({
          delta: {
            content: [
              { type: 'thinking', thinking: [] },
              { type: 'text', text: 'Hi' },
            ],
          },
        }),
        finish('stop'),
      ],
    ],
    ['a finish reason beside the last text', [choice({ delta: { content: 'Hi' }, finish_reason: 'stop' })]],
    ['an empty finish reason', [choice({ delta: { content: 'Hi' }, finish_reason: '' }), finish('stop')]],
    [
      'another answer beside the first',
      [
        {
          choices: [
            { index: 1, delta: { content: 'Ho' } },
            { index: 0, delta: { content: 'Hi' } },
          ],
        },
        finish('stop'),
      ],
    ],
    ['no index', [{ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] }]],
  ])('is passed over: %s', async (_what, chunks) => {
    expect(await read(sse(...chunks, '[DONE]'))).toMatchObject({ text: 'Hi', thrown: undefined });
  });

  it('is read: the words of a model that refused', async () => {
    const { text, events } = await read(
      sse(
        choice({ delta: { content: '', refusal: null } }),
        choice({ delta: { refusal: 'I can' } }),
        choice({ delta: { refusal: 'not.' } }),
        finish('stop'),
      ),
    );
    expect(text).toBe('I cannot.');
    expect(events.at(-1)).toMatchObject({ finish: 'filtered' });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    ['eos', 'other'],
  ])('is a finish reason: %s is %s', async (reason, expected) => {
    expect((await read(sse(delta('Hi'), finish(reason)))).events.at(-1)).toMatchObject({ finish: expected });
  });

  const counts = (prompt_tokens: number, completion_tokens: number, total_tokens: number) => ({
    choices: [],
    usage: { prompt_tokens, completion_tokens, total_tokens },
  });

  it.each<[string, readonly unknown[], unknown]>([
    [
      'reasoning that is in the total alone (xAI)',
      [finish('stop'), counts(307, 26, 560)],
      { input: 307, output: 253 },
    ],
    ['before the finish reason', [counts(3, 5, 8), finish('stop')], { input: 3, output: 5 }],
    [
      'in every chunk, the last one counting',
      [counts(3, 1, 4), delta('x'), counts(3, 5, 8), finish('stop')],
      { input: 3, output: 5 },
    ],
    [
      'beside the finish reason',
      [{ ...finish('stop'), usage: { prompt_tokens: 3, completion_tokens: 5 } }],
      { input: 3, output: 5 },
    ],
    ['nowhere', [finish('stop')], undefined],
    ['in half', [finish('stop'), { choices: [], usage: { prompt_tokens: 3 } }], undefined],
  ])('is usage: %s', async (_where, chunks, usage) => {
    expect((await read(sse(delta('Hi'), ...chunks, '[DONE]'))).events.at(-1)).toMatchObject({
      type: 'end',
      usage,
    });
  });
});
