// Models that think and sign their thoughts, in the wire formats of Anthropic and Bedrock. Like the vendors they answer 400 to a thought that
// is not their own, byte for byte, and to a call that they thought before where the thought is missing.
import { createHmac } from 'node:crypto';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { bedrockEvent, named } from '../../../adapters/providers/streams/protocols.ts';
import { readResponses, writeResponse } from './signing-responses.ts';

interface Thinking {
  readonly text: string;
  readonly signature: string;
}

/** A block of either format, in the words of neither. */
export type Block =
  | { readonly thinking: Thinking }
  | { readonly redacted: string }
  | { readonly text: string }
  | { readonly call: { readonly id: string; readonly name: string; readonly input: object } }
  | { readonly result: string };

export interface Asked {
  readonly model: string;
  readonly turns: readonly { readonly role: string; readonly blocks: readonly Block[] }[];
  readonly thinks: boolean;
  /** With a budget, the turns of a chain of calls must begin with thoughts; an adaptive model takes what there is (adaptive-thinking). */
  readonly hasBudget: boolean;
}

/** Rounds in which the model calls a tool, before it answers. */
const ROUNDS = 2;

const sign = (vendor: string, model: string, text: string) =>
  createHmac('sha256', `the secret of ${vendor}`).update(`${model}\n${text}`).digest('base64');

/** One vendor. Thoughts have letters that a careless copy changes: a combining mark, white space, and a pair of surrogates. */
function answerOf(vendor: string, { model, turns, thinks, hasBudget }: Asked): readonly Block[] | string {
  for (const { role, blocks } of turns) {
    const wrong = blocks.find((block) => isForeign(vendor, model, block));
    if (wrong !== undefined) return 'Invalid `signature` in `thinking` block';
    const isOfCall = role === 'assistant' && blocks.some((block) => 'call' in block);
    const [first] = blocks;
    const begins = first !== undefined && ('thinking' in first || 'redacted' in first);
    if (hasBudget && isOfCall && !begins)
      return 'Expected `thinking` or `redacted_thinking`, but found `tool_use`';
  }
  const round = turns.flatMap(({ blocks }) => blocks).filter((block) => 'result' in block).length;
  const text = ` Round ${round}: a\u0308 \ud83d\ude00\n`;
  const hidden = `hidden ${round}`;
  const thoughts: readonly Block[] = thinks
    ? [
        { thinking: { text, signature: sign(vendor, model, text) } },
        { redacted: `${Buffer.from(hidden).toString('base64')}.${sign(vendor, model, hidden)}` },
      ]
    : [];
  if (round >= ROUNDS) return [...thoughts, { text: `Done after ${round}.` }];
  return [
    ...thoughts,
    { text: 'Let me look.' },
    { call: { id: `call_${round}`, name: 'look', input: { round } } },
  ];
}

function isForeign(vendor: string, model: string, block: Block): boolean {
  if ('thinking' in block) {
    const { text, signature } = block.thinking;
    return signature !== sign(vendor, model, text);
  }
  if (!('redacted' in block)) return false;
  const [hidden = '', signature] = block.redacted.split('.');
  return signature !== sign(vendor, model, Buffer.from(hidden, 'base64').toString());
}

/** A request that came. */
interface Received {
  readonly vendor: 'anthropic' | 'bedrock' | 'openai';
  readonly body: string;
  readonly status: number;
}

const VENDORS = [
  ['bedrock-runtime', 'bedrock'],
  ['/responses', 'openai'],
] as const;

/** Bedrock takes two of them. */
const FORMATS = [
  ['/model/', 'bedrock'],
  ['/responses', 'openai'],
] as const;

const READ = { anthropic: readMessages, bedrock: readConverse, openai: readResponses };

