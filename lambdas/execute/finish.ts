// After the answer: puts the log entry, then records the key's last use. Settling limits and writing the cache will join it here, in this
// order: settle, put, cache, last use.

import { type BodyPolicy, createKeepText } from '../../core/logs/bodies.ts';
import { buildEntry, type EntryFacts, type LogSubject } from '../../core/logs/build-entry.ts';
import { renderIncident } from '../../core/logs/incident-line.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { LogStore, SecretReader } from '../../core/ports/stores.ts';
import { type RecordUsePorts, recordUse } from './record-use.ts';
import type { Run } from './run.ts';

/** What finishing needs. */
export interface FinishPorts extends RecordUsePorts {
  readonly stage: string;
  readonly lines: LineSink;
  readonly logs: LogStore;
  readonly secrets: SecretReader;
}

/** The name of the HMAC key within the `log` secret. */
const LOG_KEY = 'hmac';

/** Never throws: the caller has the answer, and the lines already stand for the entries. */
export async function finish(run: Run | undefined, ports: FinishPorts): Promise<void> {
  run?.deadline?.end();
  const bodies = run?.settings?.neuron.logging.bodies ?? 'hash';
  for (const facts of run?.entries ?? []) await put(facts, bodies, ports);
  if (run !== undefined) await recordUse(run, ports);
}

async function put(
  facts: EntryFacts,
  bodies: BodyPolicy,
  { stage, logs, lines, secrets }: FinishPorts,
): Promise<void> {
  try {
    const key = bodies === 'hash' && hasTexts(facts) ? await hashKey(facts.subject, secrets) : undefined;
    await logs.put(buildEntry(facts, createKeepText(bodies, key)));
  } catch {
    reportLoss(facts, stage, lines);
  }
}

function reportLoss({ executionId, timeMs, latencyMs }: EntryFacts, stage: string, lines: LineSink): void {
  try {
    lines.write(
      renderIncident({ kind: 'neuronLogLoss', executionId }, { stage, timeMs: timeMs + latencyMs }),
    );
  } catch {
    // Standard output is gone as well: nothing is left to say it with.
  }
}

function hasTexts({ input, run }: EntryFacts): boolean {
  return input !== undefined || run !== undefined;
}

/** Undefined when the key cannot be read: then texts are left out, since the alternative would be to keep them readable. */
async function hashKey({ organizationId }: LogSubject, secrets: SecretReader): Promise<string | undefined> {
  return secrets.read(organizationId, 'log', LOG_KEY).catch(() => undefined);
}
