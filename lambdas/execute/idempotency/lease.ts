// Leases the record of an idempotency key, and ends the lease with its run. Loaded by the first request with a key.
import { previewedVersion } from '../../../core/access/preview-key.ts';
import { within } from '../../../core/async/race.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import {
  ANSWER_TTL_MS,
  isRepeatable,
  LEASE_MARGIN_MS,
  renderReplay,
  requireAnswered,
  toStoredAnswer,
} from '../../../core/idempotency/decide.ts';
import { digestOfRequest, readIdempotencyKey, toRecordKey } from '../../../core/idempotency/record-key.ts';
import { reportIncident } from '../../../core/logs/incident-line.ts';
import type { Lease, RecordKey, RecordState } from '../../../core/ports/idempotency.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Call, EndedRun, ExecutionPorts, HeldLease, Outcome, Run } from '../run.ts';

export type LeasePorts = Pick<
  ExecutionPorts,
  'stage' | 'clock' | 'random' | 'lines' | 'openIdempotency' | 'repeats'
>;

/** The parts of a call that are known before its body is read. */
export type LeasingCall = Pick<Call, 'request' | 'admission' | 'settings' | 'deadline'>;

/** The stored answer of a key. */
export type Replay = Extract<Outcome, { kind: 'replay' }>;

/** The right to run, or the stored answer of the run that had it. */
export type LeaseOutcome = HeldLease | Replay;

const TOKEN_BYTES = 16;

/** Within the margin of the lease: the caller waits for it. */
const END_MS = 1_500;

/** Leases the key for this request alone, or gives the stored answer. Throws the error of a key that another request holds. */
export async function acquireLease(call: LeasingCall, ports: LeasePorts): Promise<LeaseOutcome> {
  const key = keyOf(call, ports);
  const lease = toLease(call, ports);
  const record = await orUnavailable(async () => (await ports.openIdempotency()).acquire(key, lease));
  return record.kind === 'acquired' ? { kind: 'held', ...lease, key } : toReplay(key, record, lease, ports);
}

/** The stored answer of a request that is rejected before it has a lease; undefined for a key that is free. Nothing is written. */
export async function findReplay(call: LeasingCall, ports: LeasePorts): Promise<Replay | undefined> {
  const key = keyOf(call, ports);
  const { request } = call;
  const record = await orUnavailable(async () => {
    const store = await ports.openIdempotency();
    return store.find(key, request.timeMs, () => digestOf(request));
  });
  return record === undefined ? undefined : toReplay(key, record, { atMs: request.timeMs }, ports);
}

/** Throws for a key that is malformed, or was sent too often. */
function keyOf({ request, admission, settings }: LeasingCall, { repeats }: LeasePorts): RecordKey {
  // Access to a version is access, too: without it nothing is said of what others did with it.
  if (request.revision !== undefined) previewedVersion(request.revision, request.previewKeys, settings);
  const owner = { keyId: admission.keyId, username: admission.username, sourceIp: request.sourceIp };
  const key = toRecordKey(settings.neuronId, owner, readIdempotencyKey(request.idempotencyKeys));
  repeats.requireRoom(key, request.timeMs);
  return key;
}

function toReplay(
  key: RecordKey,
  record: RecordState,
  { atMs }: Pick<Lease, 'atMs'>,
  { repeats }: LeasePorts,
): Replay {
  repeats.count(key, atMs);
  const stored = requireAnswered(record, { atMs });
  const { code, status, executionId, executionStopped, masks } = stored;
  const original = { code, status, replay: { executionId, executionStopped } };
  return { kind: 'replay', answer: () => renderReplay(stored), original, masks };
}

function digestOf({ surface, revision, unparsed }: LeasingCall['request']): string {
  const acceptsStream = surfaceOf(surface).acceptsStream(unparsed);
  return digestOfRequest({ surface, revision, unparsed, acceptsStream });
}

function toLease({ request, deadline }: LeasingCall, { clock, random }: LeasePorts): Lease {
  const { timeMs } = request;
  // A clock that is slow must not end the lease of a run that goes on.
  const nowMs = Math.max(clock.now(), timeMs);
  return {
    token: Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url'),
    digest: digestOf(request),
    atMs: timeMs,
    leaseEndsAtMs: nowMs + deadline.remainingMs() + LEASE_MARGIN_MS,
  };
}

async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = 'the idempotency key could not be claimed';
    throw new ServiceError('dependency_unavailable', { reason, cause });
  }
}

/**
 * Stores the answer, or frees the key. Never throws: a store that fails, and an answer that cannot be rendered, leave the key leased and a
 * line that says so. Without its answer the caller would call again, and be answered by a second run as soon as the lease has ended.
 */
export async function completeLease(
  { request, result, guards }: Readonly<Run>,
  lease: HeldLease,
  { answer, error }: Pick<EndedRun, 'answer' | 'error'>,
  { openIdempotency, ...ports }: LeasePorts,
): Promise<void> {
  const { executionId } = request;
  const code = error?.code;
  try {
    const executionStopped = code === undefined && result?.kind === 'done' && result.stopped;
    const masks = guards?.services?.masks() ?? [];
    const kept = { executionId, code, executionStopped, ...(masks.length === 0 ? {} : { masks }) };
    const stored = isRepeatable(code) ? toStoredAnswer(answer(), kept) : undefined;
    const store = await openIdempotency();
    await within(ports.clock, END_MS, async () => {
      if (stored === undefined) return store.release(lease.key, lease.token);
      await store.complete(lease.key, lease, stored, Math.floor((lease.atMs + ANSWER_TTL_MS) / 1000));
    });
  } catch {
    reportIncident({ kind: 'neuronIdempotencyLoss', executionId }, ports.clock.now(), ports);
  }
}
