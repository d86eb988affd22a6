// Reads the changes by operators of one organization as they are stored, oldest first, each followed by how it ended.
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import {
  comparePositions,
  type StoredEntry,
  type StoredPosition,
  type StoredQuery,
} from '../../../core/ports/stored-entries.ts';
import { changePartition, RESULT } from '../change-log.ts';
import type { Item } from '../client.ts';
import { toLogEntry } from '../log-items.ts';
import { mergeSorted, startList } from '../merge-sorted.ts';

/** Changes of the organization and of the whole service. Those of an earlier owner of the slug are left out. */
export async function* readChangeItems(
  client: DynamoDBDocumentClient,
  table: string,
  query: StoredQuery,
): AsyncGenerator<StoredEntry> {
  const lists = [changePartition(query.organization), changePartition(undefined)].map((partition) =>
    startList(readPartition(client, table, query, partition)),
  );
  yield* mergeSorted(lists, (a, b) => comparePositions(a, b) < 0);
}

async function* readPartition(
  client: DynamoDBDocumentClient,
  table: string,
  { fromMs, toMs, organizationId, after }: StoredQuery,
  partition: string,
): AsyncGenerator<StoredEntry> {
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': partition,
        // From the beginning of that millisecond: only the change itself tells whose an outcome is.
        ':from': timeOf(after) ?? new Date(fromMs).toISOString(),
        ':to': new Date(toMs).toISOString(),
      },
    },
  );
  let own: string | undefined;
  for await (const { Items: items = [] } of pages) {
    for (const item of items) {
      const sk = String(item['sk']);
      const isOutcome = sk.endsWith(RESULT);
      if (!isOutcome && isOf(organizationId, item)) own = sk;
      if (isOutcome ? sk === `${own}${RESULT}` : sk === own)
        yield { type: isOutcome ? 'outcome' : 'change', pk: partition, sk, members: membersOf(item) };
    }
  }
}

function timeOf(after: StoredPosition | undefined): string | undefined {
  return after?.sk.slice(0, after.sk.indexOf('#'));
}

/** A change whose owner is not known is shown rather than left out. */
function isOf(organizationId: string, item: Item): boolean {
  return item['organizationId'] === undefined || item['organizationId'] === organizationId;
}

/** Packed texts are unpacked as those of calls are. */
function membersOf(item: Item): Item {
  return toLogEntry(item) as unknown as Item;
}
