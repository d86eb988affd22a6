// Reads the changes by operators of one organization as they are stored, oldest first, each followed by its outcome.
import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OUTCOME_SUFFIX } from '../../../core/contract/tables.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import {
  comparePositions,
  type StoredEntry,
  type StoredPosition,
  type StoredQuery,
} from '../../../core/ports/stored-entries.ts';
import { toIso } from '../../../core/time/iso.ts';
import { changePartition } from '../change-log.ts';
import { mergeSorted, startList } from '../merge-sorted.ts';
import { readRecord } from './every-name.ts';

/** Changes of the organization and of the whole service, without those of an earlier organization of the same slug. */
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
  { fromMs, toMs, organizationId, after, foreign = false }: StoredQuery,
  partition: string,
): AsyncGenerator<StoredEntry> {
  const values = {
    ':pk': { S: partition },
    // From the beginning of that millisecond: an outcome names no organization, only its change does.
    ':from': { S: timeOf(after) ?? toIso(fromMs) },
    ':to': { S: toIso(toMs) },
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
    for (const record of items.map(readRecord)) {
      const sk = String(record['sk']);
      const isOutcome = sk.endsWith(OUTCOME_SUFFIX);
      if (!isOutcome && belongsTo(organizationId, record)) own = sk;
      if (foreign || (isOutcome ? sk === `${own}${OUTCOME_SUFFIX}` : sk === own))
        yield { type: isOutcome ? 'outcome' : 'change', pk: partition, sk, record };
    }
    start = next;
  } while (start !== undefined);
}

function timeOf(after: StoredPosition | undefined): string | undefined {
  return after?.sk.slice(0, after.sk.indexOf('#'));
}

/** True also for a change without an organization id: it is rather shown than left out. */
function belongsTo(organizationId: string, record: StoredRecord): boolean {
  return record['organizationId'] === undefined || record['organizationId'] === organizationId;
}
