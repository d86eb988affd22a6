// Deletes expired items, since the engines do not.

import type { CallDynamoDb, DynamoDbError } from './call.ts';
import type { TableDefinition } from './table-definition.ts';

interface TtlSweep {
  /** Sweeps now; resolves with the number of deleted items. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

interface TtlSettings {
  readonly tables: readonly TableDefinition[];
  readonly call: CallDynamoDb;
  readonly intervalMs: number;
  /**
   * Items of one table that one sweep reads, so that a sweep costs the same however large a table is; the next one continues.
   * @default 2,000
   */
  readonly maxItems?: number;
  readonly log: (line: string) => void;
}

type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
/** By table: the key after which the next sweep continues; undefined for the start. */
type Positions = Map<string, Item | undefined>;

// DynamoDB Developer Guide, "Using time to live": a time more than five years ago is left alone.
const MAX_AGE_SECONDS = 5 * 365 * 24 * 3600;
/** For a page without a limit, dynoxide 1.2.1 reads the whole table, and every other call waits. */
const PAGE_ITEMS = 100;
const DEFAULT_MAX_ITEMS = 2_000;

/**
 * Sweeps all tables with a time to live, at every interval. Expired items of a large table are deleted some intervals later; DynamoDB
 * takes up to a few days.
 */
export function startTtlSweep(settings: TtlSettings): TtlSweep {
  const tables = settings.tables.filter(({ timeToLive }) => timeToLive !== undefined);
  let stopped = false;
  let running: Promise<number> = Promise.resolve(0);
  const positions: Positions = new Map();
  const sweep = async (): Promise<number> => {
    let count = 0;
    for (const table of tables) count += await sweepTable(table, positions, settings, () => stopped);
    return count;
  };
  const timer = setInterval(() => {
    running = running.then(sweep).catch((error: unknown) => {
      if (!stopped) settings.log(`expired items were not deleted: ${(error as Error).message}`);
      return 0;
    });
  }, settings.intervalMs);
  return {
    sweep,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

async function sweepTable(
  table: TableDefinition,
  positions: Positions,
  { call, maxItems = DEFAULT_MAX_ITEMS }: TtlSettings,
  isStopped: () => boolean,
): Promise<number> {
  const { name, timeToLive: attribute, keySchema } = table;
  const now = Math.floor(Date.now() / 1000);
  const keys = keySchema.map(({ AttributeName }) => AttributeName);
  let count = 0;
  let left = maxItems;
  do {
    const start = positions.get(name);
    const page = await call<{ Items?: readonly Item[]; LastEvaluatedKey?: Item }>('Scan', {
      TableName: name,
      Limit: PAGE_ITEMS,
      // A time that is not a number never expires.
      FilterExpression: 'attribute_type(#ttl, :number) AND #ttl BETWEEN :oldest AND :now',
      ProjectionExpression: [...keys.map((_key, index) => `#k${index}`), '#ttl'].join(),
      ExpressionAttributeNames: {
        '#ttl': attribute,
        ...Object.fromEntries(keys.map((key, index) => [`#k${index}`, key])),
      },
      ExpressionAttributeValues: {
        ':number': { S: 'N' },
        ':oldest': { N: String(now - MAX_AGE_SECONDS) },
        ':now': { N: String(now) },
      },
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    for (const item of page.Items ?? []) {
      if (isStopped()) return count;
      count += await remove(name, attribute ?? '', keys, item, call);
    }
    positions.set(name, page.LastEvaluatedKey);
    left -= PAGE_ITEMS;
  } while (positions.get(name) !== undefined && left > 0 && !isStopped());
  return count;
}

// A function may have prolonged the time since it was read.
async function remove(
  table: string,
  attribute: string,
  keys: readonly string[],
  item: Item,
  call: CallDynamoDb,
): Promise<number> {
  try {
    await call('DeleteItem', {
      TableName: table,
      Key: Object.fromEntries(keys.map((key) => [key, item[key]])),
      ConditionExpression: '#ttl = :read',
      ExpressionAttributeNames: { '#ttl': attribute },
      ExpressionAttributeValues: { ':read': item[attribute] },
    });
    return 1;
  } catch (error) {
    if ((error as DynamoDbError).code === 'ConditionalCheckFailedException') return 0;
    throw error;
  }
}
