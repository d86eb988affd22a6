// An answer of each surface, whole or streamed, as its clients understand it.

/** The parts of an answer that every surface has. */
export interface Understood {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  /** `end` where the surface has no other word for it. */
  readonly finish: 'stop' | 'calls' | 'length' | 'refused' | 'end';
  /** Input without what came from the prompt cache, and what came from there; absent where the surface shows none. */
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
}

export type SurfaceName = 'native' | 'openai' | 'responses' | 'anthropic';

/** Undefined where a client would take it for a part, or an error. */
export function understand(surface: SurfaceName, body: string, isStream: boolean): Understood | undefined {
  return isStream ? STREAMED[surface](eventsIn(body)) : WHOLE[surface](JSON.parse(body));
}

// Bodies of JSON, which clients read without a schema, too.
// biome-ignore lint/suspicious/noExplicitAny: answers of four forms are picked apart by their members.
type Json = any;

function eventsIn(body: string): readonly { readonly event: string; readonly data: Json }[] {
  return body
    .split('\n\n')
    .map((frame) => ({
      event: /^event: (.*)$/m.exec(frame)?.[1] ?? '',
      text: /^data: (.*)$/m.exec(frame)?.[1],
    }))
    .flatMap(({ event, text }) =>
      text === undefined ? [] : [{ event, data: text === '[DONE]' ? text : JSON.parse(text) }],
    );
}

type Events = ReturnType<typeof eventsIn>;

const FINISHES = {
  stop: 'stop',
  tool_calls: 'calls',
  length: 'length',
  content_filter: 'refused',
  end_turn: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  refusal: 'refused',
} as const;
const finishOf = (reason: string): Understood['finish'] => FINISHES[reason as keyof typeof FINISHES];

function native({ output = '', toolCalls = [], executionStopped }: Json): Understood {
  const calls = toolCalls.map(({ id, name, arguments: input }: Json) => ({ id, name, input }));
  return { text: output, calls, finish: executionStopped ? 'refused' : calls.length > 0 ? 'calls' : 'end' };
}

function chat({ message, finish_reason }: Json, usage: Json): Understood {
  const { content, tool_calls = [] } = message;
  const cached = usage.prompt_tokens_details.cached_tokens;
  return {
    text: content ?? '',
    calls: tool_calls.map(({ id, function: { name, arguments: input } }: Json) => ({
      ...{ id, name, input: JSON.parse(input) },
    })),
    finish: finishOf(finish_reason),
    usage: { input: usage.prompt_tokens - cached, cached, output: usage.completion_tokens },
  };
}

function response({ status, incomplete_details: details, output, usage }: Json): Understood | undefined {
  if (status !== 'completed' && status !== 'incomplete') return undefined;
  const ofType = (type: string) => output.filter((item: Json) => item.type === type);
  const parts = ofType('message').flatMap(({ content }: Json) => content);
  const calls = ofType('function_call').map(({ call_id: id, name, arguments: input }: Json) => ({
    ...{ id, name, input: JSON.parse(input) },
  }));
  const hasRejected =
    details?.reason === 'content_filter' || parts.some(({ type }: Json) => type === 'refusal');
  const ended = status === 'completed' ? 'stop' : 'length';
  const cached = usage.input_tokens_details.cached_tokens;
  return {
    text: parts.map(({ text, refusal }: Json) => text ?? refusal).join(''),
    calls,
    finish: hasRejected ? 'refused' : calls.length > 0 ? 'calls' : ended,
    usage: { input: usage.input_tokens - cached, cached, output: usage.output_tokens },
  };
}

function message({ content, stop_reason, usage }: Json): Understood {
  const ofType = (type: string) => content.filter((block: Json) => block.type === type);
  return {
    text: ofType('text')
      .map(({ text }: Json) => text)
      .join(''),
    calls: ofType('tool_use').map(({ id, name, input }: Json) => ({ id, name, input })),
    finish: finishOf(stop_reason),
    usage: {
      ...{ input: usage.input_tokens, cached: usage.cache_read_input_tokens, output: usage.output_tokens },
    },
  };
}

const WHOLE: Readonly<Record<SurfaceName, (json: Json) => Understood | undefined>> = {
  native,
  openai: ({ choices, usage }) => chat(choices[0], usage),
  responses: response,
  anthropic: message,
};

const STREAMED: Readonly<Record<SurfaceName, (events: Events) => Understood | undefined>> = {
  native(events) {
    const last = events.at(-1);
    if (last?.event !== 'result') return undefined;
    const pieces = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
    return pieces === (last.data.output ?? '') ? native(last.data) : undefined;
  },
  openai(events) {
    const chunks = events.map(({ data }) => data);
    if (chunks.at(-1) !== '[DONE]' || chunks.some(({ error }) => error !== undefined)) return undefined;
    const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
    const usage = chunks.findLast((chunk) => chunk.usage != null)?.usage;
    const tool_calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
    const content = choices.map(({ delta }) => delta.content ?? '').join('');
    const finish_reason = choices.findLast((choice) => choice.finish_reason !== null)?.finish_reason;
    return chat({ message: { content, tool_calls }, finish_reason }, usage);
  },
  responses(events) {
    const last = events.at(-1)?.data;
    if (last?.type !== 'response.completed' && last?.type !== 'response.incomplete') return undefined;
    const done = events.flatMap(({ data }) => (data.type === 'response.output_item.done' ? [data.item] : []));
    return JSON.stringify(done) === JSON.stringify(last.response.output)
      ? response(last.response)
      : undefined;
  },
  anthropic(events) {
    if (events.at(-1)?.event !== 'message_stop') return undefined;
    const content: Json[] = [];
    const inputs: string[] = [];
    let end: Json;
    for (const { data } of events) {
      const { type, index, content_block: block, delta } = data;
      if (type === 'content_block_start') content[index] = { ...block };
      if (type === 'message_delta') end = data;
      if (type !== 'content_block_delta') continue;
      if (delta.type === 'text_delta') content[index].text += delta.text;
      if (delta.type === 'input_json_delta') inputs[index] = (inputs[index] ?? '') + delta.partial_json;
    }
    const read = content.map((block, index) =>
      block.type === 'tool_use' ? { ...block, input: JSON.parse(inputs[index] ?? '{}') } : block,
    );
    return message({ content: read, stop_reason: end.delta.stop_reason, usage: end.usage });
  },
};
