// Puts the log entry of a denial: the execution function never sees a 401, and writes nothing about a denied request.
import { hostOf } from '../../adapters/apigateway/proxy-event.ts';
import { MEMORY_MEGABYTES } from '../../adapters/platform/memory.ts';
import type { Decision } from '../../core/access/decision.ts';
import type { AccessRequest } from '../../core/access/request.ts';
import { waitAtMost } from '../../core/async/race.ts';
import { statusOf } from '../../core/contract/error-codes.ts';
import { buildEntry, type EntryFacts } from '../../core/logs/build-entry.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import { renderLine } from '../../core/logs/line.ts';
import { chargesOfDenial } from '../../core/pricing/entry-charges.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { AuthorizerPorts } from './compose.ts';

type RecordPorts = Pick<AuthorizerPorts, 'stage' | 'clock' | 'lines' | 'journal' | 'logs'>;

interface RejectedRequest {
  readonly executionId: string;
  readonly request: AccessRequest;
  readonly settings: UsableSettings;
  readonly decision: Extract<Decision, { outcome: 'refused' }>;
  /** By the monotonic clock. */
  readonly startedMs: number;
}

/** Max. time that the caller waits for the entry; its line is already written. */
const PUT_MS = 100;

/** Never throws: a denial stays a denial when it cannot be logged. */
export async function recordRejection(rejected: RejectedRequest, ports: RecordPorts): Promise<void> {
  await putAll(ports.journal.record(toFacts(rejected, ports.clock.monotonicMs())), ports);
}

/** For an allowed request: summaries of an earlier flood of denials must not wait for the next one. Never throws. */
export async function recordDueSummaries({ timeMs }: AccessRequest, ports: RecordPorts): Promise<void> {
  await putAll(ports.journal.due(timeMs), ports);
}

async function putAll(due: readonly EntryFacts[], ports: RecordPorts): Promise<void> {
  if (due.length === 0) return;
  await waitAtMost(ports.clock, PUT_MS, Promise.all(due.map((facts) => put(facts, ports))));
}

async function put(facts: EntryFacts, ports: RecordPorts): Promise<void> {
  const { stage, clock, lines, logs } = ports;
  const entry = buildEntry(facts, () => undefined);
  try {
    lines.write(renderLine(entry, { stage }));
  } catch {
    // Standard output is gone. The entry is put all the same.
  }
  const { executionId } = facts;
  await logs
    .put(entry)
    .catch(() => reportIncident({ kind: 'neuronLogLoss', executionId }, clock.now(), ports));
}

function toFacts(
  { executionId, request, settings, decision, startedMs }: RejectedRequest,
  endedMs: number,
): EntryFacts {
  return {
    executionId,
    timeMs: request.timeMs,
    subject: {
      organization: request.organization,
      organizationId: settings.organizationId,
      neuron: request.neuron,
      neuronId: settings.neuronId,
      retentionMs: settings.neuron.logging.retention,
    },
    caller: {
      sourceIp: request.sourceIp ?? '',
      refererHost: hostOf(request.referers),
      keyId: decision.keyId,
    },
    code: decision.code,
    reason: decision.reason,
    latencyMs: endedMs - startedMs,
    charges: chargesOfDenial({
      milliseconds: Math.max(0, endedMs - startedMs),
      memoryMegabytes: MEMORY_MEGABYTES,
      hasKey: decision.keyId !== undefined,
      isUnauthorized: statusOf(decision.code) === 401,
    }),
  };
}
