// Deletes expired items, which the engines do not do by themselves.

import type { CallDynamoDb, DynamoDbError } from './call.ts';
import type { TableDefinition } from './table-definition.ts';

/** A repeated sweep. */
interface TtlSweep {
  /** Sweeps now; resolves with the number of items that were deleted. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

/** Settings for sweeping. */
interface TtlSettings {
  readonly tables: readonly TableDefinition[];
  readonly call: CallDynamoDb;
  readonly intervalMs: number;
  readonly log: (line: string) => void;
}

type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

// DynamoDB Developer Guide, "Using time to live": a time more than five years ago is left alone.
const OLDEST_SECONDS = 5 * 365 * 24 * 3600;

/** Sweeps all tables with a time to live, at every interval. */
export function startTtlSweep(settings: TtlSettings): TtlSweep {
  const tables = settings.tables.filter(({ timeToLive }) => timeToLive !== undefined);
  let stopped = false;
  let running: Promise<number> = Promise.resolve(0);
  const sweep = async (): Promise<number> => {
    let count = 0;
    for (const table of tables) count += await sweepTable(table, settings.call, () => stopped);
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
  call: CallDynamoDb,
  isStopped: () => boolean,
): Promise<number> {
  const { name, timeToLive: attribute, keySchema } = table;
  const now = Math.floor(Date.now() / 1000);
  const keys = keySchema.map(({ AttributeName }) => AttributeName);
  let count = 0;
  let start: Item | undefined;
  do {
    const page = await call<{ Items?: readonly Item[]; LastEvaluatedKey?: Item }>('Scan', {
      TableName: name,
      // Numbers only: a time of another type never expires.
      FilterExpression: 'attribute_type(#ttl, :number) AND #ttl BETWEEN :oldest AND :now',
      ProjectionExpression: [...keys.map((_key, index) => `#k${index}`), '#ttl'].join(),
      ExpressionAttributeNames: {
        '#ttl': attribute,
        ...Object.fromEntries(keys.map((key, index) => [`#k${index}`, key])),
      },
      ExpressionAttributeValues: {
        ':number': { S: 'N' },
        ':oldest': { N: String(now - OLDEST_SECONDS) },
        ':now': { N: String(now) },
      },
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    for (const item of page.Items ?? []) {
      if (isStopped()) return count;
      count += await remove(name, attribute ?? '', keys, item, call);
    }
    start = page.LastEvaluatedKey;
  } while (start !== undefined && !isStopped());
  return count;
}

// Only while the time is the one that was read: a function may have prolonged it in between.
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
