// A streamed call: its events, its text, its result. Nothing that was cut passes for whole.
import { markReplay, parseObject, toError } from './answer.ts';
import { IncompleteStreamError, NoAnswerError } from './error.ts';
import { readEvents, type ServerSentEvent } from './event-stream.ts';
import type { NeuronResponse, NeuronToolCall } from './types.ts';

/** What a stream gives, in order; the texts of the deltas together are `output`. The result comes once, last. */
export type NeuronEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'toolCall'; readonly toolCall: NeuronToolCall }
  | { readonly type: 'result'; readonly result: NeuronStreamResult };

/** What the call would have had unstreamed, and what it took where the caller may see that. */
export interface NeuronStreamResult extends NeuronResponse {
  readonly receipt?: {
    /** Integer microdollars; absent where a price is unknown. */
    readonly costMicrodollars?: number;
    readonly tokensInput: number;
    readonly tokensOutput: number;
  };
}

/** A response that is a success, and what no error may repeat. */
export interface StreamAnswer {
  readonly response: Response;
  readonly secrets: readonly string[];
}

/** The time of a streamed call, and its requests. */
interface StreamCall {
  /** Asks, and after a cut once more. Throws the cut where the call is not tried again. */
  ask(cut?: unknown): Promise<StreamAnswer>;
  /** The end of the call's time, as an error; it settles in no other way. */
  bound<T>(work: Promise<T>): Promise<T>;
  /** What to call when nothing more of it is wanted. */
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
    const input: Input = { text: '', toolCalls: [] };
    try {
      for (let cut: unknown; ; ) {
        const answer = await ask(cut);
        try {
          yield* readAnswer(answer, bound, input);
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

  /** The result, which `callNeuron` would have resolved to. */
  async result(): Promise<NeuronStreamResult> {
    let last: unknown;
    for await (const event of this) last = event;
    // A stream ends with its result, or it throws.
    return (last as Extract<NeuronEvent, { type: 'result' }>).result;
  }
}

/** What the caller has of the answer; a tool call as JSON. */
interface Input {
  text: string;
  readonly toolCalls: string[];
}

/** The cause of a cut after which the answer cannot go on: a retry began in another way. */
const OTHER_ANSWER = 'the retry gave another answer';

/** The events of one response that the caller has not yet, its result last. */
async function* readAnswer(
  { response, secrets }: StreamAnswer,
  bound: StreamCall['bound'],
  input: Input,
): AsyncGenerator<NeuronEvent, void> {
  const executionId = response.headers.get('X-Execution-Id') ?? undefined;
  const cut = (cause?: unknown) => new IncompleteStreamError(input.text, executionId, cause);
  const events = readEvents(response.body);
  // What this response says again, where an earlier one was cut.
  let text = input.text;
  const toolCalls = [...input.toolCalls];
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
        input.text += fresh;
        if (fresh !== '') yield { type: 'delta', text: fresh };
      } else if (event?.type === 'toolCall') {
        const json = JSON.stringify(event.toolCall);
        const known = toolCalls.shift();
        if ((known ?? json) !== json) throw cut(OTHER_ANSWER);
        if (known !== undefined) continue;
        input.toolCalls.push(json);
        yield event;
      } else if (event?.type === 'result') {
        if (text !== '' || toolCalls.length > 0) throw cut(OTHER_ANSWER);
        yield { type: 'result', result: markReplay(response, event.result) };
        return;
      }
    }
  } finally {
    // Not waited for: a body that stands still would hold up whoever left it.
    events.return(undefined).catch(() => undefined);
  }
}

/** Undefined for events of later releases. Throws for an error of the service, and for what is no event of it. */
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
