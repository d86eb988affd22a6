// Adds up usage rows of the same organization, day, neuron and subject.
import { USAGE_AMOUNTS, type UsageAmounts, type UsageRow, type UsageSubject } from '../ports/usage.ts';

/** One row for each subject, in order of first occurrence. The neuron's slug is that of the latest row. */
export function mergeRows(rows: Iterable<UsageRow>): readonly UsageRow[] {
  const merged = new Map<string, UsageRow>();
  for (const row of rows) {
    const key = rowKey(row);
    const previous = merged.get(key);
    merged.set(key, previous === undefined ? row : addRows(previous, row));
  }
  return [...merged.values()];
}

/** Equal for rows of the same organization, day, neuron and subject, and for no others. */
export function rowKey({ organizationId, day, neuronId, subject }: UsageRow): string {
  return JSON.stringify([organizationId, day, neuronId, ...subjectParts(subject)]);
}

function addAmounts(a: UsageAmounts, b: UsageAmounts): UsageAmounts {
  return Object.fromEntries(USAGE_AMOUNTS.map((name) => [name, a[name] + b[name]])) as UsageAmounts;
}

function subjectParts(subject: UsageSubject): readonly string[] {
  switch (subject.kind) {
    case 'neuron':
      return ['neuron'];
    case 'model':
      return ['model', subject.provider, subject.model];
    case 'user':
      return ['user', subject.username];
    case 'key':
      return ['key', subject.keyId];
    case 'tag':
      return ['tag', subject.tag, subject.value];
    case 'arm':
      return ['arm', subject.rollout, subject.arm];
    case 'slot':
      return ['slot', subject.rollout, subject.arm, subject.slot];
    case 'shadow':
      return ['shadow', subject.shadow];
    case 'version':
      return ['version', subject.version];
    case 'branch':
      return ['branch', subject.version, subject.branch];
    case 'feedback':
      return ['feedback', subject.metric, subject.version];
    case 'organization':
      return ['organization'];
  }
}

/** The names of the later row `b`. */
export function addRows(a: UsageRow, b: UsageRow): UsageRow {
  const expiresAt =
    a.expiresAt === undefined || b.expiresAt === undefined ? b.expiresAt : Math.max(a.expiresAt, b.expiresAt);
  return { ...b, amounts: addAmounts(a.amounts, b.amounts), ...addCounts(a, b), expiresAt };
}

function addCounts(a: UsageRow, b: UsageRow): Pick<UsageRow, 'entriesEnd' | 'buckets'> {
  const entriesEnd = addByName(a.entriesEnd, b.entriesEnd);
  if (a.buckets === undefined && b.buckets === undefined) return { entriesEnd };
  return { entriesEnd, buckets: addByName(a.buckets ?? {}, b.buckets ?? {}) };
}

type Counts = Readonly<Record<string, number>>;

export function addByName(a: Counts, b: Counts): Counts {
  const sums = { ...a };
  for (const [name, count] of Object.entries(b)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
