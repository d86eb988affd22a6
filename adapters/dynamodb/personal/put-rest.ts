// Puts the rest of an erased entry. Where it is not counted in some rows of usage any more, its amounts leave these in the same transaction.
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  type PutItemCommandInput,
  TransactionCanceledException,
  TransactionInProgressException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isCountable } from '../../../core/ports/countable-entry.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import type { CountedEntry, UsageRow } from '../../../core/ports/usage.ts';
import { isJsonObject } from '../../../core/text/json.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { toLogEntry } from '../log-items.ts';
import { addedAttributes, rowKeys } from '../usage-items.ts';

type RawItem = Record<string, AttributeValue>;
type Put = PutItemCommandInput & { readonly Item: RawItem; readonly TableName: string };

/** False where the condition of the put does not hold. */
export type PutRest = (
  put: Put,
  record: StoredRecord,
  lostUsage: (entry: CountedEntry) => readonly UsageRow[],
) => Promise<boolean>;

/** Attempts of a transaction that meets another one, such as that of the rollup function. */
const MAX_ATTEMPTS = 10;
const BACKOFF_MS = 50;

export function createRestPut(
  client: DynamoDBDocumentClient,
  usageTable: string,
  { sleep }: Pick<Clock, 'sleep'>,
): PutRest {
  // Transactions on one row fail when they meet, so that they go one after the other.
  let before: Promise<unknown> = Promise.resolve();
  return (put, record, lostUsage) => {
    const entry = toLogEntry(record);
    const rows = isCountable(entry) ? lostUsage(entry) : [];
    if (rows.length === 0) return putAlone(client, put);
    const updates = rows.map((row) => toSubtraction(usageTable, row));
    const done = before.then(() => putWithUsage(client, put, updates, sleep));
    before = done.catch(() => undefined);
    return done;
  };
}

/** The attributes of the rest as the table has them, so that no digit of a number is lost. */
export function pickRest(item: RawItem, rest: StoredRecord): RawItem {
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      const stored = item[name] as AttributeValue;
      if (stored.M === undefined || !isJsonObject(value)) return [name, stored];
      const members = Object.entries(stored.M).filter(([member]) => Object.hasOwn(value, member));
      return [name, { M: Object.fromEntries(members) }];
    }),
  );
}

async function putAlone(client: DynamoDBDocumentClient, put: Put): Promise<boolean> {
  try {
    await client.send(new PutItemCommand(put));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function putWithUsage(
  client: DynamoDBDocumentClient,
  put: Put,
  updates: readonly TransactWriteItem[],
  sleep: Clock['sleep'],
): Promise<boolean> {
  let left = updates;
  for (let attempt = 1; ; attempt += 1)
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }, ...left] }));
      return true;
    } catch (error) {
      const codes = readCodes(error);
      if (codes === undefined) throw error;
      if (codes[0] === CONDITION) return false;
      // A row that is gone counts nothing.
      const there = left.filter((_, index) => codes[index + 1] !== CONDITION);
      if (there.length === left.length) {
        if (attempt === MAX_ATTEMPTS) throw error;
        await sleep(BACKOFF_MS * attempt);
      }
      left = there;
    }
}

const CONDITION = 'ConditionalCheckFailed';
const TRANSIENT: ReadonlySet<string> = new Set(['TransactionConflict', 'ThrottlingError']);

/** One for each action; undefined where another attempt would end alike. */
function readCodes(error: unknown): readonly string[] | undefined {
  if (error instanceof TransactionInProgressException) return [];
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
  return codes.some((code) => code === CONDITION || TRANSIENT.has(code)) ? codes : undefined;
}

function toSubtraction(TableName: string, row: UsageRow): TransactWriteItem {
  const amounts = Object.entries(addedAttributes(row));
  const { pk, sk } = rowKeys(row);
  return {
    Update: {
      TableName,
      Key: { pk: { S: pk }, sk: { S: sk } },
      UpdateExpression: `ADD ${amounts.map((_, index) => `#a${index} :a${index}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(amounts.map(([name], index) => [`#a${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        amounts.map(([, amount], index) => [`:a${index}`, { N: String(-amount) }]),
      ),
    },
  };
}
