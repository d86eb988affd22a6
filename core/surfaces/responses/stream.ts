// Encodes a run as the events of a response (platform.openai.com/docs/api-reference/responses-streaming): one item open at a time.
//
// No event of the service's own: OpenAI's client for Node throws at a type that it does not know. A failure is the `error` event, which
// most clients read, and then `response.failed`, which the others do.
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

interface OpenMessage {
  readonly id: string;
  text: string;
}

/** The events of one response. */
export function createResponseEncoder(head: ResponseHead): StreamEncoder {
  const idOf = createItemIds(head.executionId);
  const done: OutputItem[] = [];
  let open: OpenMessage | undefined;
  let sequence = 0;

  const event = (type: string, members: object): string => {
    const data = JSON.stringify({ type, sequence_number: sequence, ...members });
    sequence += 1;
    return `event: ${type}\ndata: ${toEventData(data)}\n\n`;
  };
  const lifecycle = (type: string, end: ResponseEnd): string =>
    event(`response.${type}`, { response: responseObject(head, end) });
  const begin = (): string => {
    if (sequence > 0) return '';
    const end = { status: 'in_progress', output: [] } as const;
    return lifecycle('created', end) + lifecycle('in_progress', end);
  };
  const at = (id: string) => ({ item_id: id, output_index: done.length });
  const openMessage = (): { readonly message: OpenMessage; readonly frames: string } => {
    if (open !== undefined) return { message: open, frames: '' };
    open = { id: idOf('msg'), text: '' };
    const added = { output_index: done.length, item: messageItem(open.id, 'in_progress', undefined) };
    const part = { ...at(open.id), content_index: 0, part: textPart('') };
    const frames = event('response.output_item.added', added) + event('response.content_part.added', part);
    return { message: open, frames };
  };
  const finishItem = (item: OutputItem): string => {
    const frame = event('response.output_item.done', { output_index: done.length, item });
    done.push(item);
    return frame;
  };
  const closeMessage = (status: 'completed' | 'incomplete'): string => {
    if (open === undefined) return '';
    const { id, text } = open;
    open = undefined;
    const place = { ...at(id), content_index: 0 };
    return (
      event('response.output_text.done', { ...place, text, logprobs: [] }) +
      event('response.content_part.done', { ...place, part: textPart(text) }) +
      finishItem(messageItem(id, status, text))
    );
  };

  return {
    text(text) {
      const begun = begin();
      const { message, frames } = openMessage();
      message.text += text;
      const delta = { ...at(message.id), content_index: 0, delta: text, logprobs: [] };
      return begun + frames + event('response.output_text.delta', delta);
    },
    toolCall(call) {
      const before = begin() + closeMessage('completed');
      const item = callItem(idOf('fc'), 'completed', call);
      const place = at(item.id);
      const added = { ...item, status: 'in_progress', arguments: '' } as const;
      return (
        before +
        event('response.output_item.added', { output_index: done.length, item: added }) +
        event('response.function_call_arguments.delta', { ...place, delta: item.arguments }) +
        event('response.function_call_arguments.done', {
          ...place,
          name: item.name,
          arguments: item.arguments,
        }) +
        finishItem(item)
      );
    },
    result(result) {
      const end = endOf(result);
      const begun = begin();
      // An answer without a text and a call is a message without a text.
      const empty = done.length === 0 && open === undefined ? openMessage().frames : '';
      const closed = closeMessage(end.status === 'incomplete' ? 'incomplete' : 'completed');
      return begun + empty + closed + lifecycle(end.status, { ...end, output: done });
    },
    error(answer) {
      const begun = begin();
      const error = readError(answer);
      // What was sent stays in the response, marked as a part.
      const output = open === undefined ? done : [...done, messageItem(open.id, 'incomplete', open.text)];
      return (
        begun +
        event('error', { error }) +
        lifecycle('failed', {
          status: 'failed',
          output,
          error: { code: failureCode(error.code, answer.status), message: error.message },
        })
      );
    },
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
