// Encodes a run as the events of a response (platform.openai.com/docs/api-reference/responses-streaming): one item open at a time.
//
// No event of the service's own: OpenAI's client for Node throws at a type that it does not know. A failure is the `error` event, which
// most clients read, and then `response.failed`, which the others do.
import type { ToolCall } from '../../conversation/conversation.ts';
import { toEventData } from '../event-stream.ts';
import type { Answer, StreamEncoder } from '../surface.ts';
import {
  callItem,
  createItemIds,
  endOf,
  messageItem,
  type OutputItem,
  type ResponseEnd,
  type ResponseHead,
  responseObject,
  textPart,
} from './response.ts';

/** The events of one response. */
export function createResponseEncoder(head: ResponseHead): StreamEncoder {
  const event = createEventWriter();
  const items = createItemWriter(event, head.executionId);
  let hasBegun = false;

  const lifecycle = (type: string, end: ResponseEnd): string =>
    event(`response.${type}`, { response: responseObject(head, end) });
  const begin = (): string => {
    if (hasBegun) return '';
    hasBegun = true;
    const end = { status: 'in_progress', output: [] } as const;
    return lifecycle('created', end) + lifecycle('in_progress', end);
  };
  return {
    text: (text) => begin() + items.text(text),
    toolCall: (call) => begin() + items.closeMessage('completed') + items.call(call),
    result(result) {
      const end = endOf(result);
      const begun = begin();
      const closed = items.closeAll(end.status === 'incomplete' ? 'incomplete' : 'completed');
      return begun + closed + lifecycle(end.status, { ...end, output: items.output() });
    },
    error(answer) {
      const begun = begin();
      const error = readError(answer);
      const failure = { code: failureCode(error.code, answer.status), message: error.message };
      const end = { status: 'failed', output: items.output(), error: failure } as const;
      return begun + event('error', { error }) + lifecycle('failed', end);
    },
  };
}

type WriteEvent = (type: string, members: object) => string;

/** Events are numbered from 0. */
function createEventWriter(): WriteEvent {
  let sequence = 0;
  return (type, members) => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...members });
    sequence += 1;
    return `event: ${type}\ndata: ${toEventData(data)}\n\n`;
  };
}

/** The items of a response, each with its events. */
function createItemWriter(event: WriteEvent, executionId: string) {
  const idOf = createItemIds(executionId);
  const done: OutputItem[] = [];
  let open: { readonly id: string; text: string } | undefined;

  const place = (id: string) => ({ item_id: id, output_index: done.length });
  const finish = (item: OutputItem): string => {
    const frame = event('response.output_item.done', { output_index: done.length, item });
    done.push(item);
    return frame;
  };
  const openMessage = (): string => {
    if (open !== undefined) return '';
    const id = idOf('msg');
    open = { id, text: '' };
    const added = { output_index: done.length, item: messageItem(id, 'in_progress', undefined) };
    const part = { ...place(id), content_index: 0, part: textPart('') };
    return event('response.output_item.added', added) + event('response.content_part.added', part);
  };
  const closeMessage = (status: 'completed' | 'incomplete'): string => {
    if (open === undefined) return '';
    const { id, text } = open;
    open = undefined;
    const at = { ...place(id), content_index: 0 };
    return (
      event('response.output_text.done', { ...at, text, logprobs: [] }) +
      event('response.content_part.done', { ...at, part: textPart(text) }) +
      finish(messageItem(id, status, text))
    );
  };
  const addText = (delta: string): string => {
    if (open === undefined) return '';
    open.text += delta;
    return event('response.output_text.delta', { ...place(open.id), content_index: 0, delta, logprobs: [] });
  };
  return {
    text(text: string): string {
      return openMessage() + addText(text);
    },
    call(call: ToolCall): string {
      const item = callItem(idOf('fc'), 'completed', call);
      const { name, arguments: args } = item;
      const added = { ...item, status: 'in_progress', arguments: '' };
      return (
        event('response.output_item.added', { output_index: done.length, item: added }) +
        event('response.function_call_arguments.delta', { ...place(item.id), delta: args }) +
        event('response.function_call_arguments.done', { ...place(item.id), name, arguments: args }) +
        finish(item)
      );
    },
    closeMessage,
    /** An answer without a text and a call is a message without a text. */
    closeAll(status: 'completed' | 'incomplete'): string {
      const empty = done.length === 0 ? openMessage() : '';
      return empty + closeMessage(status);
    },
    /** Items that were sent; one that is open is a part. */
    output: (): readonly OutputItem[] =>
      open === undefined ? done : [...done, messageItem(open.id, 'incomplete', open.text)],
  };
}

interface StreamError {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly param: string | null;
}

/** The error that the request would have had as an answer. */
function readError({ body }: Answer): StreamError {
  const { error } = JSON.parse(body) as { readonly error: StreamError };
  return error;
}

/** Codes on which agents act: they wait, end the session, or make the conversation shorter. */
const KNOWN_CODES: readonly (string | null)[] = [
  'rate_limit_exceeded',
  'insufficient_quota',
  'context_length_exceeded',
];

/** The code of a failed response, of the interface's own list where it has a fitting one. */
function failureCode(code: string | null, status: number): string {
  if (code !== null && KNOWN_CODES.includes(code)) return code;
  return status >= 500 ? 'server_error' : 'invalid_prompt';
}
