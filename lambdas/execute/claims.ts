// Claims an idempotency key, or repeats the answer that is kept for it. Loaded by the first request with a key.
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import { LEASE_MARGIN_MS, renderReplay, requireAnswered } from '../../core/idempotency/decide.ts';
import { digestOfRequest, readIdempotencyKey, toClaimKey } from '../../core/idempotency/record-key.ts';
import type { Claim, IdempotencyStore } from '../../core/ports/idempotency.ts';
import type { LineSink, Random } from '../../core/ports/platform.ts';
import { SURFACES } from '../../core/surfaces/registry.ts';
import type { Clock } from '../../core/time/clock.ts';
import { Answered, type ClaimedRun, type ServingRun } from './run.ts';
import { previewedVersion } from './steps/invocation.ts';

/** What claims need. */
export interface ClaimPorts {
  readonly stage: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly lines: LineSink;
  /** Opened by the first request with a key. */
  readonly openIdempotency: () => Promise<IdempotencyStore>;
}

const TOKEN_BYTES = 16;

/** Claims the key for this request alone. Throws the kept answer, or the refusal, of a key that is held. */
export async function claim(run: ServingRun, ports: ClaimPorts): Promise<ClaimedRun> {
  const { request, admission, settings } = run;
  // Access to a version is access, too: without it nothing is said of what others did with it.
  if (request.revision !== undefined) previewedVersion(request.revision, request.previewKeys, settings);
  const owner = { keyId: admission.keyId, username: admission.username, sourceIp: request.sourceIp };
  const key = toClaimKey(settings.neuronId, owner, readIdempotencyKey(request.idempotencyKeys));
  const own = toClaim(run, ports);
  const held = await claimInStore(() => ports.openIdempotency().then((store) => store.claim(key, own)));
  if (held.kind === 'claimed') return { ...run, claim: { ...own, key } };
  const answer = requireAnswered(held, own);
  const { code, status, executionId, executionStopped } = answer;
  throw new Answered(toProxyResult(renderReplay(answer)), {
    code,
    status,
    replay: { executionId, executionStopped },
  });
}

function toClaim({ request, deadline }: ServingRun, { clock, random }: ClaimPorts): Claim {
  const { surface, revision, unparsed, timeMs } = request;
  const acceptsStream = SURFACES[surface].acceptsStream(unparsed);
  // A clock that is slow must not end the lease of a run that goes on.
  const nowMs = Math.max(clock.now(), timeMs);
  return {
    token: Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url'),
    digest: digestOfRequest({ surface, revision, unparsed, acceptsStream }),
    atMs: timeMs,
    leaseEndsAtMs: nowMs + deadline.remainingMs() + LEASE_MARGIN_MS,
  };
}

async function claimInStore<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    throw new ServiceError('dependency_unavailable', {
      reason: 'the idempotency key could not be claimed',
      cause,
    });
  }
}
