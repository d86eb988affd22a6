// After the answer, in this order: settles limits, puts the log entry, writes the cache, records the key's last use.
import type { LastUseThrottle } from '../../core/access/last-use.ts';
import { type WritePorts, writeAnswer } from '../../core/cache/write.ts';
import { type SettlementPorts, sendSettlement } from '../../core/limits/send-settlement.ts';
import { type BodyPolicy, createKeepText } from '../../core/logs/bodies.ts';
import { buildEntry, type EntryFacts, type LogSubject } from '../../core/logs/build-entry.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import type { KeyUseStore } from '../../core/ports/keys.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { LogStore, SecretReader } from '../../core/ports/stores.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { PartialRun } from './run.ts';
import { toStorable } from './steps/response-cache.ts';

/** What recording the use of a key needs. */
interface RecordUsePorts {
  readonly keyUses: KeyUseStore;
  /** One per environment, so that a busy key costs one write a minute and not one per request. */
  readonly lastUse: LastUseThrottle;
}

/** What caching an answer needs. */
interface CacheAnswerPorts extends WritePorts {
  readonly stage: string;
  readonly clock: Clock;
  readonly lines: LineSink;
}

/** What finishing needs. */
interface FinishPorts extends RecordUsePorts, SettlementPorts, CacheAnswerPorts {
  readonly logs: LogStore;
  readonly secrets: SecretReader;
}

/** The name of the HMAC key within the `log` secret. */
const LOG_KEY = 'hmac';

/** Never throws: the caller has the answer, and the lines already hold the entries. */
export async function finish(run: PartialRun | undefined, ports: FinishPorts): Promise<void> {
  if (run === undefined) return;
  run.deadline?.end();
  await settle(run, ports);
  const bodies = run.settings?.neuron.logging.bodies ?? 'hash';
  for (const facts of run.entries ?? []) await put(facts, bodies, ports);
  await cacheAnswer(run, ports);
  await recordUse(run, ports);
}

/** Tells the counters what was used of the reservations. Never throws: what is lost stays held until its window ends. The line has the amounts. */
export async function settle({ budget }: PartialRun, ports: SettlementPorts): Promise<void> {
  const settlements = budget?.close() ?? [];
  await Promise.all(settlements.map((one) => sendSettlement(one, ports).catch(() => undefined)));
}

async function put(facts: EntryFacts, bodies: BodyPolicy, ports: FinishPorts): Promise<void> {
  try {
    const key =
      bodies === 'hash' && hasTexts(facts) ? await hashKey(facts.subject, ports.secrets) : undefined;
    await ports.logs.put(buildEntry(facts, createKeepText(bodies, key)));
  } catch {
    const { executionId, timeMs, latencyMs } = facts;
    reportIncident({ kind: 'neuronLogLoss', executionId }, timeMs + latencyMs, ports);
  }
}

function hasTexts({ input, run }: EntryFacts): boolean {
  return input !== undefined || run !== undefined;
}

/** Undefined when the key cannot be read: then texts are left out, since the alternative would be to keep them readable. */
async function hashKey({ organizationId }: LogSubject, secrets: SecretReader): Promise<string | undefined> {
  return secrets.read(organizationId, 'log', LOG_KEY).catch(() => undefined);
}

/** Never throws: the next identical request runs again. The entry has been put by now, so a failure has a line of its own. */
export async function cacheAnswer(run: PartialRun, ports: CacheAnswerPorts): Promise<void> {
  const storable = toStorable(run, ports.clock.now());
  if (storable === undefined) return;
  try {
    await writeAnswer(storable.key, storable.answer, run.lookup?.semantic, ports);
  } catch {
    const { executionId } = run.request;
    reportIncident({ kind: 'neuronCacheLoss', executionId }, ports.clock.now(), ports);
  }
}

/** Never throws: the next use after a minute records it again. */
export async function recordUse(run: PartialRun, { keyUses, lastUse }: RecordUsePorts): Promise<void> {
  const keyId = run.admission?.keyId;
  // The time of the request, as for its log entry and its key's expiry.
  const { timeMs } = run.request;
  if (keyId === undefined || !lastUse.isDue(keyId, timeMs)) return;
  await keyUses.record(keyId, timeMs).catch(() => undefined);
}
