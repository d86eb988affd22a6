// The duties after the answer. None of them throws: the caller has the answer, and the line holds entry and amounts.

import { writeAnswer } from '../../../core/cache/write.ts';
import { writeVectors } from '../../../core/cache/write-vectors.ts';
import { sendSettlement } from '../../../core/limits/send-settlement.ts';
import { type BodySetting, chooseBodyPolicy, createKeepText } from '../../../core/logs/bodies.ts';
import { buildEntry, type EntryFacts, type LogSubject } from '../../../core/logs/build-entry.ts';
import { reportIncident } from '../../../core/logs/incident-line.ts';
import type { Settlement } from '../../../core/ports/counters.ts';
import { LOG_KEY_NAME } from '../../../core/ports/log-key.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import type { ExecutionPorts, Run } from '../run.ts';
import { toStorable, toStorableVectors } from '../steps/shared-answer.ts';
import { withLateFinds } from './late-finds.ts';

type EntryPorts = Pick<ExecutionPorts, 'stage' | 'lines' | 'logs' | 'secrets'>;

/** Books what was used of the reservations. A settlement that is lost stays held until its window ends. */
export async function sendSettlements(
  settlements: readonly Settlement[],
  ports: Pick<ExecutionPorts, 'counters' | 'clock' | 'random'>,
): Promise<void> {
  await Promise.all(settlements.map((one) => sendSettlement(one, ports).catch(() => undefined)));
}

/** The entries of a request, with what its guards found late. */
export async function putEntriesOf(
  run: Readonly<Run>,
  entries: readonly EntryFacts[],
  ports: EntryPorts & Pick<ExecutionPorts, 'clock'>,
): Promise<void> {
  await putEntries(await withLateFinds(run, entries, ports), run.settings, ports);
}

/** Puts the entries, with texts as the neuron's settings allow. */
export async function putEntries(
  entries: readonly EntryFacts[],
  settings: UsableSettings | undefined,
  ports: EntryPorts,
): Promise<void> {
  const setting = settings?.neuron.logging.bodies ?? 'hash';
  for (const facts of entries) await put(facts, setting, ports);
}

async function put(facts: EntryFacts, setting: BodySetting, ports: EntryPorts): Promise<void> {
  try {
    const bodies = chooseBodyPolicy(setting, facts.executionId);
    const isHashed = bodies === 'hash' && hasTexts(facts);
    const key =
      isHashed || facts.session !== undefined ? await hashKey(facts.subject, ports.secrets) : undefined;
    await ports.logs.put(buildEntry(facts, createKeepText(bodies, key), key));
  } catch {
    const { executionId, timeMs, latencyMs } = facts;
    reportIncident({ kind: 'neuronLogLoss', executionId }, timeMs + latencyMs, ports);
  }
}

function hasTexts({ input, run }: EntryFacts): boolean {
  return input !== undefined || run !== undefined;
}

/** Undefined when the key cannot be read: then texts are left out, since the alternative would be to keep them readable. */
async function hashKey(
  { organizationId }: LogSubject,
  secrets: ExecutionPorts['secrets'],
): Promise<string | undefined> {
  return secrets.read(organizationId, 'providers', LOG_KEY_NAME).catch(() => undefined);
}

/** A write that fails costs the next identical request a run. The entry has been put by now, so the loss has a line of its own. */
export async function cacheAnswer(
  run: Readonly<Run>,
  ports: Pick<ExecutionPorts, 'stage' | 'clock' | 'lines' | 'responses' | 'vectors'>,
): Promise<void> {
  try {
    const nowMs = ports.clock.now();
    const storable = toStorable(run, nowMs);
    const vectors = toStorableVectors(run, nowMs);
    if (vectors !== undefined) await writeVectors(vectors.key, vectors.answers, ports.responses);
    if (storable !== undefined) await writeAnswer(storable.key, storable.answer, run.lookup?.semantic, ports);
  } catch {
    const { executionId } = run.request;
    reportIncident({ kind: 'neuronCacheLoss', executionId }, ports.clock.now(), ports);
  }
}

/** At most once a minute for each key and environment. The next use after a failure records it again. */
export async function recordUse(
  { admission, request }: Readonly<Run>,
  { keyUses, lastUse }: Pick<ExecutionPorts, 'keyUses' | 'lastUse'>,
): Promise<void> {
  const keyId = admission?.keyId;
  // The time of the request, as for its log entry and its key's expiry.
  const { timeMs } = request;
  if (keyId === undefined || !lastUse.isDue(keyId, timeMs)) return;
  try {
    await keyUses.record(keyId, timeMs);
  } catch {
    // The next use records the key.
  }
}
