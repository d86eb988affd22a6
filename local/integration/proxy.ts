// Lambda proxy integrations: runs the function and turns its result into an answer.

import type { Functions, InvokeResult } from '../functions/index.ts';
import type { GatewayError } from '../gateway-responses/index.ts';
import { type AnswerHead, type ProxyAnswer, readMetadata, readProxyAnswer } from './validate.ts';

export interface ProxyIntegration {
  /** ARN of a function, a version or an alias. */
  readonly functionArn: string;
  /** Response transfer mode STREAM. */
  readonly streaming: boolean;
  readonly timeoutMs: number;
}

export interface AnswerSink {
  readonly open: (head: AnswerHead) => void;
  /** @returns false to pause the stream until `resume` is called */
  readonly write: (bytes: Buffer, resume: () => void) => boolean;
  readonly close: () => void;
  /** The answer cannot be completed: the caller must see that it is cut off. */
  readonly abort: () => void;
}

/** For a Regional endpoint (API Gateway Developer Guide, "Considerations for response payload streaming"). */
const STREAM_IDLE_MS = 5 * 60 * 1000;

/**
 * The function failed or its answer is malformed: 502 (Lambda Developer Guide, "Handling Lambda errors with an API Gateway API"). The
 * page names no type; DEFAULT_5XX is assumed.
 */
const BAD_GATEWAY: GatewayError = { type: 'DEFAULT_5XX', status: 502 };
/** Lambda did not take the invocation: 500 (same page); the type is assumed. */
const NOT_INVOKED: GatewayError = { type: 'INTEGRATION_FAILURE', status: 500 };

/** Runs the function and waits for its whole answer, until the integration's timeout. */
export async function runBuffered(
  functions: Functions,
  integration: ProxyIntegration,
  eventJson: readonly string[],
  acceptsBinary: boolean,
): Promise<ProxyAnswer | GatewayError> {
  const { promise, resolve } = Promise.withResolvers<GatewayError>();
  const timer = setTimeout(resolve, integration.timeoutMs, { type: 'INTEGRATION_TIMEOUT' });
  const answered = functions.invokeJson(integration.functionArn, eventJson).then((result) => {
    if (result.outcome !== 'succeeded') return toError(result);
    return readProxyAnswer(result.payload, acceptsBinary) ?? BAD_GATEWAY;
  });
  // After a timeout the function continues, as on AWS.
  const first = await Promise.race([answered, promise]);
  clearTimeout(timer);
  return first;
}

/**
 * Runs the function and streams its answer to the sink.
 * @returns an error if nothing went to the sink
 */
export function runStreaming(
  functions: Pick<Functions, 'invokeJson'>,
  integration: ProxyIntegration,
  eventJson: readonly string[],
  sink: AnswerSink,
): Promise<GatewayError | undefined> {
  return new Promise((resolve) => {
    const read = createStreamReader();
    let state: 'waiting' | 'open' | 'ended' = 'waiting';
    let idle: NodeJS.Timeout | undefined;
    const finish = (error?: GatewayError) => {
      if (state === 'ended') return;
      if (state === 'open' && error !== undefined) sink.abort();
      else if (state === 'open') sink.close();
      resolve(state === 'open' ? undefined : (error ?? BAD_GATEWAY));
      state = 'ended';
      clearTimeout(total);
      clearTimeout(idle);
    };
    const total = setTimeout(finish, integration.timeoutMs, { type: 'INTEGRATION_TIMEOUT' });
    const onChunk = (bytes: Buffer, resume: () => void): boolean => {
      if (state === 'ended') return true;
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

function toError(result: InvokeResult): GatewayError {
  if (result.outcome !== 'rejected') return BAD_GATEWAY;
  return result.errorType === 'RequestTooLargeException' ? { type: 'REQUEST_TOO_LARGE' } : NOT_INVOKED;
}

const DELIMITER = Buffer.alloc(8);
/** Assumed: API Gateway's own limit of headers is far smaller. */
const MAX_METADATA_BYTES = 64 * 1024;

/** The meaning of the next bytes. */
type StreamPart =
  /** The metadata is not complete. */
  | { readonly kind: 'more' }
  /** The head of the answer and the first bytes of its body. */
  | { readonly kind: 'head'; readonly head: AnswerHead; readonly body: Buffer }
  | { readonly kind: 'body'; readonly body: Buffer }
  | { readonly kind: 'malformed' };

/**
 * Reads a streamed answer: metadata as JSON, eight null bytes, the body (API Gateway Developer Guide, "Set up a Lambda proxy
 * integration with payload response streaming").
 * @returns a function that takes the next bytes; after `malformed` it gives nothing else
 */
export function createStreamReader(): (bytes: Buffer) => StreamPart {
  let held: Buffer = Buffer.alloc(0);
  let state: 'metadata' | 'body' | 'malformed' = 'metadata';
  return (bytes) => {
    if (state === 'body') return { kind: 'body', body: bytes };
    if (state === 'malformed') return { kind: 'malformed' };
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const end = held.indexOf(DELIMITER);
    if (end < 0 && held.length <= MAX_METADATA_BYTES) return { kind: 'more' };
    const head = end < 0 ? undefined : readMetadata(held.toString('utf8', 0, end));
    state = head === undefined ? 'malformed' : 'body';
    return head === undefined
      ? { kind: 'malformed' }
      : { kind: 'head', head, body: held.subarray(end + DELIMITER.length) };
  };
}
