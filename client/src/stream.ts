// A streamed call: its events, its text, its result. Nothing that was cut passes for whole.
import { IncompleteStreamError, NeuronError, NoAnswerError } from './error.ts';
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

/** A streamed answer of the service, and what to call when nothing more of it is wanted. */
interface OpenedStream {
  readonly response: Response;
  readonly secrets: readonly string[];
  /** The end of the call's time, as an error; it settles in no other way. */
  bound<T>(work: Promise<T>): Promise<T>;
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
  readonly #open: () => Promise<OpenedStream>;
  #isRead = false;

  /** Made by `client.stream`. */
  constructor(open: () => Promise<OpenedStream>) {
    this.#open = open;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<NeuronEvent, void> {
    if (this.#isRead) throw new TypeError('a stream can be read once: call stream() again for another run');
    this.#isRead = true;
    const opened = await this.#open();
    const { response, secrets, bound, close } = opened;
    const executionId = response.headers.get('X-Execution-Id') ?? undefined;
    const events = response.body === null ? undefined : readEvents(response.body);
    let text = '';
    try {
      for (;;) {
        const next = await bound(
          events?.next() ?? Promise.resolve({ done: true, value: undefined } as const),
        ).catch((cause: unknown) => {
          throw cause instanceof NoAnswerError ? cause : new IncompleteStreamError(text, executionId, cause);
        });
        if (next.done === true) throw new IncompleteStreamError(text, executionId);
        const event = toEvent(next.value, secrets, text, executionId);
        if (event === undefined) continue;
        if (event.type === 'delta') text += event.text;
        yield event;
        if (event.type === 'result') return;
      }
    } finally {
      close();
      // Not waited for: a body that stands still would hold up whoever left it.
      events?.return(undefined).catch(() => undefined);
    }
  }

  /** The whole text. */
  async text(): Promise<string> {
    return (await this.result()).output ?? '';
  }

  /** The result, which `callNeuron` would have resolved to. */
  async result(): Promise<NeuronStreamResult> {
    for await (const event of this) if (event.type === 'result') return event.result;
    throw new IncompleteStreamError('', undefined);
  }
}

/** Undefined for events of later releases. Throws for an error of the service, and for what is no event of it. */
function toEvent(
  { event, data }: ServerSentEvent,
  secrets: readonly string[],
  text: string,
  executionId: string | undefined,
): NeuronEvent | undefined {
  if (!['delta', 'toolCall', 'result', 'error'].includes(event)) return undefined;
  const body = parse(data);
  if (body === undefined) throw new IncompleteStreamError(text, executionId);
  if (event === 'error') throw toError(body, secrets);
  if (event === 'delta') return { type: 'delta', text: String(body['text']) };
  if (event === 'toolCall') return { type: 'toolCall', toolCall: body as unknown as NeuronToolCall };
  return { type: 'result', result: body as unknown as NeuronStreamResult };
}

function parse(data: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function toError(body: Readonly<Record<string, unknown>>, secrets: readonly string[]): NeuronError {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string'
      ? secrets.reduce((clean, secret) => clean.replaceAll(secret, '[token]'), value)
      : undefined;
  const { statusCode, retryAfter } = body;
  return new NeuronError({
    error: text(body['error']) ?? 'The stream ended with an error.',
    statusCode: typeof statusCode === 'number' ? statusCode : 500,
    code: text(body['code']),
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
    executionId: text(body['executionId']),
  });
}
