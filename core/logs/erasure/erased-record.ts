// The rest of an entry after its person was erased: amounts that usage is counted from, and nothing of the person.
import type { Json, StoredRecord } from '../../ports/seals.ts';
import { isJsonObject } from '../../text/json.ts';

/** Keys, whose time and id the seals show too, and what usage, limits of retention and lists of failures need. */
const REMAINING_ATTRIBUTES = [
  ...['pk', 'sk', 'organizationHour', 'failureHour'],
  ...['executionId', 'timeMs', 'expiresAt', 'restored', 'count'],
  ...['organization', 'organizationId', 'neuron', 'neuronId', 'version', 'rollout', 'keyId'],
  ...['outcome', 'status', 'code', 'cache', 'latencyMs', 'ownLatencyMs'],
  ...['tokensInput', 'tokensOutput', 'costMicrodollars', 'savingsMicrodollars', 'infrastructureNanodollars'],
  ...['modelCalls', 'tags', 'feedback'],
] as const;

/** The entry without username, addresses, texts, trace and salt. Deterministic, so that an erasure can go on where it was ended. */
export function toErasedRecord(record: StoredRecord, username: string): StoredRecord {
  const rest = REMAINING_ATTRIBUTES.filter((name) => record[name] !== undefined).map(
    (name): readonly [string, Json] => [name, withoutPerson(name, record[name] ?? null, username)],
  );
  return Object.fromEntries(rest);
}

/** A caller may have sent the name as a tag; a comment is a text of the person. */
function withoutPerson(name: string, value: Json, username: string): Json {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  if (name === 'feedback') return Object.fromEntries(members.filter(([member]) => member !== 'comment'));
  if (name !== 'tags') return value;
  return Object.fromEntries(members.filter(([, tag]) => !namesPerson(String(tag), username)));
}

/** True for a text that is the name, or has it as words of its own, in any case. */
export function namesPerson(text: string, username: string): boolean {
  const [lower, name] = [text.toLowerCase(), username.toLowerCase()];
  if (name === '') return false;
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
    const [before, after] = [lower.slice(0, at), lower.slice(at + name.length)];
    if (!ENDS_IN_WORD.test(before) && !BEGINS_WITH_WORD.test(after)) return true;
  }
  return false;
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u;
