// Usage rows and marks as items of the usage table.
import { createHash } from 'node:crypto';
import { SLOTS_PARTITION } from '../../core/contract/tables.ts';
import {
  ITEM_MARK,
  USAGE_AMOUNTS,
  type UsageAmounts,
  type UsageMark,
  type UsageRow,
  type UsageSubject,
} from '../../core/ports/usage.ts';
import { toIso } from '../../core/time/iso.ts';
import type { Item } from './client.ts';

/** Begins an attribute for each day on which entries expire. They are at top level, since `ADD` cannot make a map. */
const ENTRIES_END = 'entriesEnd#';
/** Runs by a bucket of latency or cost; of an organization, requests by what guards and rollouts did to them. */
const BUCKET = /^(?:(?:latency|cost)#\d+$|rating#|guard#|rollout#)/;

export function dayPartition(organizationId: string, day: string): string {
  return `ORG#${organizationId}#DAY#${day}`;
}

/** Partitions of a day's rows of organizations: a day of one partition has 1,000 write units a second. Never to be fewer. */
export const ORGANIZATION_SHARDS = 16;

/** The partition of a day's rows of some organizations. */
export function organizationsPartition(day: string, shard: number): string {
  return `SERVICE#DAY#${day}#${shard}`;
}

function shardOf(organizationId: string): number {
  return (createHash('sha256').update(organizationId).digest()[0] ?? 0) % ORGANIZATION_SHARDS;
}

export function rowKeys({ organizationId, day, neuronId, subject }: UsageRow): { pk: string; sk: string } {
  if (subject.kind === 'organization')
    return { pk: organizationsPartition(day, shardOf(organizationId)), sk: `ORG#${organizationId}` };
  return {
    pk: subject.kind === 'slot' ? SLOTS_PARTITION : dayPartition(organizationId, day),
    sk:
      subject.kind === 'slot' ? slotKey(subject) : `${kindPrefix(subject.kind, neuronId)}${nameOf(subject)}`,
  };
}

/** By time, since whoever watches rollouts reads what is new. */
function slotKey({ slot, rollout, arm }: UsageSubject & { kind: 'slot' }): string {
  return `${slot}#${rollout}#${arm}`;
}

/** The key of a group of marks: of entries, or of an item that is only sealed. */
export function groupKeys(group: UsageMark['group']): { pk: string; sk: string } {
  return { pk: group, sk: group.startsWith(ITEM_MARK) ? 'ITEM' : 'ENTRIES' };
}

/** An id as an element of a binary set. */
export function toMarkId(id: UsageMark['id']): Uint8Array {
  return new Uint8Array(Buffer.from(id, 'base64url'));
}

/** Reads such a set back. */
export function fromMarkIds(ids: Iterable<Uint8Array>): ReadonlySet<UsageMark['id']> {
  return new Set(Array.from(ids, (id) => Buffer.from(id).toString('base64url')));
}

/** The shard at the end of a partition of the log table; 0 where there is none, as in an item that was put by hand. */
export function logShardOf(pk: unknown): number {
  const [, shard = '0'] = /#(\d{1,4})$/.exec(String(pk)) ?? [];
  return Number(shard);
}

/** Amounts to add to a row's item, without zeros, of which `ADD` would make attributes. */
export function addedAttributes({
  amounts,
  entriesEnd,
  buckets = {},
}: UsageRow): Readonly<Record<string, number>> {
  const ends = Object.entries(entriesEnd).map(([day, count]) => [`${ENTRIES_END}${day}`, count]);
  const added: Record<string, number> = Object.fromEntries([
    ...Object.entries(amounts),
    ...Object.entries(buckets),
    ...ends,
  ]);
  return Object.fromEntries(Object.entries(added).filter(([, amount]) => amount !== 0));
}

/** Attributes of a row's item beside its amounts; the last write wins. */
export function namingAttributes({ neuron, neuronId, subject, expiresAt }: UsageRow): Item {
  if (subject.kind === 'organization') return { slug: subject.slug };
  const { kind: _kind, ...names } = subject;
  return { neuron, neuronId, ...names, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** A row of an organization, whose id is in its sort key. */
export function toOrganizationRow(item: Item, day: string): UsageRow {
  return toUsageRow(item, String(item['sk']).slice('ORG#'.length), day);
}

export function toUsageRow(item: Item, organizationId: string, day: string): UsageRow {
  const amounts: Partial<Record<keyof UsageAmounts, number>> = {};
  for (const name of USAGE_AMOUNTS) amounts[name] = Number(item[name] ?? 0);
  // Names with a `#` alone: the list of all organizations reads thousands of rows.
  const counts = Object.entries(item).filter(([name]) => name.includes('#'));
  const ends = counts.filter(([name]) => name.startsWith(ENTRIES_END));
  const buckets = counts.filter(([name]) => BUCKET.test(name));
  return {
    organizationId,
    day,
    neuronId: String(item['neuronId'] ?? ''),
    neuron: String(item['neuron'] ?? ''),
    subject: subjectOf(item),
    amounts: amounts as UsageAmounts,
    ...(buckets.length === 0
      ? {}
      : { buckets: Object.fromEntries(buckets.map(([name, count]) => [name, Number(count)])) }),
    entriesEnd: Object.fromEntries(
      ends.map(([name, count]) => [name.slice(ENTRIES_END.length), Number(count)]),
    ),
    expiresAt: item['expiresAt'] === undefined ? undefined : Number(item['expiresAt']),
  };
}

function subjectOf(item: Item): UsageSubject {
  if (item['username'] !== undefined) return { kind: 'user', username: String(item['username']) };
  if (item['slug'] !== undefined) return { kind: 'organization', slug: String(item['slug']) };
  if (item['keyId'] !== undefined) return { kind: 'key', keyId: String(item['keyId']) };
  if (item['tag'] !== undefined)
    return { kind: 'tag', tag: String(item['tag']), value: String(item['value']) };
  if (item['metric'] !== undefined)
    return { kind: 'feedback', metric: String(item['metric']), version: String(item['version']) };
  if (item['slot'] !== undefined)
    return {
      kind: 'slot',
      rollout: String(item['rollout']),
      arm: readArm(item),
      slot: String(item['slot']),
      organization: String(item['organization']),
    };
  if (item['rollout'] !== undefined)
    return {
      kind: 'arm',
      rollout: String(item['rollout']),
      arm: readArm(item),
      version: String(item['version']),
    };
  if (item['shadow'] !== undefined)
    return { kind: 'shadow', shadow: String(item['shadow']), version: String(item['version']) };
  if (item['branch'] !== undefined)
    return { kind: 'branch', version: String(item['version']), branch: String(item['branch']) };
  if (item['version'] !== undefined) return { kind: 'version', version: String(item['version']) };
  if (item['model'] === undefined) return { kind: 'neuron' };
  return { kind: 'model', provider: String(item['provider']), model: String(item['model']) };
}

function readArm({ arm }: Item): 'control' | 'candidate' {
  return arm === 'candidate' ? 'candidate' : 'control';
}

function kindPrefix(kind: UsageSubject['kind'], neuronId: string): string {
  return `${kind.toUpperCase()}#${neuronId}#`;
}

/** Usernames are hashed: they may have 1,024 bytes, as many as a whole sort key (amazondynamodb/latest/developerguide/Constraints.html). */
function nameOf(subject: Exclude<UsageSubject, { kind: 'organization' }>): string {
  if (subject.kind === 'model') return `${subject.provider}/${subject.model}`;
  if (subject.kind === 'key') return subject.keyId;
  if (subject.kind === 'feedback') return `${subject.metric}/${subject.version}`;
  if (subject.kind === 'version') return subject.version;
  if (subject.kind === 'shadow') return subject.shadow;
  if (subject.kind === 'branch') return `${subject.version}/${subject.branch}`;
  if (subject.kind === 'arm') return `${subject.rollout}/${subject.arm}`;
  // A name has no `=`.
  if (subject.kind === 'tag') return `${subject.tag}=${subject.value}`;
  return subject.kind === 'user' ? createHash('sha256').update(subject.username).digest('base64url') : '';
}

const DAY_MS = 86_400_000;

/** Every day (UTC) from one to another, both inclusive; none when the first comes after the last. */
export function daysBetween(fromDay: string, toDay: string): readonly string[] {
  const first = Date.parse(fromDay);
  const count = Math.max(0, Math.round((Date.parse(toDay) - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => toIso(first + index * DAY_MS).slice(0, 10));
}
