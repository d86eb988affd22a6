// Entries of one person in the log table: finds them by the index of usernames, and puts what may stay in their place.
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../../core/contract/tables.ts';
import { ERASED_BY, type Person, type PersonalData } from '../../../core/ports/personal-data.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import type { StoredPosition } from '../../../core/ports/stored-entries.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { toIso } from '../../../core/time/iso.ts';
import { chunksOf } from '../client.ts';
import { HOUR_MS, hourOf, userBucketKey } from '../log-keys.ts';
import { readRecord } from '../stored/every-name.ts';
import { findRecords } from '../stored/get-records.ts';
import { queryItems } from '../stored/query-items.ts';
import { createRestPut, pickRest } from './put-rest.ts';

/** Queries at a time; most hours hold nothing of one person. */
const MAX_QUERIES = 32;

type RawItem = Record<string, AttributeValue>;

/** `shards`: the most that an hour has had. */
interface EntrySettings {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly shards: number;
}

export function createPersonalEntries(
  client: DynamoDBDocumentClient,
  { logs: table, usage }: { readonly logs: string; readonly usage: string },
  { clock, shards }: EntrySettings,
): Pick<PersonalData, 'entries' | 'find' | 'erase'> {
  const putRest = createRestPut(client, usage, clock);
  const read = async ({ pk, sk }: StoredPosition): Promise<RawItem | undefined> => {
    const key = { pk: { S: pk }, sk: { S: sk } };
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }),
    );
    return Item;
  };
  return {
    async *entries(person, onHour) {
      const hours = hoursDownwards(person);
      const atOnce = Math.max(1, Math.floor(MAX_QUERIES / shards));
      let done = 0;
      for (const some of chunksOf(hours, atOnce)) {
        const lists = some.flatMap((hour) =>
          Array.from({ length: shards }, (_, shard) => listHour(client, table, person, { hour, shard })),
        );
        for (const keys of await Promise.all(lists)) yield* keys;
        done += some.length;
        onHour?.(done, hours.length);
      }
    },
    async find(person, positions) {
      const records = await findRecords(client, table, positions, clock);
      return records.map((record) => (record !== undefined && isOf(record, person) ? record : undefined));
    },
    async erase(person, position, { changeId, of, lostUsage }) {
      const item = await read(position);
      if (item === undefined) return false;
      const record = readRecord(item);
      if (!isOf(record, person)) return false;
      const rest = of(record);
      const put = {
        TableName: table,
        Item: { ...pickRest(item, rest), [ERASED_BY]: { S: changeId } },
        // One of two runs puts it; an entry that DynamoDB has deleted meanwhile stays away.
        ConditionExpression: 'usernameHour = :hour',
        ExpressionAttributeValues: { ':hour': item['usernameHour'] ?? { S: '' } },
      };
      return putRest(put, record, (entry) => lostUsage(entry, rest));
    },
  };
}

/** Keys of an hour are few: memory holds those of a person. */
async function listHour(
  client: DynamoDBDocumentClient,
  table: string,
  { organizationId, username, fromMs, toMs }: Person,
  { hour, shard }: { readonly hour: string; readonly shard: number },
): Promise<readonly StoredPosition[]> {
  const found: StoredPosition[] = [];
  const keys = queryItems(client, {
    TableName: table,
    IndexName: INDEXES.logs.byUsername,
    KeyConditionExpression: 'usernameHour = :bucket AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':bucket': userBucketKey(organizationId, hour, shard, username),
      ':from': toIso(fromMs),
      ':to': toIso(toMs),
    },
    ProjectionExpression: 'pk, sk',
  });
  for await (const { pk, sk } of keys) found.push({ pk: String(pk), sk: String(sk) });
  return found;
}

/** The index key decides, as it does for lists: it ends with the username, which nothing follows. */
function isOf({ usernameHour }: StoredRecord, { organizationId, username }: Person): boolean {
  const key = typeof usernameHour === 'string' ? usernameHour : '';
  const [, hour = '', shard = ''] = key.split('#');
  return key === userBucketKey(organizationId, hour, Number(shard), username);
}

function hoursDownwards({ fromMs, toMs }: Person): readonly string[] {
  if (fromMs >= toMs) return [];
  const first = Math.floor(fromMs / HOUR_MS);
  const last = Math.floor((toMs - 1) / HOUR_MS);
  return Array.from({ length: last - first + 1 }, (_, back) => hourOf((last - back) * HOUR_MS));
}
