// Claims the idempotency key of a request, where it has one, and ends the claim before the answer leaves.
import type { APIGatewayProxyResult } from 'aws-lambda';
import { lazy } from '../../../core/async/lazy.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import type { Answer } from '../../../core/surfaces/surface.ts';
import { type Middleware, runSoFar } from '../bind.ts';
import type { ClaimPorts } from '../claims.ts';
import type { Ended } from '../end-claim.ts';
import type { ClaimedRun, PartialRun, ServingRun } from '../run.ts';

/** Only requests with a key need them. */
const loadClaims = lazy(() => import('../claims.ts'));
const loadEnd = lazy(() => import('../end-claim.ts'));

/**
 * Asks no store where the request has no key. Else throws the answer that is kept for it; 422 `invalid_parameter` for a malformed key and
 * `idempotency_mismatch`; 409 `idempotency_in_progress`; 404 `revision_not_found`; 503 `dependency_unavailable`.
 */
export async function claimKey(run: ServingRun, ports: ClaimPorts): Promise<ClaimedRun> {
  if (run.request.idempotencyKeys.length === 0) return { ...run, claim: undefined };
  const { claim } = await loadClaims();
  return claim(run, ports);
}

/** When the line is written, so that what is repeated has an entry. A stream that opened does it at its own end. */
export function endClaim(ports: ClaimPorts): Middleware {
  return {
    async after({ event, response }) {
      await endAnswered(runSoFar(event), response, undefined, ports);
    },
    async onError({ event, response, error }) {
      await endAnswered(runSoFar(event), response, error, ports);
    },
  };
}

async function endAnswered(
  run: PartialRun | undefined,
  response: APIGatewayProxyResult | null | undefined,
  thrown: unknown,
  ports: ClaimPorts,
): Promise<void> {
  if (run?.streaming !== undefined || !response) return;
  const rejection = thrown === undefined || thrown === null ? undefined : toServiceError(thrown);
  await endWith(run, () => ({ answer: toAnswer(response), rejection }), ports);
}

/** Ends the claim of a request that has one. Never throws. */
export async function endWith(
  run: PartialRun | undefined,
  ended: () => Ended,
  ports: ClaimPorts,
): Promise<void> {
  if (run?.claim === undefined) return;
  try {
    const { endClaimOf } = await loadEnd();
    await endClaimOf(run, run.claim, ended(), ports);
  } catch {
    // A defect must not cost the caller an answer that is there. The key is free when its lease ends.
  }
}

function toAnswer({ statusCode, headers, body }: APIGatewayProxyResult): Answer {
  const written = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(written), body };
}
