// Queries the log table for operators, newest first, hour by hour.
import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { LogEntry } from '../../core/logs/entry.ts';
import type { ListedEntry, LogQuery, LogReader } from '../../core/ports/log-reader.ts';
import type { Clock } from '../../core/ports/platform.ts';
import { bucketKey, executionIdOfKey, HOUR_MS, hourOf, LOG_SHARDS } from './log-keys.ts';

type Item = Record<string, unknown>;

/** Reads the log table and its indexes; every read is a Query. DynamoDB deletes late, so what has ended is left out here. */
export function createLogReader(client: DynamoDBDocumentClient, table: string, clock: Clock): LogReader {
  const hasEnded = (item: Item) => Number(item['expiresAt']) * 1000 <= clock.now();
  return {
    async *list(query) {
      for (const hour of hoursDownwards(query.fromMs, query.toMs)) {
        for (let shard = 0; shard < LOG_SHARDS; shard += 1) {
          for await (const item of itemsOf(client, table, query, hour, shard)) {
            if (!hasEnded(item)) yield toListedEntry(item);
          }
        }
      }
    },
    async find(executionId) {
      const found = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: 'byExecution',
          KeyConditionExpression: 'executionId = :id',
          ExpressionAttributeValues: { ':id': executionId },
          Limit: 1,
        }),
      );
      const key = found.Items?.[0];
      if (key === undefined) return undefined;
      const answer = await client.send(
        new GetCommand({ TableName: table, Key: { pk: key['pk'], sk: key['sk'] }, ConsistentRead: true }),
      );
      return answer.Item === undefined || hasEnded(answer.Item) ? undefined : toLogEntry(answer.Item);
    },
  };
}

function* hoursDownwards(fromMs: number, toMs: number): Generator<string> {
  // Also keeps the query from asking for a range that ends before it begins, which DynamoDB refuses.
  if (fromMs >= toMs) return;
  const first = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  for (let hour = Math.floor((toMs - 1) / HOUR_MS) * HOUR_MS; hour >= first; hour -= HOUR_MS)
    yield hourOf(hour);
}

async function* itemsOf(
  client: DynamoDBDocumentClient,
  table: string,
  query: LogQuery,
  hour: string,
  shard: number,
): AsyncGenerator<Item> {
  const byNeuron = query.neuronId !== undefined;
  let start: Item | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        ...(byNeuron ? {} : { IndexName: 'byOrganization' }),
        KeyConditionExpression: `${byNeuron ? 'pk' : 'organizationHour'} = :bucket AND sk BETWEEN :from AND :to`,
        ExpressionAttributeValues: {
          ':bucket': bucketKey(query.neuronId ?? query.organizationId, hour, shard),
          ':from': new Date(query.fromMs).toISOString(),
          // `to` is exclusive: the sort key of an entry at `to` goes on after the time.
          ':to': new Date(query.toMs).toISOString(),
        },
        ScanIndexForward: false,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}

function toListedEntry(item: Item): ListedEntry {
  const { timeMs, organization, neuron, version, outcome, status, code, sourceIp } =
    item as unknown as LogEntry;
  const { username, keyId, cache, latencyMs, tokensInput, tokensOutput, costMicrodollars, count, restored } =
    item as unknown as LogEntry;
  return {
    // Indexes do not repeat it: the sort key, which every one of them has, ends with it.
    executionId: executionIdOfKey(String(item['sk'])),
    timeMs,
    organization,
    neuron,
    version,
    outcome,
    status,
    code,
    sourceIp,
    username,
    keyId,
    cache,
    latencyMs,
    tokensInput,
    tokensOutput,
    costMicrodollars,
    count,
    restored,
  };
}

/** An item without its keys is the entry, as the store put it. */
function toLogEntry(item: Item): LogEntry {
  const { pk: _pk, sk: _sk, organizationHour: _o, failureHour: _f, usernameHour: _u, ...entry } = item;
  return entry as unknown as LogEntry;
}
