// Delivered entries for tests of usage, and the ports that count and seal them.

import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import { toEntryToSeal } from '../../../core/logs/seals/sealed-entry.ts';
import { createSealing } from '../../../core/logs/seals/sealing.ts';
import type { SealHeads } from '../../../core/ports/seals.ts';
import type { UsageLedger } from '../../../core/ports/usage.ts';
import type { CountingPorts } from '../../../core/usage/count-and-seal.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { entryOf, FACTS, NOON_MS } from '../logs/entries.ts';

/** An entry as the stream delivers it. */
export function deliver(entry: LogEntry, putAtMs: number, sequenceNumber = '1') {
  const { neuronId, organizationId, timeMs, executionId, expiresAt } = entry;
  const keys = { pk: neuronId, sk: `${new Date(timeMs).toISOString()}#${executionId}` };
  const toBeSealed = toEntryToSeal({ ...keys, organizationId, expiresAt }, Math.floor(putAtMs / 1000));
  const placed = { ...entry, logShard: 0 };
  return { sequenceNumber, putAtMs, key: JSON.stringify(keys), entry: placed, toSeal: toBeSealed };
}

/** An entry of `acme/hello` by ann with one call of `demo/m-1`, put a second after its request. */
export function delivered(executionId: string, changes: Partial<EntryFacts> = {}) {
  return deliver(entryOf({ executionId, ...changes }), NOON_MS + 1_000, `at-${executionId}`);
}

/** The same call of another user. */
export function by(username: string | undefined): Pick<EntryFacts, 'caller'> {
  const { username: _ann, ...caller } = FACTS.caller;
  return { caller: username === undefined ? caller : { ...caller, username } };
}

/** What an environment counts with that remembers no head yet; waiting takes no time. */
export function countingPorts(
  heads: SealHeads,
  ledger: UsageLedger,
  changes: Partial<CountingPorts> = {},
): CountingPorts {
  return {
    ledger,
    sealing: createSealing(heads, { now: () => NOON_MS + 2_000 }),
    clock: { now: () => NOON_MS + 2_000, sleep: async () => undefined },
    random: createMemoryRandom(),
    ...changes,
  };
}
