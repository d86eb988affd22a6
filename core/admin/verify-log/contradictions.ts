// Compares the keys of a stored item with its attributes: lists find an item by the ones and show the others.
import { isChangeId } from '../../contract/change-entry.ts';
import { CHANGES_PARTITION, OUTCOME_SUFFIX } from '../../contract/tables.ts';
import { BUCKET, isChangeKey, nameOfKey } from '../../logs/seals/sealed-entry.ts';
import type { Json, StoredRecord } from '../../ports/seals.ts';
import { toIso } from '../../time/iso.ts';

/** The latest time of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;
/** The longest retention, 365 days, with a day to spare. */
const MAX_RETENTION_S = 366 * 86_400;

/** No attribute is this array. */
const NOTHING: Json = [];

/** Pairs of an attribute and what it must be, given the others. */
type Expectation = readonly [name: string, expected: Json | undefined];

/** The attributes that contradict the item's keys, or are missing, in the order of the keys; empty for an item that agrees with itself. */
export function findContradictions(record: StoredRecord): readonly string[] {
  const expectations = isChangeKey(record['pk']) ? expectChange(record) : expectCall(record);
  const differing = expectations.filter(([name, expected]) => record[name] !== expected);
  const names = differing.map(([name]) => name);
  return [...new Set([...names, ...(isRetained(record) ? [] : ['expiresAt'])])];
}

/** The keys tell time, id, hour, neuron and organization; the other index keys follow from outcome and username. */
function expectCall(record: StoredRecord): readonly Expectation[] {
  const { pk, organizationHour, outcome, username } = record;
  const { time, id } = nameOfKey(String(record['sk']));
  const timeMs = timeOf(Date.parse(time)) === time ? Date.parse(time) : undefined;
  const [, neuronId, hour, shard] = BUCKET.exec(String(pk)) ?? [];
  const bucket = BUCKET.exec(String(organizationHour)) ?? [];
  const isFailure = outcome === 'failed' || outcome === 'refused';
  const isUser = username !== undefined;
  return [
    ...demand('pk', pk, hour === time.slice(0, 13)),
    ...demand('sk', record['sk'], timeMs !== undefined),
    ...demand('organizationHour', organizationHour, bucket[2] === hour && bucket[3] === shard),
    ...demand('username', username, !isUser || typeof username === 'string'),
    ['neuronId', neuronId ?? NOTHING],
    ['organizationId', bucket[1] ?? NOTHING],
    ['executionId', id],
    ['timeMs', timeMs ?? NOTHING],
    ['failureHour', isFailure ? organizationHour : undefined],
    ['usernameHour', isUser ? `${String(organizationHour)}#${String(username)}` : undefined],
  ];
}

/** A change's key follows from organization, time and id; its outcome has the same key with a suffix, and neither time nor id. */
function expectChange(record: StoredRecord): readonly Expectation[] {
  const { pk, sk, timeMs, id, organization, organizationId } = record;
  const isOfService = pk === CHANGES_PARTITION;
  const owner: readonly Expectation[] = isOfService
    ? [['organizationId', undefined]]
    : demand('organizationId', organizationId, typeof organizationId === 'string');
  if (String(sk).endsWith(OUTCOME_SUFFIX)) {
    const [keyTime = '', keyId = ''] = String(sk).slice(0, -OUTCOME_SUFFIX.length).split('#');
    return [...owner, ...demand('sk', sk, timeOf(Date.parse(keyTime)) === keyTime && isIdOf(keyId, keyTime))];
  }
  const time = timeOf(timeMs);
  return [
    ...owner,
    ...demand('timeMs', timeMs, time !== undefined),
    ...demand('id', id, typeof id === 'string' && time !== undefined && isIdOf(id, time)),
    ['pk', organization === undefined ? CHANGES_PARTITION : `${CHANGES_PARTITION}#${String(organization)}`],
    ['sk', time === undefined ? undefined : `${time}#${String(id)}`],
  ];
}

/** The id of a change names its time, by which a command finds it. */
function isIdOf(id: string, time: string): boolean {
  return isChangeId(id) && Number.parseInt(id.split('-')[1] ?? '', 36) === Date.parse(time);
}

/** No expectation where the attribute is right; otherwise one that its value does not meet. */
function demand(name: string, value: Json | undefined, isRight: boolean): readonly Expectation[] {
  return isRight ? [] : [[name, value === undefined ? NOTHING : undefined]];
}

/** The time in a key; undefined for what is no time. */
function timeOf(timeMs: Json | undefined): string | undefined {
  const isTime = Number.isSafeInteger(timeMs) && Math.abs(Number(timeMs)) <= MAX_TIME_MS;
  return isTime ? toIso(Number(timeMs)) : undefined;
}

/** True for an end of retention that the service gives. Lists leave out an item whose end has passed, which may be its beginning. */
export function isRetained({ sk, expiresAt }: StoredRecord): boolean {
  const startS = Math.floor(Date.parse(String(sk).split('#')[0] ?? '') / 1000);
  if (Number.isNaN(startS)) return true;
  return typeof expiresAt === 'number' && expiresAt >= startS && expiresAt <= startS + MAX_RETENTION_S;
}