/** The vendors behind one `OpenHttp`, with all that they were sent. */
export function createSigningModels(): { readonly openHttp: OpenHttp; readonly received: Received[] } {
  const received: Received[] = [];
  const openHttp: OpenHttp = (request) => {
    const { url, body = '' } = request;
    const vendor = VENDORS.find(([mark]) => url.includes(mark))?.[1] ?? 'anthropic';
    const format = FORMATS.find(([mark]) => url.includes(mark))?.[1] ?? 'anthropic';
    const asked = READ[format](body, url);
    const answer = answerOf(vendor, asked);
    received.push({ vendor, body, status: typeof answer === 'string' ? 400 : 200 });
    const isStream =
      format === 'bedrock' ? request.url.endsWith('converse-stream') : body.includes('"stream":true');
    return createStreamHttp(WRITE[format](answer, isStream)).openHttp(request);
  };
  return { openHttp, received };
}

const JSON_TYPE = { 'content-type': 'application/json' };

const WRITE = {
  anthropic: (answer: readonly Block[] | string, isStream: boolean) => {
    if (typeof answer === 'string') {
      const error = {
        type: 'error',
        error: { type: 'invalid_request_error', message: `messages.1: ${answer}` },
      };
      return { status: 400, headers: JSON_TYPE, pieces: [JSON.stringify(error)] };
    }
    if (isStream) return { headers: { 'content-type': 'text/event-stream' }, pieces: messageEvents(answer) };
    const message = {
      ...{ type: 'message', role: 'assistant', model: 'm', content: answer.map(toContent) },
      ...{ stop_reason: stopOf(answer), usage: { input_tokens: 5, output_tokens: 7 } },
    };
    return { headers: JSON_TYPE, pieces: [JSON.stringify(message)] };
  },
  bedrock: (answer: readonly Block[] | string, isStream: boolean) => {
    if (typeof answer === 'string') {
      const headers = { ...JSON_TYPE, 'x-amzn-errortype': 'ValidationException' };
      return { status: 400, headers, pieces: [JSON.stringify({ message: answer })] };
    }
    const type = 'application/vnd.amazon.eventstream';
    if (isStream) return { headers: { 'content-type': type }, pieces: converseEvents(answer) };
    const body = {
      output: { message: { role: 'assistant', content: answer.map(toConverse) } },
      ...{ stopReason: stopOf(answer), usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 } },
    };
    return { headers: JSON_TYPE, pieces: [JSON.stringify(body)] };
  },
  openai: writeResponse,
} as const;

const stopOf = (blocks: readonly Block[]) =>
  blocks.some((block) => 'call' in block) ? 'tool_use' : 'end_turn';

function toContent(block: Block) {
  if ('thinking' in block) {
    return { type: 'thinking', thinking: block.thinking.text, signature: block.thinking.signature };
  }
  if ('redacted' in block) return { type: 'redacted_thinking', data: block.redacted };
  if ('call' in block) return { type: 'tool_use', ...block.call };
  return { type: 'text', text: 'text' in block ? block.text : '' };
}

/** Each thought in several pieces, as the API sends it. */
function messageEvents(blocks: readonly Block[]): readonly string[] {
  const events = blocks.flatMap((block, index) => {
    const delta = (members: object) => named({ type: 'content_block_delta', ...{ index, delta: members } });
    const start = (content_block: object) =>
      named({ type: 'content_block_start', ...{ index, content_block } });
    const stop = named({ type: 'content_block_stop', ...{ index } });
    if ('thinking' in block) {
      const { text, signature } = block.thinking;
      const pieces = [...text].map((thinking) => delta({ type: 'thinking_delta', thinking }));
      const begun = start({ type: 'thinking', thinking: '', signature: '' });
      return [begun, ...pieces, delta({ type: 'signature_delta', signature }), stop];
    }
    if ('call' in block) {
      const { input, ...call } = block.call;
      const piece = delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
      return [start({ type: 'tool_use', ...call, input: {} }), piece, stop];
    }
    if ('text' in block) {
      return [start({ type: 'text', text: '' }), delta({ type: 'text_delta', text: block.text }), stop];
    }
    return [start(toContent(block)), stop];
  });
  const usage = { input_tokens: 5, output_tokens: 7 };
  return [
    named({
      type: 'message_start',
      ...{ message: { model: 'm', usage: { input_tokens: 5, output_tokens: 1 } } },
    }),
    ...events,
    named({ type: 'message_delta', ...{ delta: { stop_reason: stopOf(blocks) }, usage } }),
    named({ type: 'message_stop' }),
  ];
}

