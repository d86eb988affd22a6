// A log of 200,000 entries: what the first page of every access pattern costs does not depend on how much there is beside it.
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createMemoryClock } from '../../adapters/memory/clock.ts';
import type { LogQuery } from '../../core/ports/log-reader.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';

/** `LOG_ENTRIES=2000` tries the proof itself; a multiple of 1,000. */
const ENTRIES = Number(process.env['LOG_ENTRIES'] ?? 200_000);
const HOURS = 10;
const SHARDS = 2;
const HOUR_MS = 3_600_000;
const PER_HOUR = ENTRIES / HOURS;

let dynamoDb: TestDynamoDb;

/** Twenty neurons of one organization, a hundred users; every tenth call is refused. */
function itemOf(index: number) {
  const timeMs = NOON_MS - Math.floor(index / PER_HOUR) * HOUR_MS - (index % PER_HOUR) * 50;
  const subject = { ...FACTS.subject, neuronId: `neu-${index % 20}` };
  const caller = { ...FACTS.caller, username: `user-${index % 100}` };
  const refused = index % 10 === 0 ? { code: 'rate_limited' as const, run: undefined } : {};
  return toLogItem(entryOf({ executionId: `exec-${index}`, timeMs, subject, caller, ...refused }), SHARDS);
}

/** Puts 25 entries, the most that one request takes. */
async function fill(begin: number): Promise<void> {
  const puts = Array.from({ length: Math.max(0, Math.min(25, ENTRIES - begin)) }, (_, at) => ({
    PutRequest: { Item: itemOf(begin + at) },
  }));
  if (puts.length === 0) return;
  const answer = await dynamoDb.client.send(
    new BatchWriteCommand({ RequestItems: { [dynamoDb.tables.logs]: puts } }),
  );
  expect(answer.UnprocessedItems ?? {}).toEqual({});
}

beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  // Nobody reads it here, and the engine writes about twice as fast without it.
  const noStream = { StreamSpecification: { StreamEnabled: false } };
  await dynamoDb.client.send(new UpdateTableCommand({ TableName: dynamoDb.tables.logs, ...noStream }));
  const beganMs = performance.now();
  for (let begin = 0; begin < ENTRIES; begin += 50) await Promise.all([fill(begin), fill(begin + 25)]);
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  process.stdout.write(`filled with ${ENTRIES} entries in ${seconds} s\n`);
}, 1_800_000);
afterAll(() => dynamoDb.stop());

interface Read {
  readonly capacity: number;
  readonly items: number;
  readonly bytes: number;
}

/** Watches what each query of the reader costs; the engine counts as DynamoDB does. */
function watched() {
  const reads: Read[] = [];
  const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
  client.send = (async (command: QueryCommand) => {
    const isQuery = command instanceof QueryCommand;
    if (isQuery) Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer = await dynamoDb.client.send(command);
    if (isQuery)
      reads.push({
        capacity: answer.ConsumedCapacity?.CapacityUnits ?? Number.NaN,
        items: answer.Count ?? 0,
        bytes: (answer.Items ?? []).reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0),
      });
    return answer;
  }) as never;
  const clock = createMemoryClock(NOON_MS);
  return { reads, reader: createLogReader(client, dynamoDb.tables.logs, { clock, shards: SHARDS }) };
}

/** What is asked for, and how many entries there are for each that is meant. */
const PATTERNS: Readonly<Record<string, readonly [Partial<LogQuery>, number]>> = {
  'by neuron': [{ neuronId: 'neu-7' }, 20],
  'by organization': [{}, 1],
  'by username': [{ username: 'user-42' }, 100],
  'refusals and failures': [{ outcome: 'refused' }, 10],
};

describe('the first page', () => {
  it.each(Object.entries(PATTERNS))(
    '%s costs what its items are and a unit at most',
    async (name, [pattern, oneOf]) => {
      const { reads, reader } = watched();
      const query = {
        organizationId: 'org-1',
        fromMs: NOON_MS - HOURS * HOUR_MS,
        toMs: NOON_MS + 1,
        ...pattern,
      };
      const beganMs = performance.now();
      let shown = 0;
      for await (const _entry of reader.list(query)) {
        shown += 1;
        if (shown === 100) break;
      }
      const tookMs = performance.now() - beganMs;
      expect(shown).toBe(Math.min(100, ENTRIES / oneOf));
      const total = reads.reduce((sum, read) => sum + read.capacity, 0);
      process.stdout.write(
        `${name}: ${tookMs.toFixed(1)} ms for ${shown} of ${ENTRIES} entries, ${reads.length} queries, ${reads.reduce((sum, read) => sum + read.items, 0)} items, ${total} units\n`,
      );
      // Half a unit for each 4 KB. A query of the table is charged for whole items, whatever it sends of them.
      const wholeBytes = name === 'by neuron' ? Buffer.byteLength(JSON.stringify(itemOf(1))) : 0;
      for (const { capacity, items, bytes } of reads)
        expect(capacity).toBeLessThanOrEqual(Math.max(bytes, items * wholeBytes) / 4_096 / 2 + 1);
    },
  );

  it('of one execution is one key and one item', async () => {
    const { reads, reader } = watched();
    const beganMs = performance.now();
    expect(await reader.find(`exec-${ENTRIES - 1}`)).toBeDefined();
    process.stdout.write(`by execution: ${(performance.now() - beganMs).toFixed(1)} ms\n`);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatchObject({ items: 1 });
    expect(reads[0]?.capacity).toBeLessThanOrEqual(1.5);
  });
});
