// After the answer, in this order: settles limits, puts the log entry, writes the cache, records the key's last use.

import { type BodyPolicy, createKeepText } from '../../core/logs/bodies.ts';
import { buildEntry, type EntryFacts, type LogSubject } from '../../core/logs/build-entry.ts';
import { renderIncident } from '../../core/logs/incident-line.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { LogStore, SecretReader } from '../../core/ports/stores.ts';
import { type CacheAnswerPorts, cacheAnswer } from './cache-answer.ts';
import { type RecordUsePorts, recordUse } from './record-use.ts';
import type { Run } from './run.ts';
import { type SettlePorts, settle } from './settle.ts';

/** What finishing needs. */
export interface FinishPorts extends RecordUsePorts, SettlePorts, CacheAnswerPorts {
  readonly logs: LogStore;
  readonly secrets: SecretReader;
}

/** The name of the HMAC key within the `log` secret. */
const LOG_KEY = 'hmac';

/** Never throws: the caller has the answer, and the lines already stand for the entries. */
export async function finish(run: Run | undefined, ports: FinishPorts): Promise<void> {
  run?.deadline?.end();
  if (run !== undefined) await settle(run, ports);
  const bodies = run?.settings?.neuron.logging.bodies ?? 'hash';
  for (const facts of run?.entries ?? []) await put(facts, bodies, ports);
  if (run === undefined) return;
  await cacheAnswer(run, ports);
  await recordUse(run, ports);
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