function toConverse(block: Block) {
  if ('thinking' in block) return { reasoningContent: { reasoningText: block.thinking } };
  if ('redacted' in block) return { reasoningContent: { redactedContent: block.redacted } };
  if ('call' in block) {
    const { id: toolUseId, name, input } = block.call;
    return { toolUse: { toolUseId, name, input } };
  }
  return { text: 'text' in block ? block.text : '' };
}

function converseEvents(blocks: readonly Block[]): readonly Uint8Array[] {
  const events = blocks.flatMap((block, contentBlockIndex) => {
    const delta = (members: object) =>
      bedrockEvent('contentBlockDelta', { contentBlockIndex, delta: members });
    const stop = bedrockEvent('contentBlockStop', { contentBlockIndex });
    if ('thinking' in block) {
      const { text, signature } = block.thinking;
      const pieces = [...text].map((piece) => delta({ reasoningContent: { text: piece } }));
      return [...pieces, delta({ reasoningContent: { signature } }), stop];
    }
    if ('redacted' in block) return [delta({ reasoningContent: { redactedContent: block.redacted } }), stop];
    if ('call' in block) {
      const { id: toolUseId, name, input } = block.call;
      const start = { contentBlockIndex, start: { toolUse: { toolUseId, name } } };
      const piece = delta({ toolUse: { input: JSON.stringify(input) } });
      return [bedrockEvent('contentBlockStart', start), piece, stop];
    }
    return [delta({ text: 'text' in block ? block.text : '' }), stop];
  });
  return [
    bedrockEvent('messageStart', { role: 'assistant' }),
    ...events,
    bedrockEvent('messageStop', { stopReason: stopOf(blocks) }),
    bedrockEvent('metadata', { usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 } }),
  ];
}

interface MessagesBody {
  readonly model: string;
  readonly thinking?: { readonly type: string };
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly (Readonly<Record<string, string>> & { readonly input: object })[];
  }[];
}

function readMessages(body: string): Asked {
  const { model, messages, thinking } = JSON.parse(body) as MessagesBody;
  const turns = messages.map(({ role, content }) => ({
    role,
    blocks:
      typeof content === 'string'
        ? [{ text: content }]
        : content.map((block): Block => {
            const {
              type,
              text = '',
              thinking: thought = '',
              signature = '',
              data = '',
              id = '',
              name = '',
            } = block;
            if (type === 'thinking') return { thinking: { text: thought, signature } };
            if (type === 'redacted_thinking') return { redacted: data };
            if (type === 'tool_use') return { call: { id, name, input: block.input } };
            return type === 'tool_result' ? { result: block['tool_use_id'] ?? '' } : { text };
          }),
  }));
  return { model, turns, ...modeOf(thinking) };
}

function modeOf(thinking: { readonly type: string } | undefined) {
  const type = thinking?.type ?? 'disabled';
  return { thinks: type !== 'disabled', hasBudget: type === 'enabled' };
}

interface ConverseBody {
  readonly additionalModelRequestFields?: { readonly thinking?: { readonly type: string } };
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly {
      readonly text?: string;
      readonly reasoningContent?: { readonly reasoningText?: Thinking; readonly redactedContent?: string };
      readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: object };
      readonly toolResult?: { readonly toolUseId: string };
    }[];
  }[];
}

function readConverse(body: string, url: string): Asked {
  const { messages, additionalModelRequestFields: more } = JSON.parse(body) as ConverseBody;
  const model = decodeURIComponent(/\/model\/([^/]+)\//.exec(url)?.[1] ?? '');
  const turns = messages.map(({ role, content }) => ({
    role,
    blocks: content.map(({ reasoningContent: reasoning, toolUse, toolResult, text = '' }): Block => {
      if (reasoning?.reasoningText !== undefined) return { thinking: reasoning.reasoningText };
      if (reasoning !== undefined) return { redacted: reasoning.redactedContent ?? '' };
      if (toolUse !== undefined) return { call: { ...toolUse, id: toolUse.toolUseId } };
      return toolResult === undefined ? { text } : { result: toolResult.toolUseId };
    }),
  }));
  return { model, turns, ...modeOf(more?.thinking) };
}
