// An `OpenHttp` without a network: gives a body in pieces, and ends it as a test says.
import { HttpFailure, type HttpFailureKind } from '../../../adapters/http/failure.ts';
import type { HttpRequest, OpenHttp } from '../../../adapters/http/message.ts';
import type { ModelEvent } from '../../../core/ports/providers.ts';

/** An answer; its body ends cleanly unless `failure` says how it breaks, or `stalls` that nothing more comes. */
export interface StreamedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;
  readonly failure?: HttpFailureKind;
  readonly stalls?: boolean;
  /** Until it resolves, nothing of the answer comes. */
  readonly head?: Promise<unknown>;
  /** Called when somebody waits for what does not come. */
  readonly onStall?: () => void;
}

/** What was asked, and what became of the bodies. */
export interface StreamHttp {
  readonly openHttp: OpenHttp;
  readonly requests: Omit<HttpRequest, 'maxBytes'>[];
  /** Pieces that were taken. */
  readonly taken: () => number;
  readonly closed: () => boolean;
}

/** Answers each request with the next answer, and with the last one ever after. */
export function createStreamHttp(...answers: readonly StreamedAnswer[]): StreamHttp {
  const requests: Omit<HttpRequest, 'maxBytes'>[] = [];
  let taken = 0;
  let closed = false;
  const openHttp: OpenHttp = async (request) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    const { status = 200, headers = {}, pieces, failure, stalls, onStall, head } = answer ?? { pieces: [] };
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    request.signal.addEventListener('abort', () => reject(new HttpFailure('aborted', 'given up')), {
      once: true,
    });
    aborted.catch(() => undefined);
    await Promise.race([head, aborted]);
    async function* body(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        taken += 1;
        yield typeof piece === 'string' ? Buffer.from(piece) : piece;
      }
      if (failure !== undefined) throw new HttpFailure(failure, 'made by the test');
      if (stalls === true) {
        onStall?.();
        await aborted;
      }
    }
    return {
      status,
      headers,
      body: body(),
      close: () => {
        closed = true;
      },
    };
  };
  return { openHttp, requests, taken: () => taken, closed: () => closed };
}

/** What a stream gave before it ended or threw. */
export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly thrown: unknown;
}

/** Takes everything; progress is left out of the events. */
export async function take(stream: AsyncIterable<ModelEvent>): Promise<Outcome> {
  const events: ModelEvent[] = [];
  let thrown: unknown;
  try {
    for await (const event of stream)
      if (event.type !== 'opened' && event.type !== 'progress') events.push(event);
  } catch (error) {
    thrown = error;
  }
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { events, text, thrown };
}
