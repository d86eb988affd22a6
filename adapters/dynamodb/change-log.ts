// Changes by operators in the log table: one item before the change, and one with its outcome afterwards.
import { gzipSync } from 'node:zlib';
import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ChangeAction, ChangeEntry, RecordedChange } from '../../core/contract/change-entry.ts';
import { CHANGES_PARTITION, OUTCOME_SUFFIX } from '../../core/contract/tables.ts';
import type { ChangeLog } from '../../core/ports/change-log.ts';
import type { Clock } from '../../core/time/clock.ts';
import { toIso } from '../../core/time/iso.ts';
import type { Item } from './client.ts';
import { createSalt, ITEM_BUDGET_BYTES, PACK_ABOVE_BYTES, unpack } from './log-items.ts';
import { executionIdOfKey } from './log-keys.ts';
import { mergeNewest, startList } from './merge-sorted.ts';
import { queryItems } from './stored/query-items.ts';
import { textOf, timeOf } from './stored/readable-entry.ts';

/** Changes are few, so an organization has one partition. It is named by slug: an auditor may ask about a deleted organization. */
export function createChangeLog(client: DynamoDBDocumentClient, table: string, clock: Clock): ChangeLog {
  const put = (item: Item) =>
    client.send(
      new PutCommand({
        TableName: table,
        Item: { ...item, salt: createSalt() },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  const read = (partition: string, fromMs: number, toMs: number) =>
    readChanges(client, table, { partition, fromMs, toMs }, clock);
  return {
    async begin(change) {
      await put(toItem(change));
    },
    async end({ id, timeMs, organization, organizationId, expiresAt }, outcome) {
      const keys = { pk: changePartition(organization), sk: `${sortKeyOf(timeMs, id)}${OUTCOME_SUFFIX}` };
      // The organization's id puts the outcome into the same chain of seals as its change.
      await put({ ...keys, organizationId, outcome, endedAtMs: clock.now(), expiresAt });
    },
    async *list(organization, fromMs, toMs) {
      if (fromMs >= toMs) return;
      const lists = [changePartition(organization), CHANGES_PARTITION].map((one) =>
        startList(read(one, fromMs, toMs)),
      );
      yield* mergeNewest(lists, ({ timeMs, id }) => sortKeyOf(timeMs, id));
    },
    async find(organization, id) {
      for (const partition of [changePartition(organization), CHANGES_PARTITION]) {
        for await (const change of readOne(client, table, partition, id)) {
          if (!(change.expiresAt * 1000 <= clock.now())) return change;
        }
      }
      return undefined;
    },
  };
}

/** By the organization's slug; undefined for changes to the whole service. */
export function changePartition(organization: string | undefined): string {
  return organization === undefined ? CHANGES_PARTITION : `${CHANGES_PARTITION}#${organization}`;
}

function sortKeyOf(timeMs: number, id: string): string {
  return `${toIso(timeMs)}#${id}`;
}

/** `before` and `after` become JSON text, since documents nest deeper than an item may; large ones are packed. */
function toItem({ before, after, ...change }: ChangeEntry): Item {
  const keys = { pk: changePartition(change.organization), sk: sortKeyOf(change.timeMs, change.id) };
  const texts = { before: JSON.stringify(before ?? null), after: JSON.stringify(after ?? null) };
  const bytes = Buffer.byteLength(texts.before) + Buffer.byteLength(texts.after);
  if (bytes <= PACK_ABOVE_BYTES) return { ...keys, ...change, ...texts };
  const packed = new Uint8Array(gzipSync(JSON.stringify(texts)));
  const isTooLarge = packed.byteLength > ITEM_BUDGET_BYTES;
  return { ...keys, ...change, ...(isTooLarge ? { cut: true } : { packed }) };
}

/** Every member has its type, whatever somebody put by hand; time and id are those of the key, by which lists find the change. */
function toChange(item: Item, outcome: unknown): RecordedChange {
  const { pk: _pk, sk, salt: _salt, erased: _erased, packed, before, after, ...rest } = item;
  const texts = {
    ...unpack(packed),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  const { actions, by, expiresAt } = rest;
  return {
    ...rest,
    ...Object.fromEntries(OPTIONAL_TEXTS.map((name) => [name, textOf(rest[name])])),
    id: executionIdOfKey(String(sk)),
    timeMs: timeOf(sk, rest['timeMs']),
    by: textOf(by) ?? '',
    actions: (Array.isArray(actions) ? actions : [actions]).map((one) => textOf(one) ?? '') as ChangeAction[],
    expiresAt: typeof expiresAt === 'number' ? expiresAt : Number.NaN,
    before: parseText(texts['before']),
    after: parseText(texts['after']),
    outcome: (textOf(outcome) ?? 'unknown') as RecordedChange['outcome'],
  } as unknown as RecordedChange;
}

const OPTIONAL_TEXTS = ['organization', 'organizationId', 'neuron', 'neuronId'];

/** The document in a text; one that is no JSON stays a text. */
function parseText(text: unknown): unknown {
  if (typeof text !== 'string') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Range {
  readonly partition: string;
  readonly fromMs: number;
  readonly toMs: number;
}

async function* readChanges(
  client: DynamoDBDocumentClient,
  table: string,
  { partition, fromMs, toMs }: Range,
  clock: Clock,
): AsyncGenerator<RecordedChange> {
  const query = {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': partition, ':from': toIso(fromMs), ':to': toIso(toMs) },
    ScanIndexForward: false,
  };
  yield* join(queryItems(client, query), clock.now());
}

async function* readOne(client: DynamoDBDocumentClient, table: string, partition: string, id: string) {
  const timeMs = Number.parseInt(id.split('-')[1] ?? '', 36);
  if (Number.isNaN(timeMs)) return;
  const { Items: items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': partition, ':sk': sortKeyOf(timeMs, id) },
      ScanIndexForward: false,
    }),
  );
  yield* join(items, 0);
}

/** Joins each change with its outcome. Items come newest first: an outcome comes right before its change. */
async function* join(
  items: AsyncIterable<Item> | Iterable<Item>,
  nowMs: number,
): AsyncGenerator<RecordedChange> {
  let result: Item | undefined;
  for await (const item of items) {
    const sort = String(item['sk']);
    if (sort.endsWith(OUTCOME_SUFFIX)) {
      result = item;
      continue;
    }
    const isOwn = result?.['sk'] === `${sort}${OUTCOME_SUFFIX}`;
    const change = toChange(item, isOwn ? result?.['outcome'] : undefined);
    if (!(change.expiresAt * 1000 <= nowMs)) yield change;
  }
}
