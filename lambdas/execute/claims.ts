// Claims idempotency keys, repeats the answers that are kept for them, and keeps those of this function's runs.
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import { digestOfRequest, readIdempotencyKey, toClaimKey } from '../../core/cache/idempotency/claim-key.ts';
import {
  isKept,
  KEPT_MS,
  LEASE_MARGIN_MS,
  renderReplay,
  requireAnswered,
  toKeptAnswer,
} from '../../core/cache/idempotency/decide.ts';
import { acceptsEventStream } from '../../core/contract/accept.ts';
import type { Answer } from '../../core/contract/error-body.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import type { Claim, IdempotencyStore } from '../../core/ports/idempotency.ts';
import type { LineSink, Random } from '../../core/ports/platform.ts';
import type { Clock } from '../../core/time/clock.ts';
import { within } from '../../core/time/race.ts';
import { Answered, type ClaimedRun, type HeldClaim, type PartialRun, type ServingRun } from './run.ts';
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

/** What a request was answered with, and the refusal behind it. */
export interface Ended {
  readonly answer: Answer;
  readonly refusal: ServiceError | undefined;
}

/** Within the margin of the lease: the caller waits for it. */
const END_MS = 1_500;

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
  const { code, executionId, executionStopped } = answer;
  throw new Answered(toProxyResult(renderReplay(answer)), {
    code,
    replay: { executionId, executionStopped },
  });
}

function toClaim({ request, deadline }: ServingRun, { clock, random }: ClaimPorts): Claim {
  const { surface, revision, unparsed, timeMs } = request;
  const acceptsStream = surface === 'native' && acceptsEventStream(unparsed.accept);
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

/**
 * Keeps the answer, or gives the key back. Never throws: the caller gets the answer of its run in any case, since without it it would call
 * again, and be answered by a second run as soon as the lease has ended.
 */
export async function end(
  { request, result }: PartialRun,
  { key, ...own }: HeldClaim,
  { answer, refusal }: Ended,
  { openIdempotency, ...ports }: ClaimPorts,
): Promise<void> {
  const { executionId } = request;
  const code = refusal?.code;
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
