// Lambda proxy integrations: runs the function and turns what comes of it into an answer.

import type { Functions, InvokeResult } from '../functions/index.ts';
import type { GatewayError } from '../gateway-responses/index.ts';
import { createStreamReader } from './stream.ts';
import { type AnswerHead, type ProxyAnswer, readProxyAnswer } from './validate.ts';

/** A method's Lambda proxy integration. */
export interface ProxyIntegration {
  /** Of a function, a version or an alias. */
  readonly functionArn: string;
  /** Response transfer mode STREAM. */
  readonly streaming: boolean;
  readonly timeoutMs: number;
}

/** Where a streamed answer goes. */
export interface AnswerSink {
  readonly open: (head: AnswerHead) => void;
  /** @returns false to stop the stream; `resume` lets it go on */
  readonly write: (bytes: Buffer, resume: () => void) => boolean;
  readonly close: () => void;
  /** The answer cannot be completed any more: the caller must see that it is cut off. */
  readonly abort: () => void;
}

/** For a Regional endpoint (API Gateway Developer Guide, "Considerations for response payload streaming"). */
const STREAM_IDLE_MS = 5 * 60 * 1000;

/** The function failed or its answer is malformed: 502 (Lambda Developer Guide, "Handling Lambda errors with an API
 * Gateway API"). That its type is DEFAULT_5XX is assumed: the page names none. */
const BAD_GATEWAY: GatewayError = { type: 'DEFAULT_5XX', status: 502 };
/** Lambda did not take the invocation: 500 (same page); the type is assumed. */
const NOT_TAKEN: GatewayError = { type: 'INTEGRATION_FAILURE', status: 500 };

/** Runs the function and waits for its whole answer, for at most the integration's timeout. */
export async function runBuffered(
  functions: Functions,
  integration: ProxyIntegration,
  eventJson: string,
  acceptsBinary: boolean,
): Promise<ProxyAnswer | GatewayError> {
  const { promise, resolve } = Promise.withResolvers<GatewayError>();
  const timer = setTimeout(resolve, integration.timeoutMs, { type: 'INTEGRATION_TIMEOUT' });
  const answered = functions.invokeJson(integration.functionArn, eventJson).then((result) => {
    if (result.outcome !== 'succeeded') return toError(result);
    return readProxyAnswer(result.payload, acceptsBinary) ?? BAD_GATEWAY;
  });
  // The function goes on after a timeout, as on AWS; nobody waits for it any more.
  const first = await Promise.race([answered, promise]);
  clearTimeout(timer);
  return first;
}

/**
 * Runs the function and hands its answer on as it comes.
 * @returns undefined when the answer went to the sink; an error when none of it did
 */
export function runStreaming(
  functions: Pick<Functions, 'invokeJson'>,
  integration: ProxyIntegration,
  eventJson: string,
  sink: AnswerSink,
): Promise<GatewayError | undefined> {
  return new Promise((resolve) => {
    const read = createStreamReader();
    let state: 'waiting' | 'open' | 'over' = 'waiting';
    let idle: NodeJS.Timeout | undefined;
    const finish = (error?: GatewayError) => {
      if (state === 'over') return;
      if (state === 'open' && error !== undefined) sink.abort();
      else if (state === 'open') sink.close();
      resolve(state === 'open' ? undefined : (error ?? BAD_GATEWAY));
      state = 'over';
      clearTimeout(total);
      clearTimeout(idle);
    };
    const total = setTimeout(finish, integration.timeoutMs, { type: 'INTEGRATION_TIMEOUT' });
    const onChunk = (bytes: Buffer, resume: () => void): boolean => {
      if (state === 'over') return true;
      const part = read(bytes);
      if (part.kind === 'malformed') finish(BAD_GATEWAY);
      else if (part.kind === 'head') {
        state = 'open';
        idle = setTimeout(finish, STREAM_IDLE_MS, { type: 'INTEGRATION_TIMEOUT' });
        sink.open(part.head);
      }
      if (state !== 'open' || !('body' in part) || part.body.length === 0) return true;
      idle?.refresh();
      return sink.write(part.body, resume);
    };
    void functions.invokeJson(integration.functionArn, eventJson, { onChunk }).then((result) => {
      finish(result.outcome === 'streamed' ? undefined : toError(result));
    });
  });
}

// A function that does not stream answers a streaming integration without the delimiter: malformed.
function toError(result: InvokeResult): GatewayError {
  if (result.outcome !== 'rejected') return BAD_GATEWAY;
  return result.errorType === 'RequestTooLargeException' ? { type: 'REQUEST_TOO_LARGE' } : NOT_TAKEN;
}
