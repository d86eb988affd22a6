// Idempotency keys: asks no store and loads nothing for a request without one.
import { lazy } from '../../../core/async/lazy.ts';
import type { EndedRun, Run } from '../run.ts';
import type { LeaseOutcome, LeasePorts, LeasingCall, Replay } from './lease.ts';

const loadLease = lazy(() => import('./lease.ts'));

/**
 * The right to run, or the stored answer of the run that had it. Undefined for a request without a key. Throws 422 `invalid_parameter` for a malformed key
 * and `idempotency_mismatch`; 409 `idempotency_in_progress`; 404 `revision_not_found`; 429 `rate_limited` for a key that was sent too often; 503 `dependency_unavailable`.
 */
export async function leaseKey(call: LeasingCall, ports: LeasePorts): Promise<LeaseOutcome | undefined> {
  if (call.request.idempotencyKeys.length === 0) return undefined;
  const { acquireLease } = await loadLease();
  return acquireLease(call, ports);
}

/**
 * The answer of a request that is rejected before its limits have admitted it: that of its idempotency key where there is one, else the
 * rejection. A key that is free stays free, so that nobody fills the store past a limit. Throws as `leaseKey` does.
 */
export async function replayInstead(
  rejection: unknown,
  call: LeasingCall,
  ports: LeasePorts,
): Promise<Replay> {
  if (call.request.idempotencyKeys.length === 0) throw rejection;
  const { findReplay } = await loadLease();
  const replay = await findReplay(call, ports);
  if (replay === undefined) throw rejection;
  return replay;
}

/** Stores the answer of a request that holds a lease, or frees its key. Never throws. */
export async function endLease(
  run: Readonly<Run>,
  ended: Pick<EndedRun, 'answer' | 'error'>,
  ports: LeasePorts,
): Promise<void> {
  if (run.lease === undefined) return;
  // Loaded when the key was leased.
  const { completeLease } = await loadLease();
  await completeLease(run, run.lease, ended, ports);
}
