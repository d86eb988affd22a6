// Creates the template's tables in the engine, and updates those of earlier runs.

import { setTimeout as sleep } from 'node:timers/promises';
import { localFailure } from '../failure.ts';
import type { CallDynamoDb, DynamoDbError } from './call.ts';
import type { EngineFeatures } from './engine.ts';
import type { TableDefinition } from './table-definition.ts';
import { planTable, type StoredTable, type TableChange, usedAttributes } from './table-plan.ts';

interface TablesSettings {
  readonly call: CallDynamoDb;
  readonly features: EngineFeatures;
  /** Receives lines about changes and missing features. */
  readonly log: (line: string) => void;
  /** Receives lines about created tables. */
  readonly detail: (line: string) => void;
}

const CHANGE_TIMEOUT_MS = 60_000;

/**
 * Creates and updates tables. If one of them cannot be changed, none is. A table that left the template is kept, with its data.
 * @throws LocalFailure `TABLE_NOT_CHANGEABLE`
 */
export async function applyTables(
  tables: readonly TableDefinition[],
  settings: TablesSettings,
): Promise<void> {
  const stored = await Promise.all(tables.map((table) => describe(table.name, settings)));
  const plans = tables.map((table, index) => {
    const now = stored[index];
    return now === undefined ? undefined : planTable(table, now, settings.features);
  });
  const problems = plans.flatMap((plan, index) =>
    (plan?.problems ?? []).map((problem) => `${tables[index]?.name}: ${problem}`),
  );
  if (problems.length > 0) {
    throw localFailure(
      'TABLE_NOT_CHANGEABLE',
      `Stored tables cannot be changed into what the template says:\n  ${problems.join('\n  ')}\nChange it back, give the table another name, or start with another data folder.`,
    );
  }
  await Promise.all(
    tables.map((table, index) => {
      const changes = plans[index]?.changes;
      return changes === undefined ? create(table, settings) : change(table, changes, settings);
    }),
  );
  noticeMissingFeatures(tables, settings);
}

async function describe(name: string, { call, features }: TablesSettings): Promise<StoredTable | undefined> {
  try {
    const { Table } = await call<{ Table: StoredTable }>('DescribeTable', { TableName: name });
    return features.timeToLive ? { ...Table, timeToLive: await describeTimeToLive(name, call) } : Table;
  } catch (error) {
    if ((error as DynamoDbError).code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function describeTimeToLive(name: string, call: CallDynamoDb): Promise<string | undefined> {
  const { TimeToLiveDescription: found } = await call<{
    TimeToLiveDescription?: { TimeToLiveStatus?: string; AttributeName?: string };
  }>('DescribeTimeToLive', { TableName: name });
  return found?.TimeToLiveStatus?.startsWith('ENABL') ? found.AttributeName : undefined;
}

async function create(table: TableDefinition, { call, features, detail }: TablesSettings): Promise<void> {
  const { globalIndexes, localIndexes, vectorIndexes, streamViewType, deletionProtection } = table;
  const hasStream = streamViewType !== undefined && features.streams;
  await call('CreateTable', {
    TableName: table.name,
    KeySchema: table.keySchema,
    AttributeDefinitions: usedAttributes(table, features),
    BillingMode: 'PAY_PER_REQUEST',
    ...(features.deletionProtection ? { DeletionProtectionEnabled: deletionProtection } : {}),
    ...unlessEmpty('GlobalSecondaryIndexes', globalIndexes),
    ...unlessEmpty('LocalSecondaryIndexes', localIndexes),
    ...(features.vectorIndexes ? unlessEmpty('VectorIndexes', vectorIndexes) : {}),
    ...(hasStream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: streamViewType } } : {}),
  });
  await waitUntilActive(table.name, call);
  if (table.timeToLive !== undefined && features.timeToLive) {
    const TimeToLiveSpecification = { AttributeName: table.timeToLive, Enabled: true };
    await call('UpdateTimeToLive', { TableName: table.name, TimeToLiveSpecification });
  }
  detail(`table ${table.name} created`);
}

function unlessEmpty(member: string, list: readonly unknown[]): Readonly<Record<string, unknown>> {
  return list.length === 0 ? {} : { [member]: list };
}

async function change(
  table: TableDefinition,
  changes: readonly TableChange[],
  { call, features, log }: TablesSettings,
): Promise<void> {
  for (const { text, operation, input } of changes) {
    const attributes =
      operation === 'UpdateTable' ? { AttributeDefinitions: usedAttributes(table, features) } : {};
    await call(operation, { TableName: table.name, ...attributes, ...input });
    await waitUntilActive(table.name, call);
    log(`table ${table.name}: ${text}`);
  }
}

async function waitUntilActive(name: string, call: CallDynamoDb): Promise<void> {
  const endMs = Date.now() + CHANGE_TIMEOUT_MS;
  for (;;) {
    const { Table } = await call<{ Table: TableStatus }>('DescribeTable', { TableName: name });
    const { TableStatus, GlobalSecondaryIndexes = [], VectorIndexes = [] } = Table;
    const indexes = [...GlobalSecondaryIndexes, ...VectorIndexes];
    const isReady =
      TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus }) => (IndexStatus ?? 'ACTIVE') === 'ACTIVE');
    if (isReady) return;
    if (Date.now() > endMs) throw localFailure('ENGINE_FAILED', `The table ${name} did not become active.`);
    await sleep(10);
  }
}

interface TableStatus {
  readonly TableStatus?: string;
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexStatus?: string }[];
  readonly VectorIndexes?: readonly { readonly IndexStatus?: string }[];
}

function noticeMissingFeatures(tables: readonly TableDefinition[], { features, log }: TablesSettings): void {
  for (const { name, vectorIndexes, streamViewType } of tables) {
    if (vectorIndexes.length > 0 && !features.vectorIndexes)
      log(`table ${name}: no vector index, the engine has none: searches by vector (semantic caching) fail`);
    if (streamViewType !== undefined && !features.streams)
      log(`table ${name}: no stream, the engine has none: functions are not called for its changes`);
  }
}
