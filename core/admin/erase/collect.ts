// Collects what the tables hold of a person: the entries of the log by their tags, and everything else by what the entries name.
import { subjectDigest } from '../../idempotency/record-key.ts';
import { subjectHash } from '../../limits/counter-key.ts';
import { toErasedRecord } from '../../logs/erasure/erased-record.ts';
import { type ErasedTags, tagEntry, tagRest } from '../../logs/erasure/erased-tags.ts';
import { digestRecord } from '../../logs/seals/entry-digest.ts';
import {
  namesOf,
  type Person,
  type PersonalData,
  type PersonalItem,
  type PersonalRuns,
} from '../../ports/personal-data.ts';
import type { StoredRecord } from '../../ports/seals.ts';
import type { StoredPosition } from '../../ports/stored-entries.ts';
import { isJsonObject } from '../../text/json.ts';
import { toIso } from '../../time/iso.ts';
import { markKeyOf } from '../../usage/mark.ts';

/** An entry that may be erased. `mark`: where usage says that the entry was counted; undefined for one that is long ago. */
export interface FoundEntry {
  readonly position: StoredPosition;
  readonly tags: ErasedTags;
  readonly mark: ReturnType<typeof markKeyOf> | undefined;
}

export interface FoundEntries {
  readonly entries: readonly FoundEntry[];
  readonly runs: PersonalRuns;
}

/** By the row of usage. */
export type TagRequests = Map<string, number>;

/** Entries that are read at a time. */
const AT_ONCE = 100;
/** The stream delivers an entry for a day; after that it is counted, or never will be. */
const COUNTED_MS = 86_400_000;

export interface CollectDetail {
  readonly nowMs: number;
  /** Ids of neurons beside those that the entries name. */
  readonly neuronIds: readonly string[];
  /** Ids of conditions on claims that rules of limits have. */
  readonly conditions: readonly string[];
  readonly onProgress?: ((read: number, all: number) => void) | undefined;
  /** Gets the requests of each row of a tag that the entries are counted in; of all names of a person together. */
  readonly tagRequests: TagRequests;
  /** To be given each entry as it is stored. */
  readonly onEntry?: ((record: StoredRecord) => void) | undefined;
}

/** Memory holds keys and tags, not the entries. */
export async function collectEntries(
  person: Person,
  data: Pick<PersonalData, 'entries' | 'find'>,
  { nowMs, onProgress, onEntry, ...detail }: CollectDetail,
): Promise<FoundEntries> {
  const entries: FoundEntry[] = [];
  const neuronIds = new Set(detail.neuronIds);
  const executionIds = new Set<string>();
  const look = async (positions: readonly StoredPosition[]) => {
    const records = await data.find(person, positions);
    for (const [index, record] of records.entries()) {
      const position = positions[index];
      if (record === undefined || position === undefined) continue;
      onEntry?.(record);
      noteTags(record, detail.tagRequests);
      neuronIds.add(String(record['neuronId']));
      executionIds.add(String(record['executionId']));
      entries.push(toFound(position, record, person, nowMs));
    }
  };
  let waiting: StoredPosition[] = [];
  for await (const position of data.entries(person, onProgress)) {
    waiting.push(position);
    if (waiting.length < AT_ONCE) continue;
    await look(waiting);
    waiting = [];
  }
  await look(waiting);
  const runs = { neuronIds, executionIds, ...subjectsOf(person, detail.conditions) };
  return { entries, runs };
}

function noteTags(
  { neuronId, timeMs, tags, count, feedback, shadow }: StoredRecord,
  requests: TagRequests,
): void {
  // Neither is counted as a request.
  if (!isJsonObject(tags) || feedback !== undefined || shadow !== undefined) return;
  for (const [tag, value] of Object.entries(tags)) {
    const row = keyOfRow(toIso(Number(timeMs)).slice(0, 10), neuronId, tag, value);
    requests.set(row, (requests.get(row) ?? 0) + Number(count ?? 1));
  }
}

function keyOfRow(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** False for the row of a tag that counts calls of others as well: it stays, without the calls of the person. */
export function isOfPersonAlone({ place, pk, record }: PersonalItem, requests: TagRequests): boolean {
  if (place !== 'usage' || typeof record['tag'] !== 'string') return true;
  const { neuronId, tag, value } = record;
  const all = OUTCOMES.reduce((sum, outcome) => sum + Number(record[outcome] ?? 0), 0);
  return all <= (requests.get(keyOfRow(pk.slice(-DAY_LENGTH), neuronId, tag, value)) ?? 0);
}

const OUTCOMES = ['success', 'stopped', 'failed', 'refused'] as const;
/** The partition of a row ends with its day. */
const DAY_LENGTH = '2026-11-21'.length;

/** Keys of answers and counters have digests of the caller in place of the name. */
function subjectsOf(
  { username }: Person,
  conditions: readonly string[],
): Pick<PersonalRuns, 'answerSubject' | 'counterSubjects'> {
  const subject = { kind: 'username', name: username } as const;
  return {
    answerSubject: subjectDigest(['username', username]),
    counterSubjects: new Set([undefined, ...conditions].map((condition) => subjectHash(subject, condition))),
  };
}

function toFound(position: StoredPosition, record: StoredRecord, person: Person, nowMs: number): FoundEntry {
  const tags = {
    entry: tagEntry({ ...position, digest: digestRecord(record).digest }),
    rest: tagRest(toErasedRecord(record, ...namesOf(person))),
  };
  const { neuronId, timeMs, executionId, organizationId, latencyMs } = record;
  const endMs = Number(timeMs) + Number(latencyMs);
  if (!(endMs > nowMs - COUNTED_MS)) return { position, tags, mark: undefined };
  const [, shard = '0'] = /#(\d{1,4})$/.exec(position.pk) ?? [];
  const entry = {
    organizationId: String(organizationId),
    neuronId: String(neuronId),
    executionId: String(executionId),
    timeMs: Number(timeMs),
    latencyMs: Number(latencyMs),
    logShard: Number(shard),
  };
  return { position, tags, mark: markKeyOf(entry) };
}

/** Everything beside the log, as it is read, without rows of tags that others used as well. */
export async function* listItems(
  person: Person,
  data: Pick<PersonalData, 'usage' | 'answers' | 'counters'>,
  runs: PersonalRuns,
  requests: TagRequests,
): AsyncGenerator<PersonalItem> {
  yield* data.answers(runs);
  yield* data.counters(runs);
  for await (const item of data.usage(person)) if (isOfPersonAlone(item, requests)) yield item;
}
