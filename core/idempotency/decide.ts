// Decides what becomes of a request whose idempotency key is held, and which answers are kept for the next one.

import { type ErrorCode, statusOf } from '../contract/error-codes.ts';
import { RESPONSE_HEADERS } from '../contract/headers.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Claim, HeldKey, KeptAnswer } from '../ports/idempotency.ts';
import type { Answer } from '../surfaces/surface.ts';

/** How long an answer is kept, from its request on. */
export const KEPT_MS = 86_400_000;

/** From the end of a run to that of its lease: its answer is kept, or its key given back, by then. */
export const LEASE_MARGIN_MS = 2_000;

/** Between two questions whether a long run has ended. */
const MAX_WAIT_MS = 30_000;

/** The answer to repeat. Throws 422 `idempotency_mismatch` for another request, and 409 `idempotency_in_progress` while the first one runs. */
export function requireAnswered(held: HeldKey, { atMs }: Pick<Claim, 'atMs'>): KeptAnswer {
  if (held.kind === 'mismatched') throw new ServiceError('idempotency_mismatch');
  if (held.kind === 'answered') return held.answer;
  // As long as it has been running: a short run is asked for soon, and a long one not often.
  const waitMs = Math.min(atMs - held.atMs, held.leaseEndsAtMs - atMs, MAX_WAIT_MS);
  throw new ServiceError('idempotency_in_progress', { retryAfterMs: waitMs });
}

/** True for what would be answered the same again: runs, and refusals of the input. Anything else may succeed the next time. */
export function isKept(code: ErrorCode | undefined): boolean {
  return code === undefined || statusOf(code) === 422;
}

/** What remained of limits then is wrong when it is repeated. */
const PASSING = new Set([RESPONSE_HEADERS.rateLimit, RESPONSE_HEADERS.rateLimitPolicy].map(toLower));

/** An answer as it is kept. */
export function toKeptAnswer(
  { status, headers, body }: Answer,
  origin: Pick<KeptAnswer, 'executionId' | 'code' | 'executionStopped'>,
): KeptAnswer {
  const lasting = Object.entries(headers).filter(([name]) => !PASSING.has(toLower(name)));
  return { status, headers: Object.fromEntries(lasting), body, ...origin };
}

/** The answer again, marked as such. */
export function renderReplay({ status, headers, body }: KeptAnswer): Answer {
  return { status, headers: { ...headers, [RESPONSE_HEADERS.idempotencyReplayed]: 'true' }, body };
}

function toLower(name: string): string {
  return name.toLowerCase();
}
