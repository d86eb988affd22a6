// Usage rows and marks as items of the usage table.
import { createHash } from 'node:crypto';
import {
  ITEM_MARK,
  USAGE_AMOUNTS,
  type UsageAmounts,
  type UsageMark,
  type UsageRow,
  type UsageSubject,
} from '../../core/ports/usage.ts';
import type { Item } from './client.ts';

/** An attribute for each day on which entries end: top level, since `ADD` makes no member of a map that is not there. */
const ENTRIES_END = 'entriesEnd#';

/** The rows of an organization's day. */
export function dayPartition(organizationId: string, day: string): string {
  return `ORG#${organizationId}#DAY#${day}`;
}

/** The key of a row. */
export function rowKeys({ organizationId, day, neuronId, subject }: UsageRow): { pk: string; sk: string } {
  return {
    pk: dayPartition(organizationId, day),
    sk: `${kindPrefix(subject.kind, neuronId)}${nameOf(subject)}`,
  };
}

/** The key of a group of marks: of entries, or of an item that is only sealed. */
export function groupKeys(group: UsageMark['group']): { pk: string; sk: string } {
  return { pk: group, sk: group.startsWith(ITEM_MARK) ? 'ITEM' : 'ENTRIES' };
}

/** An id as an item has it, in a set of binary values. */
export function toMarkId(id: UsageMark['id']): Uint8Array {
  return new Uint8Array(Buffer.from(id, 'base64url'));
}

/** The ids of such a set. */
export function fromMarkIds(ids: Iterable<Uint8Array>): ReadonlySet<UsageMark['id']> {
  return new Set(Array.from(ids, (id) => Buffer.from(id).toString('base64url')));
}

/** The shard that the partition of an entry in the log table ends with; 0 for any other, as of an item that was put by hand. */
export function logShardOf(pk: unknown): number {
  const [, shard = '0'] = /#(\d{1,4})$/.exec(String(pk)) ?? [];
  return Number(shard);
}

/** What is added to a row's item. Zeros are left out: `ADD` would make an attribute of each. */
export function addedAttributes({ amounts, entriesEnd }: UsageRow): Readonly<Record<string, number>> {
  const ends = Object.entries(entriesEnd).map(([day, count]) => [`${ENTRIES_END}${day}`, count]);
  const added: Record<string, number> = Object.fromEntries([...Object.entries(amounts), ...ends]);
  return Object.fromEntries(Object.entries(added).filter(([, amount]) => amount !== 0));
}

/** What a row's item says beside its amounts. The last one written stands. */
export function namingAttributes({ neuron, neuronId, subject, expiresAt }: UsageRow): Item {
  const { kind: _kind, ...names } = subject;
  return { neuron, neuronId, ...names, ...(expiresAt === undefined ? {} : { expiresAt }) };
}

/** Reads an item back. */
export function toUsageRow(item: Item, organizationId: string, day: string): UsageRow {
  const amounts = Object.fromEntries(USAGE_AMOUNTS.map((name) => [name, Number(item[name] ?? 0)]));
  const ends = Object.entries(item).filter(([name]) => name.startsWith(ENTRIES_END));
  return {
    organizationId,
    day,
    neuronId: String(item['neuronId']),
    neuron: String(item['neuron']),
    subject: subjectOf(item),
    amounts: amounts as UsageAmounts,
    entriesEnd: Object.fromEntries(
      ends.map(([name, count]) => [name.slice(ENTRIES_END.length), Number(count)]),
    ),
    expiresAt: item['expiresAt'] === undefined ? undefined : Number(item['expiresAt']),
  };
}

function subjectOf(item: Item): UsageSubject {
  if (item['username'] !== undefined) return { kind: 'user', username: String(item['username']) };
  if (item['keyId'] !== undefined) return { kind: 'key', keyId: String(item['keyId']) };
  if (item['model'] === undefined) return { kind: 'neuron' };
  return { kind: 'model', provider: String(item['provider']), model: String(item['model']) };
}

function kindPrefix(kind: UsageSubject['kind'], neuronId: string): string {
  return `${kind.toUpperCase()}#${neuronId}#`;
}

/** A username may take 1,024 bytes, which is all that a sort key may take (amazondynamodb/latest/developerguide/Constraints.html). */
function nameOf(subject: UsageSubject): string {
  if (subject.kind === 'model') return `${subject.provider}/${subject.model}`;
  if (subject.kind === 'key') return subject.keyId;
  return subject.kind === 'user' ? createHash('sha256').update(subject.username).digest('base64url') : '';
}
