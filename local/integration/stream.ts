// Cuts a streamed answer into its metadata and its body.

import { type AnswerHead, readMetadata } from './validate.ts';

const DELIMITER = Buffer.alloc(8);
/** Metadata beyond it is refused: API Gateway's headers are far smaller. Assumed. */
const LARGEST_METADATA_BYTES = 64 * 1024;

/** What the next bytes mean. */
export type StreamPart =
  /** Metadata is not complete yet. */
  | { readonly kind: 'more' }
  /** The head of the answer and the first bytes of its body. */
  | { readonly kind: 'head'; readonly head: AnswerHead; readonly body: Buffer }
  /** Bytes of the body. */
  | { readonly kind: 'body'; readonly body: Buffer }
  /** No answer that can be sent. */
  | { readonly kind: 'malformed' };

/**
 * Reads a streamed answer: metadata as JSON, eight null bytes, the body (API Gateway Developer Guide, "Set up a Lambda
 * proxy integration with payload response streaming").
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
    if (end < 0 && held.length <= LARGEST_METADATA_BYTES) return { kind: 'more' };
    const head = end < 0 ? undefined : readMetadata(held.toString('utf8', 0, end));
    state = head === undefined ? 'malformed' : 'body';
    return head === undefined
      ? { kind: 'malformed' }
      : { kind: 'head', head, body: held.subarray(end + DELIMITER.length) };
  };
}
