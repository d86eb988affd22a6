// Changes by operators in the log table: one item before the change, and one with its outcome afterwards.
import { gzipSync } from 'node:zlib';
import { type DynamoDBDocumentClient, PutCommand, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ChangeEntry, ChangeOutcome, RecordedChange } from '../../core/contract/change-entry.ts';
import type { ChangeLog } from '../../core/ports/change-log.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Item } from './client.ts';
import { ITEM_BUDGET_BYTES, PACK_ABOVE_BYTES, unpack } from './log-items.ts';
import { mergeNewest, startList } from './merge-sorted.ts';
import { createSalt } from './seals/salt.ts';

/** What a partition of changes begins with; ids of neurons are hexadecimal, so none is taken for one. */
const PREFIX = 'CHANGES';
/** Where changes of the whole service are. */
const SERVICE = PREFIX;
/** Ends the sort key of a change's outcome: the next item after that of the change itself. */
export const RESULT = '#result';

/** Changes are few: one partition for each organization, by slug, since an auditor may ask about one that is deleted. */
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
      const keys = { pk: changePartition(organization), sk: `${sortKeyOf(timeMs, id)}${RESULT}` };
      // The organization's id, by which the outcome is sealed in the same chain as its change.
      await put({ ...keys, organizationId, outcome, endedAtMs: clock.now(), expiresAt });
    },
    async *list(organization, fromMs, toMs) {
      if (fromMs >= toMs) return;
      const lists = [changePartition(organization), SERVICE].map((one) => startList(read(one, fromMs, toMs)));
      yield* mergeNewest(lists, ({ timeMs, id }) => sortKeyOf(timeMs, id));
    },
    async find(organization, id) {
      for (const partition of [changePartition(organization), SERVICE]) {
        for await (const change of readOne(client, table, partition, id)) {
          if (change.expiresAt * 1000 > clock.now()) return change;
        }
      }
      return undefined;
    },
  };
}

/** The partition of an organization's changes, by slug; without one, that of the whole service's. */
export function changePartition(organization: string | undefined): string {
  return organization === undefined ? SERVICE : `${PREFIX}#${organization}`;
}

function sortKeyOf(timeMs: number, id: string): string {
  return `${new Date(timeMs).toISOString()}#${id}`;
}

/** `before` and `after` as JSON text, since documents nest deeper than an item may; packed when they are large. */
function toItem({ before, after, ...change }: ChangeEntry): Item {
  const keys = { pk: changePartition(change.organization), sk: sortKeyOf(change.timeMs, change.id) };
  const texts = { before: JSON.stringify(before ?? null), after: JSON.stringify(after ?? null) };
  const bytes = Buffer.byteLength(texts.before) + Buffer.byteLength(texts.after);
  if (bytes <= PACK_ABOVE_BYTES) return { ...keys, ...change, ...texts };
  const packed = new Uint8Array(gzipSync(JSON.stringify(texts)));
  const isTooLarge = packed.byteLength > ITEM_BUDGET_BYTES;
  return { ...keys, ...change, ...(isTooLarge ? { cut: true } : { packed }) };
}

function toChange(item: Item, outcome: ChangeOutcome | undefined): RecordedChange {
  const { pk: _pk, sk: _sk, salt: _salt, packed, before, after, ...rest } = item;
  const texts = unpack(packed) ?? { before, after };
  const parse = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
  return {
    ...(rest as unknown as ChangeEntry),
    before: parse(texts['before']),
    after: parse(texts['after']),
    outcome: outcome ?? 'unknown',
  };
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
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': partition,
        ':from': new Date(fromMs).toISOString(),
        ':to': new Date(toMs).toISOString(),
      },
      ScanIndexForward: false,
    },
  );
  yield* join(itemsOf(pages), clock.now());
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

async function* itemsOf(pages: AsyncIterable<{ readonly Items?: Item[] | undefined }>): AsyncGenerator<Item> {
  for await (const page of pages) yield* page.Items ?? [];
}

/** Newest first, so that the outcome of a change comes right before the change. */
async function* join(
  items: AsyncIterable<Item> | Iterable<Item>,
  nowMs: number,
): AsyncGenerator<RecordedChange> {
  let result: Item | undefined;
  for await (const item of items) {
    const sort = String(item['sk']);
    if (sort.endsWith(RESULT)) {
      result = item;
      continue;
    }
    const isOwn = result?.['sk'] === `${sort}${RESULT}`;
    const change = toChange(item, isOwn ? (result?.['outcome'] as ChangeOutcome) : undefined);
    if (change.expiresAt * 1000 > nowMs) yield change;
  }
}
