// What the tests of whole streams are where they run as proofs (`npm run prove:streams`).

/** True for every byte and every caller; the same tests are tried on some of them with `npm test`. */
export const IS_PROOF = process.env['STREAMS'] === 'proof';

/** What decides whether a stream is whole: the readers of the protocols, the flow, the frames, and the client's reader. */
export const STREAM_SOURCES = [
  'adapters/providers/streams',
  'core/flow/stream-attempt.ts',
  'core/surfaces/native/stream.ts',
  'lambdas/execute/stream/queue.ts',
  'client/src/stream.ts',
];
