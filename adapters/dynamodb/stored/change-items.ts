// Reads the changes by operators of one organization as they are stored, oldest first, each followed by how it ended.
import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import {
  comparePositions,
  type StoredEntry,
  type StoredPosition,
  type StoredQuery,
} from '../../../core/ports/stored-entries.ts';
import { changePartition, RESULT } from '../change-log.ts';
import { mergeSorted, startList } from '../merge-sorted.ts';
import { toStoredRecord } from '../seals/stored-record.ts';

/** Changes of the organization and of the whole service. Those of an earlier owner of the slug are left out. */
export async function* readChangeItems(
  client: DynamoDBDocumentClient,
  table: string,
  query: StoredQuery,
): AsyncGenerator<StoredEntry> {
  const partitions = new Set([query.organization, undefined].map(changePartition));
  const lists = [...partitions].map((partition) => startList(readPartition(client, table, query, partition)));
  yield* mergeSorted(lists, (a, b) => comparePositions(a, b) < 0);
}

async function* readPartition(
  client: DynamoDBDocumentClient,
  table: string,
  { fromMs, toMs, organizationId, after }: StoredQuery,
  partition: string,
): AsyncGenerator<StoredEntry> {
  const values = {
    ':pk': { S: partition },
    // From the beginning of that millisecond: only the change itself tells whose an outcome is.
    ':from': { S: timeOf(after) ?? new Date(fromMs).toISOString() },
    ':to': { S: new Date(toMs).toISOString() },
  };
  let own: string | undefined;
  let start: Record<string, AttributeValue> | undefined;
  do {
    const { Items: items = [], LastEvaluatedKey: next } = await client.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: values,
        ExclusiveStartKey: start,
      }),
    );
    for (const record of items.map(toStoredRecord)) {
      const sk = String(record['sk']);
      const isOutcome = sk.endsWith(RESULT);
      if (!isOutcome && isOf(organizationId, record)) own = sk;
      if (isOutcome ? sk === `${own}${RESULT}` : sk === own)
        yield { type: isOutcome ? 'outcome' : 'change', pk: partition, sk, record };
    }
    start = next;
  } while (start !== undefined);
}

function timeOf(after: StoredPosition | undefined): string | undefined {
  return after?.sk.slice(0, after.sk.indexOf('#'));
}

/** A change whose owner is not known is shown rather than left out. */
function isOf(organizationId: string, record: StoredRecord): boolean {
  return record['organizationId'] === undefined || record['organizationId'] === organizationId;
}
