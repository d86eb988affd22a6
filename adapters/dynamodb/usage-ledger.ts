// Adds to the usage table: marks, rows and seals in one transaction.
import {
  type CancellationReason,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Seal } from '../../core/ports/seals.ts';
import type { UsageLedger, UsageMark, UsageRow } from '../../core/ports/usage.ts';
import type { Item } from './client.ts';
import { headAttributes, headKeys, sealAttributes, sealKeys } from './seals/seal-items.ts';
import {
  addedAttributes,
  fromMarkIds,
  groupKeys,
  namingAttributes,
  rowKeys,
  toMarkId,
} from './usage-items.ts';

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Reasons that a retry overcomes (API_TransactWriteItems, "TransactionCanceledException"). */
const TRANSIENT: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Only updates, also for new items: the function has no other permission for the table. */
export function createUsageLedger(client: DynamoDBDocumentClient, table: string): UsageLedger {
  return {
    async add(marks, changes, seals) {
      const groups = [...Map.groupBy(marks, ({ group }) => group).values()];
      const actions = [
        ...groups.map((some) => toGroupUpdate(table, some)),
        ...seals.map((seal) => toSealUpdate(table, seal)),
        ...seals.map((seal) => toHeadUpdate(table, seal)),
        ...changes.map((row) => toRowUpdate(table, row)),
      ];
      try {
        await client.send(new TransactWriteCommand({ TransactItems: actions }));
        return { outcome: 'added' };
      } catch (error) {
        if (error instanceof TransactionInProgressException) return { outcome: 'conflict' };
        if (isInvalid(error)) return { outcome: 'rejected', error };
        if (!(error instanceof TransactionCanceledException)) throw error;
        const reasons = error.CancellationReasons ?? [];
        const codes = reasons.map(({ Code }) => Code ?? 'None');
        // Reasons are in the order of the actions: marks come first, then seals.
        const isTaken = (index: number) => codes[index] === 'ConditionalCheckFailed';
        const repeated = groups.flatMap((some, index) =>
          isTaken(index) ? findRepeated(some, reasons[index]) : [],
        );
        if (repeated.length > 0) return { outcome: 'repeated', marks: repeated };
        const outdated = seals.filter((_, index) => isTaken(groups.length + index));
        if (outdated.length > 0) return { outcome: 'outdated', chains: outdated.map(({ chain }) => chain) };
        if (codes.some((code) => TRANSIENT.has(code))) return { outcome: 'conflict' };
        if (codes.includes('ValidationError')) return { outcome: 'rejected', error };
        throw error;
      }
    },
  };
}

/** True for a transaction that the store or its client takes at no time: an amount that is no number of DynamoDB, an item that is too large. */
function isInvalid(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ValidationException' || error.name === 'SerializationException') return true;
  // The client's own error about a value: one of the network has a code, one of the store metadata.
  const isPlain = ['Error', 'TypeError', 'RangeError'].includes(error.name);
  return isPlain && !('$metadata' in error) && !('code' in error);
}

/** Adds the marks of a group unless it has one of them. A rejected write returns those that it has, so that no read is needed. */
function toGroupUpdate(table: string, marks: readonly UsageMark[]): Action {
  const ids = marks.map(({ id }) => toMarkId(id));
  const expiresAt = Math.max(...marks.map((mark) => mark.expiresAt));
  return {
    Update: {
      TableName: table,
      Key: groupKeys(marks[0]?.group ?? ''),
      UpdateExpression: 'SET expiresAt = :expiresAt ADD ids :ids',
      ConditionExpression: `NOT (${ids.map((_, index) => `contains(ids,:${index})`).join(' OR ')})`,
      ExpressionAttributeValues: {
        ':expiresAt': expiresAt,
        ':ids': new Set(ids),
        ...Object.fromEntries(ids.map((id, index) => [`:${index}`, id])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function findRepeated(marks: readonly UsageMark[], { Item }: CancellationReason = {}): readonly UsageMark[] {
  const stored = fromMarkIds(Item?.['ids']?.BS ?? []);
  return marks.filter(({ id }) => stored.has(id));
}

/** Rejected where another environment has sealed with the same sequence number. */
function toSealUpdate(table: string, seal: Seal): Action {
  return toSet(table, sealKeys(seal), sealAttributes(seal), 'attribute_not_exists(pk)');
}

/** Without a condition: the seal has one, and a head that someone changed by hand must not stop the chain. */
function toHeadUpdate(table: string, seal: Seal): Action {
  return toSet(table, headKeys(seal.chain), headAttributes(seal));
}

function toSet(table: string, keys: Item, attributes: Item, condition?: string): Action {
  const entries = Object.entries(attributes);
  const sets = entries.map((_, index) => `#s${index} = :s${index}`);
  return {
    Update: {
      TableName: table,
      Key: keys,
      UpdateExpression: `SET ${sets.join(', ')}`,
      ...(condition === undefined ? {} : { ConditionExpression: condition }),
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#s${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], index) => [`:s${index}`, value])),
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
