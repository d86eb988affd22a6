// Port of idempotency: who runs for an idempotency key, and the answer that is kept for it.
import * as z from 'zod/mini';
import { ERROR_CODES, type ErrorCode } from '../contract/error-codes.ts';

declare const scoped: unique symbol;

/** Neuron, caller and idempotency key, the latter two as digests. Only `core/idempotency/record-key.ts` makes one. */
export type ClaimKey = string & { readonly [scoped]: 'claim' };

/** What one request claims a key with. */
export interface Claim {
  /** Unguessable, and of this request alone: who holds it may keep an answer, or give the key back. */
  readonly token: string;
  /** Of everything in the request that decides on its answer: requests with the same one are the same. */
  readonly digest: string;
  /** When API Gateway received the request: in the past for every clock. Milliseconds since the Unix epoch. */
  readonly atMs: number;
  /** When the run has ended, whatever becomes of it. */
  readonly leaseEndsAtMs: number;
}

const keptAnswerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  /** The execution that made it. */
  executionId: z.string(),
  /** Of a refusal. */
  code: z.optional(z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]])),
  executionStopped: z.boolean(),
});

/** An answer as its caller got it. */
export type KeptAnswer = Readonly<z.output<typeof keptAnswerSchema>>;

/** Reads what a store has of an answer. Throws when it is incomplete. */
export function parseKeptAnswer(value: unknown): KeptAnswer {
  const parsed = keptAnswerSchema.safeParse(value);
  if (!parsed.success) throw new Error('a kept answer is malformed');
  return parsed.data;
}

/** What holds a key: the same request, in progress or answered; or another one, of which nothing is told. */
export type HeldKey =
  | { readonly kind: 'running'; readonly atMs: number; readonly leaseEndsAtMs: number }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'mismatched' };

/** Claims by key. Methods throw on failure: then nobody knows whether they took place. */
export interface IdempotencyStore {
  /**
   * Claims a key that is free: never claimed, given back, its lease ended by the claim's time, or its answer's time over. Of
   * many claims at once one is made. Asked again with the same token, the answer is the same.
   */
  claim(key: ClaimKey, claim: Claim): Promise<{ readonly kind: 'claimed' } | HeldKey>;
  /** Keeps the answer of the claim with this token until `expiresAt`, Unix epoch seconds. False, without a change, for a claim that is lost. */
  keep(key: ClaimKey, claim: Claim, answer: KeptAnswer, expiresAt: number): Promise<boolean>;
  /** Gives the key back; does nothing where the claim with this token is lost, or has its answer. */
  release(key: ClaimKey, token: string): Promise<void>;
}
