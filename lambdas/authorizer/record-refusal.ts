// Puts the log entry of a refusal that API Gateway answers: the execution function never sees it.
import { hostOf } from '../../adapters/apigateway/proxy-event.ts';
import type { Decision } from '../../core/access/decision.ts';
import type { AccessRequest } from '../../core/access/request.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { buildEntry, type EntryFacts } from '../../core/logs/build-entry.ts';
import type { Journal } from '../../core/logs/journal.ts';
import { renderLine } from '../../core/logs/line.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import { within } from '../../core/time/race.ts';
import { type ReportPorts, reportIncident } from './report-incident.ts';

/** What recording needs. */
export interface RecordPorts extends ReportPorts {
  readonly journal: Journal;
  readonly logs: LogStore;
}

/** A refusal and all that its entry says. */
export interface Refused {
  readonly executionId: string;
  readonly request: AccessRequest;
  readonly settings: UsableSettings;
  readonly decision: Extract<Decision, { outcome: 'refused' }>;
  readonly startedAtMs: number;
}

/** The caller waits this long for the entry at most; the line stands for it from the beginning. */
const PUT_MS = 100;

/** Never throws: a refusal stays a refusal when it cannot be logged. */
export async function recordRefusal(refused: Refused, ports: RecordPorts): Promise<void> {
  await putAll(ports.journal.record(toFacts(refused, ports.clock.now())), ports);
}

/** For a caller who is let in: what was counted of a flood before must not wait for another refusal. Never throws. */
export async function recordDue({ timeMs }: AccessRequest, ports: RecordPorts): Promise<void> {
  await putAll(ports.journal.due(timeMs), ports);
}

async function putAll(due: readonly EntryFacts[], ports: RecordPorts): Promise<void> {
  if (due.length === 0) return;
  const put = async (facts: EntryFacts): Promise<void> => {
    const entry = buildEntry(facts, () => undefined);
    writeLine(entry, ports);
    await ports.logs
      .put(entry)
      .catch(() => reportIncident({ kind: 'neuronLogLoss', executionId: facts.executionId }, ports));
  };
  await within(ports.clock, PUT_MS, () => Promise.all(due.map(put))).catch(() => undefined);
}

function writeLine(entry: LogEntry, ports: RecordPorts): void {
  try {
    ports.lines.write(renderLine(entry, ports));
  } catch {
    // Standard output is gone. The entry is put all the same.
  }
}

function toFacts(
  { executionId, request, settings, decision, startedAtMs }: Refused,
  nowMs: number,
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
    latencyMs: nowMs - startedAtMs,
  };
}
