// A provider's stream that begins again within an answer, as behind a gateway that asks another server in the middle of one: at every event, it
// is a failure and never a text in two copies, or the same call twice.
import { describe, expect, it } from 'vitest';
import { bedrockEvent, named, type Protocol, readBody, sse } from './protocols.ts';

/** The events of one answer, which say `Take 1 tablet` and call `order`. The number makes its ids other ones. */
type Answer = (number: number) => readonly Buffer[];

const texts = (events: readonly string[]) => events.map((event) => Buffer.from(event));

const chunk = (number: number, choice: object, isNamed: boolean) =>
  sse({
    ...(isNamed ? { id: `chatcmpl-${number}` } : {}),
    model: 'm',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  });

const openai =
  (isNamed: boolean): Answer =>
  (number) =>
    texts([
      chunk(number, { delta: { role: 'assistant', content: '' } }, isNamed),
      chunk(number, { delta: { content: 'Take 1 ' } }, isNamed),
      chunk(number, { delta: { content: 'tablet' } }, isNamed),
      chunk(
        number,
        {
          delta: { tool_calls: [{ index: 0, id: `c${number}`, function: { name: 'order', arguments: '' } }] },
        },
        isNamed,
      ),
      chunk(number, { delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }, isNamed),
      chunk(number, { delta: {}, finish_reason: 'tool_calls' }, isNamed),
      sse({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } }),
      sse('[DONE]'),
    ]);

const anthropic: Answer = (number) =>
  texts(
    [
      {
        type: 'message_start',
        message: { id: `msg_${number}`, usage: { input_tokens: 3, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Take 1 ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'tablet' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: `toolu_${number}`, name: 'order', input: {} },
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ].map(named),
  );

const bedrock: Answer = (number) => [
  bedrockEvent('messageStart', { role: 'assistant' }),
  bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Take 1 ' } }),
  bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'tablet' } }),
  bedrockEvent('contentBlockStop', { contentBlockIndex: 0 }),
  bedrockEvent('contentBlockStart', {
    contentBlockIndex: 1,
    start: { toolUse: { toolUseId: `t${number}`, name: 'order' } },
  }),
  bedrockEvent('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{}' } } }),
  bedrockEvent('contentBlockStop', { contentBlockIndex: 1 }),
  bedrockEvent('messageStop', { stopReason: 'tool_use' }),
  bedrockEvent('metadata', { usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 } }),
];

/** `from`: after how many events a second beginning is one. Without ids, two roles before the first text are no two answers. */
const PROTOCOLS: readonly (readonly [string, Protocol['name'], Answer, from: number])[] = [
  ['openai', 'openai', openai(true), 1],
  ['openai, without ids', 'openai', openai(false), 2],
  ['anthropic', 'anthropic', anthropic, 1],
  ['bedrock', 'bedrock', bedrock, 1],
];

describe.each(PROTOCOLS)('an answer of %s', (_title, name, answer, from) => {
  const first = answer(1);
  const read = (pieces: readonly Buffer[]) => readBody({ name }, { pieces });

  it('is whole where it comes once', async () => {
    const { events, text, thrown } = await read(first);
    expect(thrown).toBeUndefined();
    expect(text).toBe('Take 1 tablet');
    expect(events.map(({ type }) => type)).toEqual(['text', 'text', 'toolCall', 'end']);
  });

  it.each(first.map((_event, index) => index).slice(from))(
    'fails where it begins again after %d events',
    async (count) => {
      const { events, thrown } = await read([...first.slice(0, count), ...answer(2)]);
      expect(thrown).toMatchObject({ kind: 'truncated', status: 200 });
      expect(events.some(({ type }) => type === 'end')).toBe(false);
    },
  );

  it('is whole, and no more than that, where another one follows it', async () => {
    const { text, events } = await read([...first, ...answer(2)]);
    expect(text).toBe('Take 1 tablet');
    expect(events.filter(({ type }) => type === 'toolCall')).toHaveLength(1);
  });
});

it('fails where bedrock says twice that a message ends', async () => {
  const events = bedrock(1);
  const twice = [...events.slice(0, 8), events[7] ?? Buffer.alloc(0), ...events.slice(8)];
  expect((await readBody({ name: 'bedrock' }, { pieces: twice })).thrown).toMatchObject({
    kind: 'truncated',
  });
});
