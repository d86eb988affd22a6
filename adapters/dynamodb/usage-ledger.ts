// Adds to the usage table: marks and rows in one transaction.
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { UsageLedger, UsageMark, UsageRow } from '../../core/ports/usage.ts';
import { addedAttributes, markKeys, namingAttributes, rowKeys } from './usage-items.ts';

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Reasons that pass by themselves (API_TransactWriteItems, "TransactionCanceledException"). */
const PASSING: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Only updates, also for marks: the function may do nothing else to the table. */
export function createUsageLedger(client: DynamoDBDocumentClient, table: string): UsageLedger {
  return {
    async add(marks, changes) {
      const actions = [
        ...marks.map((mark) => toMarkUpdate(table, mark)),
        ...changes.map((row) => toRowUpdate(table, row)),
      ];
      try {
        await client.send(new TransactWriteCommand({ TransactItems: actions }));
        return { outcome: 'added' };
      } catch (error) {
        if (error instanceof TransactionInProgressException) return { outcome: 'conflict' };
        if (!(error instanceof TransactionCanceledException)) throw error;
        const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
        // The reasons stand in the order of the actions, and the marks come first.
        const repeated = marks.filter((_, index) => codes[index] === 'ConditionalCheckFailed');
        if (repeated.length > 0) return { outcome: 'repeated', marks: repeated };
        if (codes.some((code) => PASSING.has(code))) return { outcome: 'conflict' };
        throw error;
      }
    },
  };
}

function toMarkUpdate(table: string, { key, expiresAt }: UsageMark): Action {
  return {
    Update: {
      TableName: table,
      Key: markKeys(key),
      UpdateExpression: 'SET expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(pk)',
      ExpressionAttributeValues: { ':expiresAt': expiresAt },
    },
  };
}

function toRowUpdate(table: string, row: UsageRow): Action {
  const added = Object.entries(addedAttributes(row));
  const named = Object.entries(namingAttributes(row));
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const place = ([name, value]: readonly [string, unknown], index: number, letter: string) => {
    names[`#${letter}${index}`] = name;
    values[`:${letter}${index}`] = value;
    return [`#${letter}${index}`, `:${letter}${index}`] as const;
  };
  const sets = named.map((entry, index) => place(entry, index, 's').join(' = '));
  const adds = added.map((entry, index) => place(entry, index, 'a').join(' '));
  return {
    Update: {
      TableName: table,
      Key: rowKeys(row),
      UpdateExpression: `SET ${sets.join(', ')}${adds.length === 0 ? '' : ` ADD ${adds.join(', ')}`}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
}
