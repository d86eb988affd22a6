// Items of one person beside the log: usage rows, cached and kept answers, counters of limits.
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  namesOf,
  type Person,
  type PersonalData,
  type PersonalItem,
  type PersonalPlace,
  type PersonalRuns,
} from '../../../core/ports/personal-data.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import { namesPerson } from '../../../core/text/names-person.ts';
import { toIso } from '../../../core/time/iso.ts';
import { toStoredRecord } from '../seals/stored-record.ts';
import { dayPartition, daysBetween } from '../usage-items.ts';

interface ItemTables {
  readonly usage: string;
  readonly cache: string;
  readonly counters: string;
}

type RawItem = Record<string, AttributeValue>;

export function createPersonalItems(
  client: DynamoDBDocumentClient,
  tables: ItemTables,
): Pick<PersonalData, 'requireRights' | 'usage' | 'answers' | 'counters' | 'remove'> {
  const tableOf: Readonly<Record<PersonalPlace, string>> = {
    usage: tables.usage,
    cachedAnswers: tables.cache,
    keptAnswers: tables.cache,
    counters: tables.counters,
  };
  const remove = async (place: PersonalPlace, pk: string, sk?: string, condition: object = {}) => {
    const Key = { pk: { S: pk }, ...(sk === undefined ? {} : { sk: { S: sk } }) };
    await client.send(new DeleteItemCommand({ TableName: tableOf[place], Key, ...condition }));
  };
  return {
    async requireRights() {
      // A right to the tables that `grantErase` alone has.
      await client.send(new ScanCommand({ TableName: tables.cache, Limit: 1 }));
    },
    usage: (person) => listUsage(client, tables.usage, person),
    async *answers(runs) {
      for await (const record of scan(client, tables.cache)) {
        const place = placeOf(record, runs);
        if (place !== undefined) yield { place, pk: String(record['pk']), record };
      }
    },
    async *counters({ neuronIds, counterSubjects }) {
      for await (const record of scan(client, tables.counters)) {
        const pk = String(record['pk']);
        const [ownerId = '', scope, , subject = ''] = pk.split('#');
        if (neuronIds.has(ownerId) && scope === 'user' && counterSubjects.has(subject))
          yield { place: 'counters', pk, record };
      }
    },
    async remove({ place, pk, sk, record }) {
      const vector = place === 'cachedAnswers' ? vectorKeyOf(pk, record) : undefined;
      // First, so that a run that is ended in between finds it again by the answer.
      if (vector !== undefined) await remove(place, vector);
      const isTag = place === 'usage' && record['tag'] !== undefined;
      try {
        await remove(place, pk, sk, isTag ? WITHOUT_REQUESTS : {});
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}

/** The rollup function may have counted another call with the tag since. */
const WITHOUT_REQUESTS = {
  ConditionExpression: ['success', 'stopped', 'failed', 'refused']
    .map((name) => `(attribute_not_exists(${name}) OR ${name} <= :none)`)
    .join(' AND '),
  ExpressionAttributeValues: { ':none': { N: '0' } },
};

/** Each part of a kept answer is found by itself: its key begins with that of the answer. */
function placeOf(
  { pk, executionId }: StoredRecord,
  { neuronIds, executionIds, answerSubject }: PersonalRuns,
): PersonalPlace | undefined {
  const [kind, owner = '', keySubject] = String(pk).split('#');
  if (kind === 'I') return keySubject === answerSubject && neuronIds.has(owner) ? 'keptAnswers' : undefined;
  return kind === 'X' && executionIds.has(String(executionId)) ? 'cachedAnswers' : undefined;
}

/** The key of the vector by which other inputs find an answer. */
function vectorKeyOf(pk: string, { meaning }: StoredRecord): string | undefined {
  return typeof meaning === 'string' ? `S#${meaning}#${pk.split('#')[2]}` : undefined;
}

async function* listUsage(
  client: DynamoDBDocumentClient,
  table: string,
  person: Person,
): AsyncGenerator<PersonalItem> {
  const { organizationId, username, fromMs, toMs } = person;
  for (const day of daysBetween(toIso(fromMs).slice(0, 10), toIso(toMs).slice(0, 10))) {
    const pk = dayPartition(organizationId, day);
    for await (const item of listRows(client, table, { pk, kind: 'USER#', username }))
      yield toUsageItem(item);
    for await (const item of listRows(client, table, { pk, kind: 'TAG#' }))
      if (namesPerson(String(item['value']), namesOf(person))) yield toUsageItem(item);
  }
}

function toUsageItem(item: StoredRecord): PersonalItem {
  return { place: 'usage', pk: String(item['pk']), sk: String(item['sk']), record: item };
}

interface RowQuery {
  readonly pk: string;
  readonly kind: string;
  readonly username?: string;
}

async function* listRows(
  client: DynamoDBDocumentClient,
  table: string,
  { pk, kind, username }: RowQuery,
): AsyncGenerator<StoredRecord> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :day AND begins_with(sk, :kind)',
        ExpressionAttributeValues: {
          ':day': pk,
          ':kind': kind,
          ...(username === undefined ? {} : { ':name': username }),
        },
        ...(username === undefined ? {} : { FilterExpression: 'username = :name' }),
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    for (const item of page.Items ?? []) yield item as StoredRecord;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

async function* scan(client: DynamoDBDocumentClient, table: string): AsyncGenerator<StoredRecord> {
  let start: RawItem | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    for (const item of page.Items ?? []) yield toStoredRecord(item);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}
