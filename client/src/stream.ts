// A streamed call: its events, its text, its result. A cut stream never counts as whole.
import { parseObject, toError } from './answer.ts';
import { IncompleteStreamError, NoAnswerError } from './error.ts';
import { readEvents, type ServerSentEvent } from './event-stream.ts';
import type { NeuronResponse, NeuronToolCall } from './types.ts';

/** The events of a stream. The texts of all deltas together are `output`. The result comes once, last. */
export type NeuronEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'toolCall'; readonly toolCall: NeuronToolCall }
  | { readonly type: 'result'; readonly result: NeuronStreamResult };

/** The response of the same call without a stream, with a receipt where the caller may see it. */
export interface NeuronStreamResult extends NeuronResponse {
  readonly receipt?: {
    /** Integer microdollars; absent where a price is unknown. */
    readonly costMicrodollars?: number;
    readonly tokensInput: number;
    readonly tokensOutput: number;
  };
}

/** A success, with the secrets that no error may repeat. */
export interface StreamAnswer {
  readonly response: Response;
  readonly secrets: readonly string[];
  /** Adds what the headers say of an answer. */
  complete<Answer extends NeuronResponse>(answer: Answer): Answer;
}

interface StreamCall {
  /** Sends the request, again after a cut. Throws the cut unless the call is retried. */
  ask(cut?: unknown): Promise<StreamAnswer>;
  /** Settles as the work does, or rejects when the call's time is over. */
  bound<T>(work: Promise<T>): Promise<T>;
  /** Must be called at the end. */
  close(): void;
}

/**
 * A streamed call, read once: by `for await`, by `text()` or by `result()`. The call is made when reading begins. Each of them throws
 * `NeuronError` for an error of the service, before the stream or within it, `IncompleteStreamError` for a stream that was cut, and
 * `NoAnswerError` as `callNeuron` does.
 *
 * @example
 * for await (const event of client.stream('acme', 'support', { input: 'Hello' })) {
 *   if (event.type === 'delta') process.stdout.write(event.text);
 * }
 */
export class NeuronStream implements AsyncIterable<NeuronEvent> {
  readonly #begin: () => StreamCall;
  #isRead = false;

  /** Made by `client.stream`. */
  constructor(begin: () => StreamCall) {
    this.#begin = begin;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NeuronEvent, void> {
    if (this.#isRead) throw new TypeError('a stream can be read once: call stream() again');
    this.#isRead = true;
    const { ask, bound, close } = this.#begin();
    const received: ReceivedAnswer = { text: '', toolCalls: [] };
    try {
      for (let cut: unknown; ; ) {
        const answer = await ask(cut);
        try {
          yield* readAnswer(answer, bound, received);
          return;
        } catch (error) {
          if (!(error instanceof IncompleteStreamError) || error.cause === OTHER_ANSWER) throw error;
          cut = error;
        }
      }
    } finally {
      close();
    }
  }

  /** The whole text. */
  async text(): Promise<string> {
    return (await this.result()).output ?? '';
  }

  /** The result, as `callNeuron` resolves to. */
  async result(): Promise<NeuronStreamResult> {
    let last: unknown;
    for await (const event of this) last = event;
    // A stream ends with its result, or it throws.
    return (last as Extract<NeuronEvent, { type: 'result' }>).result;
  }
}

/** The part of the answer that the caller has; tool calls as JSON. */
interface ReceivedAnswer {
  text: string;
  readonly toolCalls: string[];
}

/** The cause of a cut that ends the call: a retry gave another answer. */
const OTHER_ANSWER = 'the retry gave another answer';

/** The events of one response that the caller does not have yet. */
async function* readAnswer(
  { response, secrets, complete }: StreamAnswer,
  bound: StreamCall['bound'],
  received: ReceivedAnswer,
): AsyncGenerator<NeuronEvent, void> {
  const executionId = response.headers.get('X-Execution-Id') ?? undefined;
  const cut = (cause?: unknown) => new IncompleteStreamError(received.text, executionId, cause);
  const events = readEvents(response.body);
  // The rest of the received answer, which this response repeats.
  let text = received.text;
  const toolCalls = [...received.toolCalls];
  try {
    for (;;) {
      const next = await bound(events.next()).catch((cause: unknown) => {
        throw cause instanceof NoAnswerError ? cause : cut(cause);
      });
      if (next.done === true) throw cut();
      const event = toEvent(next.value, response, secrets, cut);
      if (event?.type === 'delta') {
        const known = text.slice(0, event.text.length);
        if (!event.text.startsWith(known)) throw cut(OTHER_ANSWER);
        text = text.slice(known.length);
        const fresh = event.text.slice(known.length);
        received.text += fresh;
        if (fresh !== '') yield { type: 'delta', text: fresh };
      } else if (event?.type === 'toolCall') {
        const json = JSON.stringify(event.toolCall);
        const known = toolCalls.shift();
        if ((known ?? json) !== json) throw cut(OTHER_ANSWER);
        if (known !== undefined) continue;
        received.toolCalls.push(json);
        yield event;
      } else if (event?.type === 'result') {
        if (text !== '' || toolCalls.length > 0) throw cut(OTHER_ANSWER);
        yield { type: 'result', result: complete(event.result) };
        return;
      }
    }
  } finally {
    // Not awaited: a body that has stalled would hold up the caller.
    events.return(undefined).catch(() => undefined);
  }
}

/** Undefined for events of later releases. Throws for an error of the service, and for invalid data. */
function toEvent(
  { event, data }: ServerSentEvent,
  response: Response,
  secrets: readonly string[],
  cut: () => IncompleteStreamError,
): NeuronEvent | undefined {
  if (!['delta', 'toolCall', 'result', 'error'].includes(event)) return undefined;
  const body = parseObject(data);
  if (body === undefined) throw cut();
  if (event === 'error') throw toError(response, body, secrets, Number(body['statusCode']) || 500);
  if (event === 'delta') return { type: 'delta', text: String(body['text']) };
  if (event === 'toolCall') return { type: 'toolCall', toolCall: body as unknown as NeuronToolCall };
  return { type: 'result', result: body as unknown as NeuronStreamResult };
}
