// One answer in the wire form of each vendor, whole and as the bytes of a stream.
import { bedrockEvent, named, sse } from '../../../adapters/providers/streams/protocols.ts';

/** An answer in the words of none of them. The text is there beside calls, too. */
export interface Said {
  readonly thought?: string;
  readonly text: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  readonly finish: 'stop' | 'calls' | 'length' | 'refused';
}

/** What each vendor counts for each answer. */
export const COUNTED = { input: 40, cached: 8, output: 12 };

export interface Vendor {
  readonly settings: object;
  readonly contentType: string;
  readonly whole: (said: Said) => object;
  readonly stream: (said: Said) => Buffer;
}

const halves = (text: string): readonly string[] => {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(''), points.slice(middle).join('')].filter((one) => one !== '');
};

const chatUsage = {
  ...{ prompt_tokens: COUNTED.input, completion_tokens: COUNTED.output },
  prompt_tokens_details: { cached_tokens: COUNTED.cached },
};
const CHAT_FINISH = { stop: 'stop', calls: 'tool_calls', length: 'length', refused: 'content_filter' };

const chat: Vendor = {
  settings: { type: 'openai', baseUrl: 'https://api.example.com/v1', apiKey: { secret: 'key' } },
  contentType: 'text/event-stream',
  whole({ thought, text, calls = [], finish }) {
    const tool_calls = calls.map(({ id, name, input }) => ({
      ...{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } },
    }));
    const message = {
      ...{ role: 'assistant', content: text },
      ...(thought === undefined ? {} : { reasoning_content: thought }),
      ...(calls.length === 0 ? {} : { tool_calls }),
    };
    return { choices: [{ index: 0, message, finish_reason: CHAT_FINISH[finish] }], usage: chatUsage };
  },
  stream({ thought, text, calls = [], finish }) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      sse({ id: 'a', choices: [{ index: 0, delta, finish_reason }] });
    const frames = [
      ...(thought === undefined ? [] : halves(thought).map((one) => chunk({ reasoning_content: one }))),
      ...halves(text).map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, input }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...halves(JSON.stringify(input)).map((one) =>
          chunk({ tool_calls: [{ index, function: { arguments: one } }] }),
        ),
      ]),
      chunk({}, CHAT_FINISH[finish]),
      sse({ id: 'a', choices: [], usage: chatUsage }),
      sse('[DONE]'),
    ];
    return Buffer.from(frames.join(''));
  },
};

const responsesUsage = {
  ...{ input_tokens: COUNTED.input, output_tokens: COUNTED.output },
  input_tokens_details: { cached_tokens: COUNTED.cached },
};

function responseOf({ thought, text, calls = [], finish }: Said) {
  const part = finish === 'refused' ? { type: 'refusal', refusal: text } : { type: 'output_text', text };
  const output = [
    ...(thought === undefined
      ? []
      : [
          {
            ...{ type: 'reasoning', id: 'rs', encrypted_content: 'sealed' },
            summary: [{ type: 'summary_text', text: thought }],
          },
        ]),
    ...(text === '' ? [] : [{ type: 'message', role: 'assistant', content: [part] }]),
    ...calls.map(({ id, name, input }) => ({
      ...{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) },
    })),
  ];
  const isCut = finish === 'length';
  return {
    ...{ object: 'response', model: 'm', output, usage: responsesUsage },
    ...{ status: isCut ? 'incomplete' : 'completed' },
    ...{ incomplete_details: isCut ? { reason: 'max_output_tokens' } : null },
  };
}

const responses: Vendor = {
  settings: { ...chat.settings, api: 'responses' },
  contentType: 'text/event-stream',
  whole: responseOf,
  stream(said) {
    const response = responseOf(said);
    const type = said.finish === 'refused' ? 'response.refusal.delta' : 'response.output_text.delta';
    const events = [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      ...response.output.flatMap((item, output_index) => [
        ...(item.type === 'message' ? halves(said.text).map((delta) => ({ type, output_index, delta })) : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: `response.${response.status}`, response },
    ];
    return Buffer.from(events.map(named).join(''));
  },
};

const anthropicUsage = {
  input_tokens: COUNTED.input - COUNTED.cached,
  ...{ cache_read_input_tokens: COUNTED.cached, output_tokens: COUNTED.output },
};
const STOP_REASONS = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', refused: 'refusal' };

const blocksOf = ({ thought, text, calls = [] }: Said) => [
  ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: 'signed' }]),
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...calls.map((call) => ({ type: 'tool_use', ...call })),
];

