// The rest of an entry after its person was erased: amounts that usage is counted from, and nothing of the person.
import type { Json, StoredRecord } from '../../ports/seals.ts';
import { isJsonObject } from '../../text/json.ts';
import { namesPerson } from '../../text/names-person.ts';

/** Keys, whose time and id the seals show too, and what usage, limits of retention and lists of failures need. */
const REMAINING_ATTRIBUTES = [
  ...['pk', 'sk', 'organizationHour', 'failureHour'],
  ...['executionId', 'timeMs', 'expiresAt', 'restored', 'count'],
  ...[
    'organization',
    'organizationId',
    'neuron',
    'neuronId',
    'version',
    'rollout',
    'shadow',
    'branch',
    'keyId',
  ],
  ...['outcome', 'status', 'code', 'cache', 'latencyMs', 'ownLatencyMs'],
  ...['tokensInput', 'tokensOutput', 'costMicrodollars', 'savingsMicrodollars', 'infrastructureNanodollars'],
  ...['modelCalls', 'tags', 'feedback'],
] as const;

/** The entry without username, addresses, texts, trace and salt. Deterministic, so that an erasure can go on where it was ended. */
export function toErasedRecord(record: StoredRecord, ...usernames: readonly string[]): StoredRecord {
  const rest = REMAINING_ATTRIBUTES.filter((name) => record[name] !== undefined).map(
    (name): readonly [string, Json] => [name, withoutPerson(name, record[name] ?? null, usernames)],
  );
  return Object.fromEntries(rest);
}

/** A caller may have sent the name as a tag; a comment is a text of the person. */
function withoutPerson(name: string, value: Json, usernames: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  if (name === 'feedback') return Object.fromEntries(members.filter(([member]) => member !== 'comment'));
  if (name !== 'tags') return value;
  return Object.fromEntries(members.filter(([, tag]) => !namesPerson(String(tag), usernames)));
}
