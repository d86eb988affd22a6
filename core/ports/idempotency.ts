// Port of idempotency: the record of each idempotency key, leased by the request that runs for it, then with its answer.
import * as z from 'zod/mini';
import { ERROR_CODES, type ErrorCode } from '../contract/error-codes.ts';

declare const scoped: unique symbol;

/** Neuron, caller and idempotency key, the latter two as digests. Only `core/idempotency/record-key.ts` makes one. */
export type RecordKey = string & { readonly [scoped]: 'idempotency record' };

/** The right of one request to run for a key, for a time. */
export interface Lease {
  /** Unguessable, and of this request alone: with it an answer is stored, or the key released. */
  readonly token: string;
  /** Digest of everything in the request that decides on its answer: requests with the same one are the same. */
  readonly digest: string;
  /** When API Gateway received the request: in the past for every clock. Milliseconds since the Unix epoch. */
  readonly atMs: number;
  /** When the run has ended, whatever becomes of it. */
  readonly leaseEndsAtMs: number;
}

/** A value of the request that a service masked: where it stood, and never what it was. */
const maskPlaceSchema = z.object({
  label: z.string(),
  /** The index among the places that guards inspect, in their order. */
  place: z.int(),
  /** UTF-16 code units of the texts of the place as one, as guards in the process left them; `end` is after the last. */
  start: z.int(),
  end: z.int(),
});

export type MaskPlace = Readonly<z.output<typeof maskPlaceSchema>>;

const storedAnswerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  executionId: z.string(),
  /** Set for an error. */
  code: z.optional(z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]])),
  executionStopped: z.boolean(),
  /** Absent where no service masked anything. */
  masks: z.optional(z.readonly(z.array(maskPlaceSchema))),
});

/** An answer as its caller got it. */
export type StoredAnswer = Readonly<z.output<typeof storedAnswerSchema>>;

/** Parses a stored answer. Throws when it is incomplete. */
export function parseStoredAnswer(value: unknown): StoredAnswer {
  const parsed = storedAnswerSchema.safeParse(value);
  if (!parsed.success) throw new Error('a stored answer is malformed');
  return parsed.data;
}

/** The record of a key that cannot be leased: of the same request, in progress or answered; or of another one, of which nothing is told. */
export type RecordState =
  | { readonly kind: 'running'; readonly atMs: number; readonly leaseEndsAtMs: number }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'mismatched' };

/** Records by key. Methods throw on failure: then nobody knows whether they took place. */
export interface IdempotencyStore {
  /**
   * Leases a key that is free: never leased, released, its lease ended by `lease.atMs`, or its answer expired. Of many requests
   * at once one gets it. Asked again with the same token, the answer is the same.
   */
  acquire(key: RecordKey, lease: Lease): Promise<{ readonly kind: 'acquired' } | RecordState>;
  /** The record of a key that is not free at `atMs`, without a write. `digest` is called only where there is one. */
  find(key: RecordKey, atMs: number, digest: () => string): Promise<RecordState | undefined>;
  /** Stores the answer in place of the lease with this token until `expiresAt`, Unix epoch seconds. False, without a change, for a lost lease. */
  complete(key: RecordKey, lease: Lease, answer: StoredAnswer, expiresAt: number): Promise<boolean>;
  /** Frees the key; does nothing where the lease with this token is lost, or has its answer. */
  release(key: RecordKey, token: string): Promise<void>;
}
