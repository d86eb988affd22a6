// Compares a stored table with the template: what to change, and what no table can become.

import type { EngineFeatures } from './engine.ts';
import type {
  IndexDefinition,
  KeyElement,
  TableDefinition,
  VectorIndexDefinition,
} from './table-definition.ts';

/** The members of DescribeTable's answer that count here. */
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

/** One call that brings the table nearer to the template. */
export interface TableChange {
  /** For people. */
  readonly text: string;
  readonly operation: 'UpdateTable' | 'UpdateTimeToLive';
  readonly input: Readonly<Record<string, unknown>>;
}

/** What to do with a stored table. With refusals nothing is done. */
interface TablePlan {
  readonly changes: readonly TableChange[];
  readonly refusals: readonly string[];
}

/** Plans the changes from the stored table to the template's. */
export function planTable(wanted: TableDefinition, stored: StoredTable, features: EngineFeatures): TablePlan {
  const refusals = [...refuseKeys(wanted, stored)];
  const changes: TableChange[] = [];
  const update = (text: string, input: Readonly<Record<string, unknown>>) =>
    changes.push({ text, operation: 'UpdateTable', input });
  planIndexes(wanted, stored, update, refusals);
  if (changes.length > 0 && !features.indexUpdates)
    refusals.push('its indexes have changed, which this engine cannot do to an existing table');
  if (features.vectorIndexes) planVectorIndexes(wanted, stored, update, refusals);
  if (features.streams) planStream(wanted, stored, update);
  if (
    features.deletionProtection &&
    wanted.deletionProtection !== (stored.DeletionProtectionEnabled ?? false)
  ) {
    const on = wanted.deletionProtection;
    update(`deletion protection ${on ? 'on' : 'off'}`, { DeletionProtectionEnabled: on });
  }
  if (features.timeToLive) changes.push(...planTimeToLive(wanted, stored));
  return { changes, refusals };
}

/** The attribute definitions for the engine: DynamoDB refuses one that no key uses. */
export function usedAttributes(
  wanted: TableDefinition,
  features: Pick<EngineFeatures, 'vectorIndexes'>,
): TableDefinition['attributes'] {
  if (features.vectorIndexes) return wanted.attributes;
  const keys = [wanted, ...wanted.globalIndexes, ...wanted.localIndexes].flatMap((entry) =>
    'keySchema' in entry ? entry.keySchema : entry.KeySchema,
  );
  return wanted.attributes.filter(({ AttributeName: name }) =>
    keys.some((key) => key.AttributeName === name),
  );
}

type Update = (text: string, input: Readonly<Record<string, unknown>>) => void;

function* refuseKeys(wanted: TableDefinition, stored: StoredTable): Generator<string> {
  if (
    !isSame(
      typedKey(wanted.keySchema, wanted.attributes),
      typedKey(stored.KeySchema, stored.AttributeDefinitions),
    )
  )
    yield 'its key has changed';
  if (!isSame(byName(wanted.localIndexes), byName(stored.LocalSecondaryIndexes ?? [])))
    yield 'its local secondary indexes have changed';
}

function planIndexes(wanted: TableDefinition, stored: StoredTable, update: Update, refusals: string[]): void {
  const existing = stored.GlobalSecondaryIndexes ?? [];
  for (const { IndexName } of existing) {
    if (wanted.globalIndexes.some((index) => index.IndexName === IndexName)) continue;
    update(`index ${IndexName} removed`, { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });
  }
  for (const index of wanted.globalIndexes) {
    const now = existing.find(({ IndexName }) => IndexName === index.IndexName);
    if (now === undefined) {
      update(`index ${index.IndexName} added`, { GlobalSecondaryIndexUpdates: [{ Create: index }] });
    } else if (
      !isSame(comparable(index), comparable(now)) ||
      !isSame(
        typedKey(index.KeySchema, wanted.attributes),
        typedKey(now.KeySchema, stored.AttributeDefinitions),
      )
    ) {
      // CloudFormation refuses it as well.
      refusals.push(
        `the index ${index.IndexName} has another key or projection; give the new one another name`,
      );
    }
  }
}

function planVectorIndexes(
  wanted: TableDefinition,
  stored: StoredTable,
  update: Update,
  refusals: string[],
): void {
  const existing = stored.VectorIndexes ?? [];
  for (const { IndexName } of existing) {
    if (wanted.vectorIndexes.some((index) => index.IndexName === IndexName)) continue;
    update(`vector index ${IndexName} removed`, { VectorIndexUpdates: [{ Delete: { IndexName } }] });
  }
  for (const index of wanted.vectorIndexes) {
    const now = existing.find(({ IndexName }) => IndexName === index.IndexName);
    if (now === undefined) {
      update(`vector index ${index.IndexName} added`, { VectorIndexUpdates: [{ Create: index }] });
    } else if (Object.entries(index).some(([member, value]) => !isSame(value, now[member]))) {
      refusals.push(`the vector index ${index.IndexName} has changed; give the new one another name`);
    }
  }
}

// DynamoDB takes no other view type while a stream is on.
function planStream(wanted: TableDefinition, stored: StoredTable, update: Update): void {
  const now = stored.StreamSpecification?.StreamEnabled
    ? stored.StreamSpecification.StreamViewType
    : undefined;
  if (now === wanted.streamViewType) return;
  if (now !== undefined) update('stream off', { StreamSpecification: { StreamEnabled: false } });
  if (wanted.streamViewType === undefined) return;
  update(`stream on (${wanted.streamViewType})`, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: wanted.streamViewType },
  });
}

// Nor another attribute while the time to live is on.
function planTimeToLive(wanted: TableDefinition, stored: StoredTable): readonly TableChange[] {
  if (wanted.timeToLive === stored.timeToLive) return [];
  const switchTo = (AttributeName: string, Enabled: boolean): TableChange => ({
    text: `time to live ${Enabled ? 'on' : 'off'} (${AttributeName})`,
    operation: 'UpdateTimeToLive',
    input: { TimeToLiveSpecification: { AttributeName, Enabled } },
  });
  return [
    ...(stored.timeToLive === undefined ? [] : [switchTo(stored.timeToLive, false)]),
    ...(wanted.timeToLive === undefined ? [] : [switchTo(wanted.timeToLive, true)]),
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

// The order of projected attributes means nothing.
function comparable({ IndexName, KeySchema, Projection }: IndexDefinition) {
  const { ProjectionType, NonKeyAttributes = [] } = Projection;
  return { IndexName, KeySchema, ProjectionType, NonKeyAttributes: NonKeyAttributes.toSorted() };
}

function isSame(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

// Members in one order, and numbers as text: a template may hold either.
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(String(value));
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
