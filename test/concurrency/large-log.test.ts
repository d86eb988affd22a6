// A log of 200,000 entries: what the first page of every access pattern costs does not depend on how much there is beside it.
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, GetCommand, type QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import type { LogQuery } from '../../core/ports/log-reader.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { itemSize } from './item-size.ts';
import { type FirstPage, PROVEN_ENTRIES, writeLogProof } from './log-proof.ts';

/** `LOG_ENTRIES=2000` tries the proof itself, and writes nothing down; a multiple of 1,000. */
const ENTRIES = Number(process.env['LOG_ENTRIES'] ?? PROVEN_ENTRIES);
const HOURS = 10;
const SHARDS = 2;
const HOUR_MS = 3_600_000;
const PER_HOUR = ENTRIES / HOURS;

let dynamoDb: TestDynamoDb;
let fillSeconds = 0;
/** Of the patterns that hold. */
const proven: FirstPage[] = [];

/** Twenty neurons of one organization, a hundred users; every tenth call is refused. */
function itemOf(index: number) {
  const timeMs = NOON_MS - Math.floor(index / PER_HOUR) * HOUR_MS - (index % PER_HOUR) * 50;
  const subject = { ...FACTS.subject, neuronId: `neu-${index % 20}` };
  const caller = { ...FACTS.caller, username: `user-${index % 100}` };
  const rejected = index % 10 === 0 ? { code: 'rate_limited' as const, run: undefined } : {};
  return toLogItem(entryOf({ executionId: `exec-${index}`, timeMs, subject, caller, ...rejected }), SHARDS);
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
  fillSeconds = Math.round((performance.now() - beganMs) / 1_000);
  process.stdout.write(`filled with ${ENTRIES} entries in ${fillSeconds} s\n`);
}, 1_800_000);
afterAll(async () => {
  await dynamoDb.stop();
  if (ENTRIES === PROVEN_ENTRIES && proven.length === Object.keys(PATTERNS).length + 1)
    await writeLogProof({ fillSeconds, shards: SHARDS, hours: HOURS, firstPages: proven });
});

interface Read {
  readonly capacity: number;
  readonly items: number;
  /** What the capacity of the items is at most: half a unit for each 4 KB of a query, a unit for a consistent read of one item. */
  readonly ofItems: number;
}

/** Watches what each read costs; the engine counts as DynamoDB does. `wholeBytes`: of an item, where it is charged whole. */
function watched(wholeBytes: number) {
  const reads: Read[] = [];
  const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
  client.send = (async (command: QueryCommand | GetCommand) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer = await dynamoDb.client.send(command as QueryCommand);
    const capacity = answer.ConsumedCapacity?.CapacityUnits ?? Number.NaN;
    const items = answer.Items ?? [];
    const bytes = items.reduce((sum, item) => sum + itemSize(item), 0);
    reads.push(
      command instanceof GetCommand
        ? { capacity, items: 1, ofItems: 1 }
        : { capacity, items: items.length, ofItems: Math.max(bytes, items.length * wholeBytes) / 4_096 / 2 },
    );
    return answer;
  }) as never;
  const clock = createMemoryClock(NOON_MS);
  return { reads, reader: createLogReader(client, dynamoDb.tables.logs, { clock, shards: SHARDS }) };
}

/** Holds every read against its items, and keeps and prints what the page took. */
function report(pattern: string, entries: number, milliseconds: number, reads: readonly Read[]): void {
  for (const { capacity, ofItems } of reads) expect(capacity).toBeLessThanOrEqual(ofItems + 1);
  const total = (of: (read: Read) => number) => reads.reduce((sum, read) => sum + of(read), 0);
  const page = {
    ...{ pattern, entries, milliseconds: Math.round(milliseconds * 10) / 10, reads: reads.length },
    ...{ items: total(({ items }) => items), units: total(({ capacity }) => capacity) },
    unitsOfItems: Math.round(total(({ ofItems }) => ofItems) * 100) / 100,
  };
  proven.push(page);
  process.stdout.write(`${JSON.stringify(page)}\n`);
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
    '%s costs what its items are and a unit at most, in each of its reads',
    async (name, [pattern, oneOf]) => {
      // A query of the table is charged for whole items, whatever it sends of them.
      const { reads, reader } = watched(name === 'by neuron' ? itemSize(itemOf(1)) : 0);
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
      report(name, shown, tookMs, reads);
    },
  );

  it('of one execution is one key and one item', async () => {
    const { reads, reader } = watched(0);
    const beganMs = performance.now();
    expect(await reader.find(`exec-${ENTRIES - 1}`)).toBeDefined();
    const tookMs = performance.now() - beganMs;
    expect(reads.map(({ items }) => items)).toEqual([1, 1]);
    report('by execution', 1, tookMs, reads);
  });
});
