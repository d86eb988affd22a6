// Ends a claim on an idempotency key when its run has ended: keeps the answer, or gives the key back.

import { within } from '../../core/async/race.ts';
import type { ServiceError } from '../../core/contract/service-error.ts';
import { isKept, KEPT_MS, toKeptAnswer } from '../../core/idempotency/decide.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import type { Answer } from '../../core/surfaces/surface.ts';
import type { ClaimPorts } from './claims.ts';
import type { HeldClaim, PartialRun } from './run.ts';

/** What a request was answered with, and the refusal behind it. */
export interface Ended {
  readonly answer: Answer;
  readonly rejection: ServiceError | undefined;
}

/** Within the margin of the lease: the caller waits for it. */
const END_MS = 1_500;

/**
 * Keeps the answer, or gives the key back. Never throws: the caller gets the answer of its run in any case, since without it it would call
 * again, and be answered by a second run as soon as the lease has ended.
 */
export async function endClaimOf(
  { request, result }: PartialRun,
  { key, ...own }: HeldClaim,
  { answer, rejection }: Ended,
  { openIdempotency, ...ports }: ClaimPorts,
): Promise<void> {
  const { executionId } = request;
  const code = rejection?.code;
  const executionStopped = code === undefined && result?.kind === 'done' && result.stopped;
  try {
    const store = await openIdempotency();
    await within(ports.clock, END_MS, async () => {
      if (!isKept(code)) return store.release(key, own.token);
      const kept = toKeptAnswer(answer, { executionId, code, executionStopped });
      await store.keep(key, own, kept, Math.floor((own.atMs + KEPT_MS) / 1000));
    });
  } catch {
    reportIncident({ kind: 'neuronIdempotencyLoss', executionId }, ports.clock.now(), ports);
  }
}
