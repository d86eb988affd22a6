// A message that is passed on, and its events: as the provider wrote them, but for its id and model, and for thoughts, which are sealed.

import type { PassedAnswer } from '../../conversation/conversation.ts';
import { isJsonObject, type JsonObject, memberOf, toJsonObject, toList } from '../../text/json.ts';
import { toEventData } from '../event-stream.ts';
import { sealReasoning } from '../sealed-reasoning.ts';
import type { StreamEncoder } from '../surface.ts';
import { type MessageHead, messageIdOf } from './head.ts';

/** The message as its caller gets it. */
export function renamed({ json, ...owner }: PassedAnswer, head: MessageHead): JsonObject {
  return {
    ...json,
    id: messageIdOf(head),
    model: head.model,
    content: toList(json['content']).map((block) => sealed(block, owner)),
  };
}

type Owner = Omit<PassedAnswer, 'json'>;

/** A block, or a piece of one, with what its provider has signed in an envelope that leads it back there. */
function sealed(block: unknown, { model, seal }: Owner): unknown {
  if (!isJsonObject(block)) return block;
  const { type, signature, data } = block;
  const close = (payload: string): string =>
    sealReasoning({ origin: 'anthropic', payload, model, ...(seal === undefined ? {} : { seal }) });
  if (type === 'redacted_thinking' && typeof data === 'string') return { ...block, data: close(data) };
  // A block begins with an empty one.
  if (typeof signature !== 'string' || signature === '') return block;
  return { ...block, signature: close(signature) };
}

/** The events of a message that is passed on, one by one, or of a whole one at once. */
export function createPassedEncoder(head: MessageHead): StreamEncoder {
  let hasBegun = false;
  let last: JsonObject = {};
  return {
    // The events that are passed on say it.
    text: () => '',
    toolCall: () => '',
    passed({ json, ...owner }) {
      const { type } = json;
      hasBegun = true;
      // The end leaves when the run has ended.
      if (type === 'message_delta') last = { ...last, ...json };
      if (type === 'message_delta' || type === 'message_stop') return '';
      if (type === 'message_start') {
        const message = { json: toJsonObject(json['message']) ?? {}, ...owner };
        return event({ ...json, message: renamed(message, head) });
      }
      const block = memberOf(json, 'content_block');
      const delta = memberOf(json, 'delta');
      return event({
        ...json,
        ...(block === undefined ? {} : { content_block: sealed(block, owner) }),
        ...(delta === undefined ? {} : { delta: sealed(delta, owner) }),
      });
    },
    result({ passed }) {
      if (!hasBegun && passed !== undefined) return eventsOf(renamed(passed, head)).map(event).join('');
      return event(last) + event({ type: 'message_stop' });
    },
    error: ({ body }) => `event: error\ndata: ${toEventData(body)}\n\n`,
  };
}

/** A whole message as the events that clients put together again. */
function eventsOf({
  content,
  stop_reason,
  stop_sequence,
  stop_details,
  container,
  usage,
  ...rest
}: JsonObject) {
  const ends = { stop_reason, stop_sequence, stop_details, container };
  const none = { stop_reason: null, stop_sequence: null, stop_details: null, container: null };
  return [
    { type: 'message_start', message: { ...rest, content: [], ...none, usage } },
    ...toList(content).flatMap((block, index) => [
      ...piecesOf(block).map((piece) => ({ index, ...piece })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: ends, usage },
    { type: 'message_stop' },
  ];
}

/** Clients put text, thoughts and input together from deltas; they take every other block as it begins. */
function piecesOf(block: unknown): readonly JsonObject[] {
  const start = (content_block: unknown) => ({ type: 'content_block_start', content_block });
  const delta = (one: JsonObject) => ({ type: 'content_block_delta', delta: one });
  if (!isJsonObject(block)) return [start(block)];
  const { type, text, thinking, signature, input } = block;
  switch (type) {
    case 'text':
      return [start({ ...block, text: '' }), delta({ type: 'text_delta', text })];
    case 'thinking':
      return [
        start({ ...block, thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking }),
        delta({ type: 'signature_delta', signature }),
      ];
    case 'tool_use':
    case 'server_tool_use': {
      const partial_json = JSON.stringify(input);
      return [start({ ...block, input: {} }), delta({ type: 'input_json_delta', partial_json })];
    }
    default:
      return [start(block)];
  }
}

function event(json: JsonObject): string {
  return `event: ${String(json['type'])}\ndata: ${toEventData(JSON.stringify(json))}\n\n`;
}
