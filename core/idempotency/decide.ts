// Decides how a request is answered whose idempotency key is in use, and which answers are stored for the next one.

import { type ErrorCode, statusOf } from '../contract/error-codes.ts';
import { RESPONSE_HEADERS } from '../contract/headers.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Lease, RecordState, StoredAnswer } from '../ports/idempotency.ts';
import type { Answer } from '../surfaces/surface.ts';

/** Answers are stored for this long after their request. */
export const ANSWER_TTL_MS = 86_400_000;

/** Time between the end of a run and that of its lease, in which its answer is stored or its key released. */
export const LEASE_MARGIN_MS = 2_000;

/** Maximum Retry-After while a run is in progress. */
const MAX_WAIT_MS = 30_000;

/** The answer to repeat. Throws 422 `idempotency_mismatch` for another request, and 409 `idempotency_in_progress` while the first one runs. */
export function requireAnswered(held: RecordState, { atMs }: Pick<Lease, 'atMs'>): StoredAnswer {
  if (held.kind === 'mismatched') throw new ServiceError('idempotency_mismatch');
  if (held.kind === 'answered') return held.answer;
  // As long as it has been running: callers of a short run ask again soon, and those of a long one not often.
  const waitMs = Math.min(atMs - held.atMs, held.leaseEndsAtMs - atMs, MAX_WAIT_MS);
  throw new ServiceError('idempotency_in_progress', { retryAfterMs: waitMs });
}

/** True for answers that would be the same again: runs, and rejected inputs. Anything else may succeed the next time. */
export function isRepeatable(code: ErrorCode | undefined): boolean {
  return code === undefined || statusOf(code) === 422;
}

/** Headers that are out of date when the answer is repeated. */
const PASSING = new Set([RESPONSE_HEADERS.rateLimit, RESPONSE_HEADERS.rateLimitPolicy].map(toLower));

export function toStoredAnswer(
  { status, headers, body }: Answer,
  origin: Pick<StoredAnswer, 'executionId' | 'code' | 'executionStopped' | 'masks'>,
): StoredAnswer {
  const lasting = Object.entries(headers).filter(([name]) => !PASSING.has(toLower(name)));
  return { status, headers: Object.fromEntries(lasting), body, ...origin };
}

export function renderReplay({ status, headers, body }: StoredAnswer): Answer {
  return { status, headers: { ...headers, [RESPONSE_HEADERS.idempotencyReplayed]: 'true' }, body };
}

function toLower(name: string): string {
  return name.toLowerCase();
}
