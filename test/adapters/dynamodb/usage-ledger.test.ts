// The transactions of the usage ledger to the letter, and how it reads what DynamoDB says of a refused one.
import { TransactionCanceledException, type TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createUsageLedger } from '../../../adapters/dynamodb/usage-ledger.ts';
import type { UsageMark } from '../../../core/ports/usage.ts';

const bytes = (text: string) => new Uint8Array(Buffer.alloc(16, text));
const mark = (text: string, group: string, expiresAt = 100): UsageMark => ({
  ...{ group, expiresAt },
  id: Buffer.from(bytes(text)).toString('base64url'),
});
const [a, b, c] = [
  mark('a', 'ENTRIES#org-1#0#10'),
  mark('b', 'ENTRIES#org-1#0#10', 103),
  mark('c', 'ITEM#x'),
];

/** A ledger whose client keeps what it is sent, and answers with these reasons. */
function ledger(reasons?: TransactionCanceledException['CancellationReasons']) {
  const sent: TransactWriteItemsCommandInput[] = [];
  const client = {
    send: async (command: { readonly input: TransactWriteItemsCommandInput }) => {
      sent.push(command.input);
      if (reasons !== undefined)
        throw new TransactionCanceledException({ $metadata: {}, message: '', CancellationReasons: reasons });
    },
  } as unknown as DynamoDBDocumentClient;
  return { sent, ...createUsageLedger(client, 'usage') };
}

describe('the usage ledger', () => {
  it('adds the marks of a group together, on condition that it has none of them', async () => {
    const { add, sent } = ledger();
    expect(await add([a, c, b], [], [])).toEqual({ outcome: 'added' });
    expect(sent[0]?.TransactItems).toEqual([
      {
        Update: {
          TableName: 'usage',
          Key: { pk: 'ENTRIES#org-1#0#10', sk: 'ENTRIES' },
          UpdateExpression: 'SET expiresAt = :expiresAt ADD ids :ids',
          ConditionExpression: 'NOT (contains(ids,:0) OR contains(ids,:1))',
          ExpressionAttributeValues: {
            ':expiresAt': 103,
            ':ids': new Set([bytes('a'), bytes('b')]),
            ':0': bytes('a'),
            ':1': bytes('b'),
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      {
        Update: {
          TableName: 'usage',
          Key: { pk: 'ITEM#x', sk: 'ITEM' },
          UpdateExpression: 'SET expiresAt = :expiresAt ADD ids :ids',
          ConditionExpression: 'NOT (contains(ids,:0))',
          ExpressionAttributeValues: { ':expiresAt': 100, ':ids': new Set([bytes('c')]), ':0': bytes('c') },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
    ]);
  });

  it('keeps a condition of a hundred marks within what an expression may have', async () => {
    const { add, sent } = ledger();
    const marks = Array.from({ length: 100 }, (_, n) => mark(`${n}|`, 'ENTRIES#org-1#0#10'));
    await add(marks, [], []);
    const condition = sent[0]?.TransactItems?.[0]?.Update?.ConditionExpression ?? '';
    expect(Buffer.byteLength(condition)).toBeLessThanOrEqual(4_096);
    expect(condition.match(/NOT|OR|contains/g)?.length).toBeLessThanOrEqual(300);
    expect(condition.match(/contains/g)).toHaveLength(100);
  });

  it('names the marks that a refused group has, and those of no other group', async () => {
    const Item = { ids: { BS: [bytes('b'), bytes('z')] } };
    const rejected = { Code: 'ConditionalCheckFailed', Item };
    expect(await ledger([rejected, { Code: 'None' }]).add([a, b, c], [], [])).toEqual({
      outcome: 'repeated',
      marks: [b],
    });
    // The group of c was not refused, whatever it has.
    const both = [rejected, { Code: 'TransactionConflict', Item: { ids: { BS: [bytes('c')] } } }];
    expect(await ledger(both).add([a, b, c], [], [])).toEqual({ outcome: 'repeated', marks: [b] });
  });

  it('fails where nobody says which marks a refused group has', async () => {
    const { add } = ledger([{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }]);
    await expect(add([a, c], [], [])).rejects.toThrow(TransactionCanceledException);
  });

  it('is in conflict where another transaction is under way, and fails for an unknown reason', async () => {
    expect(await ledger([{ Code: 'None' }, { Code: 'TransactionConflict' }]).add([a, c], [], [])).toEqual({
      outcome: 'conflict',
    });
    const { add } = ledger([{ Code: 'Unknown' }, { Code: 'None' }]);
    await expect(add([a, c], [], [])).rejects.toThrow(TransactionCanceledException);
  });

  it('says that the store takes no such transaction, so that nobody repeats it', async () => {
    expect(await ledger([{ Code: 'ValidationError' }, { Code: 'None' }]).add([a, c], [], [])).toMatchObject({
      outcome: 'rejected',
    });
  });
});