const anthropic: Vendor = {
  settings: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
  contentType: 'text/event-stream',
  whole: (said) => ({
    ...{ type: 'message', role: 'assistant', model: 'm', content: blocksOf(said) },
    ...{ stop_reason: STOP_REASONS[said.finish], usage: anthropicUsage },
  }),
  stream(said) {
    const { thought = '', text, calls = [] } = said;
    const inputs = new Map(calls.map(({ id, input }) => [id, JSON.stringify(input)]));
    const events = blocksOf(said).flatMap((block, index) => {
      const delta = (one: object) => ({ type: 'content_block_delta', index, delta: one });
      const start = (content_block: object) => ({ type: 'content_block_start', index, content_block });
      const stop = { type: 'content_block_stop', index };
      if (block.type === 'thinking') {
        const pieces = halves(thought).map((one) => delta({ type: 'thinking_delta', thinking: one }));
        const signature = delta({ type: 'signature_delta', signature: 'signed' });
        return [start({ type: 'thinking', thinking: '', signature: '' }), ...pieces, signature, stop];
      }
      if ('id' in block) {
        const pieces = halves(inputs.get(block.id) ?? '').map((partial_json) =>
          delta({ type: 'input_json_delta', partial_json }),
        );
        return [start({ ...block, input: {} }), ...pieces, stop];
      }
      const pieces = halves(text).map((one) => delta({ type: 'text_delta', text: one }));
      return [start({ type: 'text', text: '' }), ...pieces, stop];
    });
    const all = [
      { type: 'message_start', message: { model: 'm', usage: { ...anthropicUsage, output_tokens: 1 } } },
      ...events,
      { type: 'message_delta', delta: { stop_reason: STOP_REASONS[said.finish] }, usage: anthropicUsage },
      { type: 'message_stop' },
    ];
    return Buffer.from(all.map(named).join(''));
  },
};

const bedrockUsage = {
  ...{ inputTokens: COUNTED.input - COUNTED.cached, outputTokens: COUNTED.output },
  cacheReadInputTokens: COUNTED.cached,
};
const BEDROCK_STOPS = { ...STOP_REASONS, refused: 'content_filtered' };

const bedrock: Vendor = {
  settings: { type: 'bedrock', region: 'us-east-1' },
  contentType: 'application/vnd.amazon.eventstream',
  whole({ thought, text, calls = [], finish }) {
    const content = [
      ...(thought === undefined
        ? []
        : [{ reasoningContent: { reasoningText: { text: thought, signature: 'signed' } } }]),
      ...(text === '' ? [] : [{ text }]),
      ...calls.map(({ id: toolUseId, name, input }) => ({ toolUse: { toolUseId, name, input } })),
    ];
    const ends = { stopReason: BEDROCK_STOPS[finish], usage: bedrockUsage };
    return { output: { message: { role: 'assistant', content } }, ...ends };
  },
  stream({ thought, text, calls = [], finish }) {
    const frames: Buffer[] = [bedrockEvent('messageStart', { role: 'assistant' })];
    let contentBlockIndex = 0;
    const add = (deltas: readonly object[]): void => {
      frames.push(
        ...deltas.map((delta) => bedrockEvent('contentBlockDelta', { contentBlockIndex, delta })),
        bedrockEvent('contentBlockStop', { contentBlockIndex }),
      );
      contentBlockIndex += 1;
    };
    if (thought !== undefined) {
      const pieces = halves(thought).map((one) => ({ reasoningContent: { text: one } }));
      add([...pieces, { reasoningContent: { signature: 'signed' } }]);
    }
    if (text !== '') add(halves(text).map((one) => ({ text: one })));
    for (const { id: toolUseId, name, input } of calls) {
      const start = { contentBlockIndex, start: { toolUse: { toolUseId, name } } };
      frames.push(bedrockEvent('contentBlockStart', start));
      add(halves(JSON.stringify(input)).map((one) => ({ toolUse: { input: one } })));
    }
    frames.push(
      bedrockEvent('messageStop', { stopReason: BEDROCK_STOPS[finish] }),
      bedrockEvent('metadata', { usage: bedrockUsage }),
    );
    return Buffer.concat(frames);
  },
};

export const VENDORS: Readonly<Record<string, Vendor>> = { chat, responses, anthropic, bedrock };
