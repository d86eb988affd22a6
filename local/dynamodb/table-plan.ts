// Compares a stored table with the template: the changes, and what cannot be changed.

import type { EngineFeatures } from './engine.ts';
import type {
  IndexDefinition,
  KeyElement,
  TableDefinition,
  VectorIndexDefinition,
} from './table-definition.ts';

/** Members of DescribeTable's answer. */
export interface StoredTable {
  readonly KeySchema: readonly KeyElement[];
  readonly AttributeDefinitions?: TableDefinition['attributes'];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
  readonly LocalSecondaryIndexes?: readonly IndexDefinition[];
  readonly VectorIndexes?: readonly VectorIndexDefinition[];
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
  readonly DeletionProtectionEnabled?: boolean;
  /** From DescribeTimeToLive. */
  readonly timeToLive?: string | undefined;
}

export interface TableChange {
  readonly text: string;
  readonly operation: 'UpdateTable' | 'UpdateTimeToLive';
  readonly input: Readonly<Record<string, unknown>>;
}

/** With problems, no change may be made. */
interface TablePlan {
  readonly changes: readonly TableChange[];
  readonly problems: readonly string[];
}

type Update = (text: string, input: Readonly<Record<string, unknown>>) => void;

export function planTable(target: TableDefinition, stored: StoredTable, features: EngineFeatures): TablePlan {
  const problems = findChangedKeys(target, stored);
  const changes: TableChange[] = [];
  const update: Update = (text, input) => changes.push({ text, operation: 'UpdateTable', input });
  const isSameIndex = (index: IndexDefinition, existing: IndexDefinition) =>
    isSame(comparable(index), comparable(existing)) &&
    isSame(
      typedKey(index.KeySchema, target.attributes),
      typedKey(existing.KeySchema, stored.AttributeDefinitions),
    );
  planIndexes(
    GLOBAL_INDEX,
    target.globalIndexes,
    stored.GlobalSecondaryIndexes,
    isSameIndex,
    update,
    problems,
  );
  if (changes.length > 0 && !features.indexUpdates)
    problems.push('its indexes have changed, and this engine cannot change those of an existing table');
  if (features.vectorIndexes) {
    const isSameVectorIndex = (index: VectorIndexDefinition, existing: VectorIndexDefinition) =>
      Object.entries(index).every(([member, value]) => isSame(value, existing[member]));
    planIndexes(
      VECTOR_INDEX,
      target.vectorIndexes,
      stored.VectorIndexes,
      isSameVectorIndex,
      update,
      problems,
    );
  }
  if (features.streams) planStream(target, stored, update);
  const { deletionProtection } = target;
  if (features.deletionProtection && deletionProtection !== (stored.DeletionProtectionEnabled ?? false))
    update(`deletion protection ${deletionProtection ? 'on' : 'off'}`, {
      DeletionProtectionEnabled: deletionProtection,
    });
  if (features.timeToLive) changes.push(...planTimeToLive(target, stored));
  return { changes, problems };
}

/** The attribute definitions for the engine: DynamoDB rejects one that no key uses. */
export function usedAttributes(
  target: TableDefinition,
  features: Pick<EngineFeatures, 'vectorIndexes'>,
): TableDefinition['attributes'] {
  if (features.vectorIndexes) return target.attributes;
  const keys = [target, ...target.globalIndexes, ...target.localIndexes].flatMap((entry) =>
    'keySchema' in entry ? entry.keySchema : entry.KeySchema,
  );
  return target.attributes.filter(({ AttributeName: name }) =>
    keys.some((key) => key.AttributeName === name),
  );
}

function findChangedKeys(target: TableDefinition, stored: StoredTable): string[] {
  const problems: string[] = [];
  const key = typedKey(target.keySchema, target.attributes);
  if (!isSame(key, typedKey(stored.KeySchema, stored.AttributeDefinitions)))
    problems.push('its key has changed');
  if (!isSame(byName(target.localIndexes), byName(stored.LocalSecondaryIndexes ?? [])))
    problems.push('its local secondary indexes have changed');
  return problems;
}

const GLOBAL_INDEX = {
  label: 'index',
  member: 'GlobalSecondaryIndexUpdates',
  difference: 'has another key or projection',
};
const VECTOR_INDEX = { label: 'vector index', member: 'VectorIndexUpdates', difference: 'has changed' };

// Like CloudFormation, this changes no index, but creates and deletes them.
function planIndexes<I extends { readonly IndexName: string }>(
  { label, member, difference }: typeof GLOBAL_INDEX,
  target: readonly I[],
  stored: readonly I[] = [],
  isSameIndex: (index: I, existing: I) => boolean,
  update: Update,
  problems: string[],
): void {
  for (const { IndexName } of stored) {
    if (target.some((index) => index.IndexName === IndexName)) continue;
    update(`${label} ${IndexName} removed`, { [member]: [{ Delete: { IndexName } }] });
  }
  for (const index of target) {
    const { IndexName } = index;
    const existing = stored.find((other) => other.IndexName === IndexName);
    if (existing === undefined) update(`${label} ${IndexName} added`, { [member]: [{ Create: index }] });
    else if (!isSameIndex(index, existing))
      problems.push(`the ${label} ${IndexName} ${difference}; give the new one another name`);
  }
}

// The view type can be changed only while the stream is off.
function planStream(target: TableDefinition, stored: StoredTable, update: Update): void {
  const now = stored.StreamSpecification?.StreamEnabled
    ? stored.StreamSpecification.StreamViewType
    : undefined;
  if (now === target.streamViewType) return;
  if (now !== undefined) update('stream off', { StreamSpecification: { StreamEnabled: false } });
  if (target.streamViewType === undefined) return;
  update(`stream on (${target.streamViewType})`, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: target.streamViewType },
  });
}

// The attribute can be changed only while the time to live is off.
function planTimeToLive(target: TableDefinition, stored: StoredTable): readonly TableChange[] {
  if (target.timeToLive === stored.timeToLive) return [];
  const switchTo = (AttributeName: string, Enabled: boolean): TableChange => ({
    text: `time to live ${Enabled ? 'on' : 'off'} (${AttributeName})`,
    operation: 'UpdateTimeToLive',
    input: { TimeToLiveSpecification: { AttributeName, Enabled } },
  });
  return [
    ...(stored.timeToLive === undefined ? [] : [switchTo(stored.timeToLive, false)]),
    ...(target.timeToLive === undefined ? [] : [switchTo(target.timeToLive, true)]),
  ];
}

function typedKey(key: readonly KeyElement[], attributes: TableDefinition['attributes'] = []): unknown {
  return key
    .toSorted((a, b) => a.KeyType.localeCompare(b.KeyType))
    .map(({ AttributeName: name, KeyType }) => [
      KeyType,
      name,
      attributes.find((attribute) => attribute.AttributeName === name)?.AttributeType,
    ]);
}

function byName(indexes: readonly IndexDefinition[]): unknown {
  return indexes.map(comparable).toSorted((a, b) => a.IndexName.localeCompare(b.IndexName));
}

// The order of projected attributes has no meaning.
function comparable({ IndexName, KeySchema, Projection }: IndexDefinition) {
  const { ProjectionType, NonKeyAttributes = [] } = Projection;
  return { IndexName, KeySchema, ProjectionType, NonKeyAttributes: NonKeyAttributes.toSorted() };
}

function isSame(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

// Members in one order, and numbers as text, which a template may hold as well.
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(String(value));
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
