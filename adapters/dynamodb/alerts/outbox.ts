// The outbox of alerts in the usage table. Conditional writes make each alert recorded once and leased by one.
import { TransactionCanceledException, TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Alert, AlertOutbox } from '../../../core/ports/alerts.ts';
import type { Item } from '../client.ts';
import { unlessRejected } from '../conditional-write.ts';
import {
  currentAttributes,
  currentKeys,
  PENDING_PARTITION,
  pendingAttributes,
  pendingKeys,
  recordAttributes,
  recordKeys,
  sentAttribute,
  toAlertRecord,
  toDueAlert,
  WATCH_PREFIX,
} from './alert-items.ts';

/** Only updates, also for new items: the rollup function has no permission to put. */
export function createAlertOutbox(client: DynamoDBDocumentClient, table: string): AlertOutbox {
  const update = (Key: Item, Attributes: Item, ConditionExpression?: string) =>
    client.send(new UpdateCommand({ TableName: table, Key, ...setting(Attributes, ConditionExpression) }));
  return {
    add: (alert, leasedUntilMs) => add(client, additions(table, alert, leasedUntilMs)),
    async listDue(nowMs, maximum) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pending AND sk < :watched',
          ExpressionAttributeValues: { ':pending': PENDING_PARTITION, ':watched': WATCH_PREFIX },
          ConsistentRead: true,
          Limit: 10 * maximum,
        }),
      );
      return Items.filter((item) => isDue(item, nowMs))
        .slice(0, maximum)
        .map(toDueAlert);
    },
    async lease(due, nowMs, leasedUntilMs) {
      const isLeased = await unlessRejected(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: pendingKeys(due),
            UpdateExpression: 'SET leasedUntilMs = :until',
            // A condition on an attribute fails where there is no item.
            ConditionExpression: 'leasedUntilMs <= :now',
            ExpressionAttributeValues: { ':until': leasedUntilMs, ':now': nowMs },
          }),
        ),
      );
      if (!isLeased) return undefined;
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: recordKeys(due), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : toAlertRecord(Item);
    },
    async markSent(alert, channel, atMs) {
      await update(recordKeys(alert), { [sentAttribute(channel)]: atMs });
    },
    async release(alert) {
      await update(pendingKeys(alert), { leasedUntilMs: 0 }, 'attribute_exists(pk)');
    },
    async settle(alert) {
      await client.send(new DeleteCommand({ TableName: table, Key: pendingKeys(alert) }));
    },
  };
}

async function add(
  client: DynamoDBDocumentClient,
  actions: ReturnType<typeof additions>,
): ReturnType<AlertOutbox['add']> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems: actions }));
    return 'added';
  } catch (error) {
    if (error instanceof TransactionInProgressException) return 'conflict';
    if (!(error instanceof TransactionCanceledException)) throw error;
    // The first reason is that of the record.
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
    if (codes[0] === 'ConditionalCheckFailed') return 'known';
    if (codes.includes('TransactionConflict')) return 'conflict';
    throw error;
  }
}

/** TTL deletes late. */
function isDue(item: Item, nowMs: number): boolean {
  return Number(item['leasedUntilMs']) <= nowMs && Number(item['expiresAt']) * 1000 > nowMs;
}

function additions(TableName: string, alert: Alert, leasedUntilMs: number) {
  const record = setting(recordAttributes(alert), 'attribute_not_exists(pk)');
  const pending = setting(pendingAttributes(alert, leasedUntilMs));
  return [
    { Update: { TableName, Key: recordKeys(alert), ...record } },
    { Update: { TableName, Key: pendingKeys(alert), ...pending } },
    { Update: { TableName, Key: currentKeys(alert), ...setting(currentAttributes(alert)) } },
  ];
}

function setting(attributes: Item, ConditionExpression?: string) {
  const input = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${input.map((_, index) => `#a${index} = :a${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(input.map(([name], index) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(input.map(([, value], index) => [`:a${index}`, value])),
    ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
  };
}
