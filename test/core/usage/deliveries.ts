// Delivered entries for tests of usage.

import type { EntryFacts } from '../../../core/logs/build-entry.ts';
import type { DeliveredEntry } from '../../../core/usage/plan-transactions.ts';
import { entryOf, FACTS, NOON_MS } from '../logs/entries.ts';

/** An entry of `acme/hello` by ann with one call of `demo/m-1`, put a second after its request. */
export function delivered(executionId: string, changes: Partial<EntryFacts> = {}): DeliveredEntry {
  const entry = entryOf({ executionId, ...changes });
  return { sequenceNumber: `at-${executionId}`, putAtMs: NOON_MS + 1_000, entry };
}

/** The same call of another user. */
export function by(username: string | undefined): Pick<EntryFacts, 'caller'> {
  const { username: _ann, ...caller } = FACTS.caller;
  return { caller: username === undefined ? caller : { ...caller, username } };
}
