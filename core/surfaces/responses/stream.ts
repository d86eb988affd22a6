// Encodes a run as the events of a response (platform.openai.com/docs/api-reference/responses-streaming): one item open at a time.
//
// No event of the service's own: OpenAI's client for Node throws at a type that it does not know. A failure is the `error` event, which
// most clients read, and then `response.failed`, which the others do.
import type { SealedReasoning, ToolCall } from '../../conversation/conversation.ts';
import { toEventData } from '../event-stream.ts';
import type { Answer, StreamEncoder } from '../surface.ts';
import {
  asksForReasoning,
  callItem,
  createItemIds,
  endOf,
  messageItem,
  type OutputItem,
  type ResponseEnd,
  type ResponseHead,
  reasoningItem,
  responseObject,
  summaryPart,
  textPart,
} from './response.ts';

export function createResponseEncoder(head: ResponseHead): StreamEncoder {
  const event = createEventWriter();
  const items = new ItemWriter(event, head);
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
    toolCall: (call) => begin() + items.call(call),
    reasoning: (reasoning) => (asksForReasoning(head) ? begin() + items.reasoning(reasoning) : ''),
    result(result) {
      const end = endOf(result);
      const begun = begin();
      const closed = items.close(end.status === 'incomplete' ? 'incomplete' : 'completed');
      return begun + closed + lifecycle(end.status, { ...end, output: items.output });
    },
    error(answer) {
      const begun = begin();
      const error = readError(answer);
      const failure = { code: failureCode(error.code, answer.status), message: error.message };
      const end = { status: 'failed', output: items.output, error: failure } as const;
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

/** The items of a response, each with its events. A class, since its methods change what they share. */
class ItemWriter {
  readonly #event: WriteEvent;
  readonly #head: ResponseHead;
  readonly #idOf: ReturnType<typeof createItemIds>;
  readonly #done: OutputItem[] = [];
  #open: { readonly id: string; text: string } | undefined;

  constructor(event: WriteEvent, head: ResponseHead) {
    this.#event = event;
    this.#head = head;
    this.#idOf = createItemIds(head.executionId);
  }

  /** Items that were sent; one that is open is a part. */
  get output(): readonly OutputItem[] {
    const open = this.#open;
    return open === undefined ? this.#done : [...this.#done, messageItem(open.id, 'incomplete', open.text)];
  }

  text(delta: string): string {
    const opened = this.#open === undefined ? this.#openMessage() : '';
    const message = this.#open ?? { id: '', text: '' };
    message.text += delta;
    const at = { ...this.#place(message.id), content_index: 0 };
    return opened + this.#event('response.output_text.delta', { ...at, delta, logprobs: [] });
  }

  call(call: ToolCall): string {
    const closed = this.#closeMessage('completed');
    const item = callItem(this.#idOf('fc'), 'completed', call);
    const { name, arguments: args } = item;
    const place = this.#place(item.id);
    return (
      closed +
      this.#added({ ...item, status: 'in_progress', arguments: '' }) +
      this.#event('response.function_call_arguments.delta', { ...place, delta: args }) +
      this.#event('response.function_call_arguments.done', { ...place, name, arguments: args }) +
      this.#finish(item)
    );
  }

  reasoning(reasoning: SealedReasoning): string {
    const closed = this.#closeMessage('completed');
    const item = reasoningItem(this.#idOf('rs'), reasoning, this.#head);
    const place = { ...this.#place(item.id), summary_index: 0 };
    const parts = item.summary.map(
      ({ text }) =>
        this.#event('response.reasoning_summary_part.added', { ...place, part: summaryPart('') }) +
        this.#event('response.reasoning_summary_text.delta', { ...place, delta: text }) +
        this.#event('response.reasoning_summary_text.done', { ...place, text }) +
        this.#event('response.reasoning_summary_part.done', { ...place, part: summaryPart(text) }),
    );
    const begun: OutputItem = { id: item.id, type: 'reasoning', summary: [] };
    return closed + this.#added(begun) + parts.join('') + this.#finish(item);
  }

  /** Ends the last item. An answer without a text and a call is a message without a text. */
  close(status: 'completed' | 'incomplete'): string {
    const empty = this.output.every(({ type }) => type === 'reasoning') ? this.#openMessage() : '';
    return empty + this.#closeMessage(status);
  }

  #openMessage(): string {
    const id = this.#idOf('msg');
    this.#open = { id, text: '' };
    const part = { ...this.#place(id), content_index: 0, part: textPart('') };
    return (
      this.#added(messageItem(id, 'in_progress', undefined)) +
      this.#event('response.content_part.added', part)
    );
  }

  #closeMessage(status: 'completed' | 'incomplete'): string {
    if (this.#open === undefined) return '';
    const { id, text } = this.#open;
    this.#open = undefined;
    const at = { ...this.#place(id), content_index: 0 };
    return (
      this.#event('response.output_text.done', { ...at, text, logprobs: [] }) +
      this.#event('response.content_part.done', { ...at, part: textPart(text) }) +
      this.#finish(messageItem(id, status, text))
    );
  }

  #added(item: OutputItem): string {
    return this.#event('response.output_item.added', { output_index: this.#done.length, item });
  }

  #finish(item: OutputItem): string {
    const frame = this.#event('response.output_item.done', { output_index: this.#done.length, item });
    this.#done.push(item);
    return frame;
  }

  #place(id: string) {
    return { item_id: id, output_index: this.#done.length };
  }
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
