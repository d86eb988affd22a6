// Tables as such, for `neuron restore`: describes and reads them, copies items exactly, and turns on what DynamoDB does not restore.
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  GetItemCommand,
  type KeySchemaElement,
  PutItemCommand,
  paginateScan,
  ResourceNotFoundException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { KeySchema } from '../../core/contract/tables.ts';
import type { CopiedItem, TableAdmin, TableFeature, TableState } from '../../core/ports/restoration.ts';
import type { UsageMark } from '../../core/ports/usage.ts';
import { toPlacedEntry } from './log-stream.ts';
import { toStoredRecord } from './seals/stored-record.ts';
import { groupKeys, toMarkId } from './usage-items.ts';

type StoredItem = Record<string, AttributeValue>;

/** A change of a table takes seconds to minutes. */
const MAX_WAIT_SECONDS = 600;

export function createTableAdmin(client: DynamoDBClient): TableAdmin {
  return {
    async describe(table) {
      const description = await describeTable(client, table);
      return description === undefined ? undefined : toState(client, table, description);
    },
    async *scan(table) {
      for await (const { Items: items = [] } of paginateScan(
        { client },
        { TableName: table, ConsistentRead: true },
      ))
        yield items.map(toCopiedItem);
    },
    async find(table, pk, sk) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: table,
          Key: { pk: { S: pk }, ...(sk === undefined ? {} : { sk: { S: sk } }) },
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : toStoredRecord(Item);
    },
    async putNew(table, { raw }) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: raw as StoredItem,
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
    async addMarks(usageTable, marks) {
      for (const mark of marks) await addMark(client, usageTable, mark);
    },
    async turnOn(table, features, timeToLive) {
      for (const feature of features) {
        await turnOn(client, table, feature, timeToLive);
        await waitUntilTableExists(
          { client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 1 },
          { TableName: table },
        );
      }
    },
  };
}

/** Undefined where there is no such table. */
async function describeTable(client: DynamoDBClient, table: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: table }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function toState(
  client: DynamoDBClient,
  table: string,
  { TableArn, TableStatus, KeySchema: schema, RestoreSummary, ...description }: TableDescription,
): Promise<TableState> {
  const { LatestStreamArn, StreamSpecification, DeletionProtectionEnabled } = description;
  const hasStream = StreamSpecification?.StreamEnabled === true;
  return {
    name: table,
    arn: TableArn ?? '',
    isActive: TableStatus === 'ACTIVE' && RestoreSummary?.RestoreInProgress !== true,
    key: toKey(schema ?? [], description.AttributeDefinitions ?? []),
    restoredFrom: RestoreSummary?.SourceTableArn,
    streamArn: hasStream ? LatestStreamArn : undefined,
    features: {
      timeToLive: await hasTimeToLive(client, table),
      stream: hasStream,
      pointInTimeRecovery: await hasPointInTimeRecovery(client, table),
      deletionProtection: DeletionProtectionEnabled === true,
    },
  };
}

function toKey(
  schema: readonly KeySchemaElement[],
  attributes: NonNullable<TableDescription['AttributeDefinitions']>,
): KeySchema | undefined {
  const nameOf = (type: 'HASH' | 'RANGE') => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const [partition, sort] = [nameOf('HASH'), nameOf('RANGE')];
  const isText = (name: string) =>
    attributes.some(({ AttributeName, AttributeType }) => AttributeName === name && AttributeType === 'S');
  if (partition === undefined || !isText(partition)) return undefined;
  if (sort === undefined) return { partition };
  return isText(sort) ? { partition, sort } : undefined;
}

async function hasTimeToLive(client: DynamoDBClient, table: string): Promise<boolean> {
  const { TimeToLiveDescription: { TimeToLiveStatus: status } = {} } = await client.send(
    new DescribeTimeToLiveCommand({ TableName: table }),
  );
  return status === 'ENABLED' || status === 'ENABLING';
}

/** Undefined where the store has no backups at all. */
async function hasPointInTimeRecovery(client: DynamoDBClient, table: string): Promise<boolean | undefined> {
  try {
    const { ContinuousBackupsDescription: backups } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName: table }),
    );
    return backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED';
  } catch (error) {
    if (error instanceof Error && error.name === 'UnknownOperationException') return undefined;
    throw error;
  }
}

function toCopiedItem(item: StoredItem): CopiedItem {
  // The stream's types have bytes as text; no attribute that is counted has bytes.
  const image = item as Parameters<typeof toPlacedEntry>[0];
  return { record: toStoredRecord(item), entry: toPlacedEntry(image), raw: item };
}

/** As the rollup function writes it, without the condition that it is new. */
async function addMark(
  client: DynamoDBClient,
  table: string,
  { group, id, expiresAt }: UsageMark,
): Promise<void> {
  const { pk, sk } = groupKeys(group);
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: 'SET expiresAt = :expiresAt ADD ids :ids',
      ExpressionAttributeValues: {
        ':expiresAt': { N: String(expiresAt) },
        ':ids': { BS: [toMarkId(id)] },
      },
    }),
  );
}

async function turnOn(
  client: DynamoDBClient,
  TableName: string,
  feature: TableFeature,
  timeToLive: string | undefined,
): Promise<void> {
  switch (feature) {
    case 'timeToLive':
      await client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { Enabled: true, AttributeName: timeToLive },
        }),
      );
      return;
    case 'stream':
      await client.send(
        new UpdateTableCommand({
          TableName,
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
        }),
      );
      return;
    case 'pointInTimeRecovery':
      await client.send(
        new UpdateContinuousBackupsCommand({
          TableName,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      );
      return;
    case 'deletionProtection':
      await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  }
}
