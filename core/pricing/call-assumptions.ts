// Sizes and times of a usual call, from which docs/costs.md and `neuron estimate` compute what AWS charges.

/**
 * Bytes, on the local run, 2026-11-22: calls with an API key of a neuron with a limit over tokens and an exact cache (a question of 70
 * characters, echo provider, `bodies: hash`), the first answered by the model, the second from the cache. The line before a model call is
 * of 2026-11-23, the seals of docs/proof/seals-200000.json. Lines have 34 bytes and seals 2 an entry more since, for `infrastructureNanodollars`;
 * the second line has no amounts to settle any more (docs/decisions/0061), which is not taken off.
 */
export const MEASURED = {
  hitLineBytes: 1_141,
  modelLineBytes: 1_685,
  openLineBytes: 806,
  sealBytes: 254,
  sealLineBytes: 226,
} as const;

/** Only an account can tell these. */
export const ASSUMED = {
  hitMs: 30,
  modelMs: 2_000,
  authorizerMs: 10,
  /** An invocation of the execution function that answers a 403, without a store call. */
  rejectionMs: 3,
  accessLogBytes: 440,
  /** The line that Lambda's runtime writes for a rejection of the authorizer. */
  rejectionLineBytes: 199,
  cacheItemKib: 2,
  /** Entries of a batch of the log's stream. */
  usageBatch: 10,
  rollupMs: 50,
  /** A million calls in a month. */
  callsPerSecond: 0.4,
} as const;

/** How long the stream gathers entries for a batch and how many it gathers (lib/constructs/compute/rollup.ts). */
export const GATHERING_SECONDS = 5;
export const MAX_BATCH = 100;
/** Length of a slot of marks (core/usage/mark.ts). */
export const MARK_SLOT_SECONDS = 2;
