// A log in the embedded DynamoDB with its seals: entries are put by the service's own stores and sealed by the rollup function's own code.
import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import {
  headAttributes,
  headKeys,
  sealAttributes,
  sealKeys,
} from '../../adapters/dynamodb/seals/seal-items.ts';
import { createSealReader } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createStoredEntries } from '../../adapters/dynamodb/stored/stored-entries.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import type { RequiredHead } from '../../core/admin/verify-log/check-chain.ts';
import type { Discrepancy } from '../../core/admin/verify-log/discrepancies.ts';
import { verifyLog } from '../../core/admin/verify-log/verify-log.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import type { EntryFacts } from '../../core/logs/build-entry.ts';
import { makeSeal } from '../../core/logs/seals/seal.ts';
import { createSealing } from '../../core/logs/seals/sealing.ts';
import type { SealHead } from '../../core/ports/seals.ts';
import { rollUp } from '../../lambdas/rollup/roll-up.ts';
import { entryOf, FACTS } from '../core/logs/entries.ts';
import type { TestDynamoDb } from './dynamodb.ts';
import { NO_ALERTS, NO_FEEDBACK } from './memory/alerts.ts';
import { createMemoryClock } from './memory/clock.ts';
import { createMemoryLines } from './memory/lines.ts';
import { createMemoryRandom } from './memory/random.ts';

/** An item as DynamoDB has it. */
export type RawItem = Record<string, AttributeValue>;

/** What is verified beside the chain and all of its time. */
interface Input {
  readonly kept?: Pick<SealHead, 'sequence' | 'hash'>;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly nowMs?: number;
}

/** `partition`: nothing else was put. */
interface SealOptions {
  readonly putAtMs?: number;
  readonly skip?: boolean;
  readonly partition?: string | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `startMs`: the time of the clock by which seals are made. */
export function createSealedLog(dynamoDb: TestDynamoDb, organizationId: string, startMs: number) {
  const log = openTables(dynamoDb, organizationId, startMs);
  return { ...log, ...createHands(log, organizationId) };
}

function openTables({ client, tables }: TestDynamoDb, organizationId: string, startMs: number) {
  const clock = createMemoryClock(startMs);
  const seals = createSealReader(client, tables.usage);
  const storedEntries = createStoredEntries(client, tables.logs, { clock, shards: 1 });
  const delivered = new Set<string>();
  const newEnvironment = () => ({
    ledger: createUsageLedger(client, tables.usage),
    sealing: createSealing(seals, clock),
    alerts: NO_ALERTS,
    ...NO_FEEDBACK,
    ...{ clock, random: createMemoryRandom(), lines: createMemoryLines() },
  });
  const environment = newEnvironment();

  /** Items of the log table by their sort keys; of one partition without reading the others. */
  async function items(table: string = tables.logs, partition?: string): Promise<RawItem[]> {
    const found: RawItem[] = [];
    let start: RawItem | undefined;
    const wanted = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partition ?? '' } },
    };
    do {
      const request = { TableName: table, ExclusiveStartKey: start };
      const page =
        partition === undefined
          ? await client.send(new ScanCommand(request))
          : await client.send(new QueryCommand({ ...request, ...wanted }));
      found.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return found.sort((one, other) => ((one['sk']?.S ?? '') < (other['sk']?.S ?? '') ? -1 : 1));
  }

  async function deliver(records: readonly DynamoDBRecord[]): Promise<void> {
    if (records.length === 0) return;
    const answer = await rollUp({ Records: [...records] }, environment);
    if (answer.batchItemFailures.length > 0) throw new Error('the batch was not sealed');
  }

  return {
    clock,
    seals,
    storedEntries,
    items,
    store: createLogStore(client, tables.logs, 1),
    changes: createChangeLog(client, tables.logs, clock),
    /** Delivers what was put since the last time, as one batch put at `putAtMs`; nothing is delivered of the past when `skip`. */
    async seal({ putAtMs = clock.now(), skip = false, partition }: SealOptions = {}): Promise<void> {
      const fresh = (await items(tables.logs, partition)).filter((item) => !delivered.has(keyOf(item)));
      for (const item of fresh) delivered.add(keyOf(item));
      if (!skip) await deliver(fresh.map((item) => toRecord(item, putAtMs)));
    },
    /** The same for entries that are known to be new, without reading the table; each was put when it was made. */
    async sealItems(some: readonly RawItem[]): Promise<void> {
      for (const item of some) delivered.add(keyOf(item));
      await deliver(some.map((item) => toRecord(item, Number(item['timeMs']?.N))));
    },
    /** Delivers items again, as the stream may. */
    async redeliver(some: readonly RawItem[]): Promise<void> {
      await rollUp({ Records: some.map((item) => toRecord(item, clock.now())) }, environment);
    },
    /** Delivers an event as it was kept. */
    hand: (event: DynamoDBStreamEvent) => rollUp(event, environment),
    async put(item: RawItem, table = tables.logs): Promise<void> {
      await client.send(new PutItemCommand({ TableName: table, Item: item }));
    },
    /** An item of the usage table, of plain values. */
    async putPlain(item: Record<string, unknown>): Promise<void> {
      await client.send(new PutCommand({ TableName: tables.usage, Item: item }));
    },
    async remove({ pk, sk }: RawItem, table = tables.logs): Promise<void> {
      if (pk === undefined || sk === undefined) throw new Error('not an item of the table');
      await client.send(new DeleteItemCommand({ TableName: table, Key: { pk, sk } }));
    },
    async findSeals(): Promise<RawItem[]> {
      const all = await items(tables.usage);
      return all.filter(({ pk }) => pk?.S === `SEAL#${organizationId}`);
    },
    async verify({ kept, fromMs = startMs - 31 * HOUR_MS, toMs, nowMs }: Input = {}) {
      const now = nowMs ?? clock.now();
      const table = await seals.read(organizationId);
      const heads: RequiredHead[] = [];
      if (table !== undefined) heads.push({ source: 'table', sequence: table.sequence, hash: table.hash });
      if (kept !== undefined) heads.push({ source: 'kept', ...kept });
      const period = { fromMs, toMs: toMs ?? Math.min(now + 60_000, startMs + DAY_MS) };
      const query = {
        organizationId,
        organization: slugOf(organizationId),
        foreign: true,
        nowMs: now,
        ...period,
      };
      const sources = {
        seals: seals.seals(organizationId),
        entries: storedEntries.list(query),
        find: storedEntries.find,
      };
      const run = verifyLog(
        { chain: organizationId, organization: slugOf(organizationId), nowMs: now, heads, ...period },
        sources,
      );
      const discrepancies: Discrepancy[] = [];
      for (;;) {
        const { done, value } = await run.next();
        if (done) return { discrepancies, summary: value };
        discrepancies.push(value);
      }
    },
  };
}

/** Changes are stored by slug: logs in one table must not share one. */
export function slugOf(organizationId: string): string {
  return `slug-of-${organizationId}`;
}

type Log = ReturnType<typeof openTables>;

const MINUTE_MS = 60_000;

/** What tests do with such a log. */
function createHands(log: Log, organizationId: string) {
  const neuronId = `neuron-of-${organizationId}`;
  const subject = { ...FACTS.subject, organization: slugOf(organizationId), organizationId, neuronId };
  const entry = (executionId: string, changes: Partial<EntryFacts> = {}): LogEntry =>
    entryOf({ executionId, subject, ...changes });
  return {
    entry,
    subject,
    /** Puts entries a minute apart, sealed in batches of two; the clock stands after them. */
    async fill(ids: readonly string[]): Promise<void> {
      for (const [index, id] of ids.entries()) {
        await log.store.put(entry(id, { timeMs: log.clock.now() }));
        await log.clock.advance(MINUTE_MS);
        if (index % 2 === 1) await log.seal();
      }
      await log.seal();
    },
    async itemOf(id: string): Promise<RawItem> {
      const found = (await log.items()).find(
        ({ sk, pk }) => sk?.S?.endsWith(`#${id}`) && pk?.S?.startsWith(`${neuronId}#`),
      );
      if (found === undefined) throw new Error(`no entry ${id}`);
      return found;
    },
    /** What was found, in short: its kind and the ids of its entries. */
    async describe(input: Input = {}): Promise<string[]> {
      return (await log.verify(input)).discrepancies.map(shorten);
    },
    /** Gives a seal other lines and a hash that fits them. */
    async reseal(
      index: number,
      change: (lines: readonly string[]) => readonly string[],
      before?: SealHead,
    ): Promise<SealHead> {
      const item = (await log.findSeals())[index] ?? {};
      const lines = change(item['lines']?.S?.split('\n') ?? []);
      const seal = makeSeal(organizationId, before, lines, Number(item['sealedAtMs']?.N));
      await log.putPlain({ ...sealKeys(seal), ...sealAttributes(seal) });
      return seal;
    },
    /** The head beside the chain, as somebody with the rights to it would move it. */
    async moveHead(head: SealHead): Promise<void> {
      await log.putPlain({ ...headKeys(organizationId), ...headAttributes(head) });
    },
  };
}

function shorten(one: Discrepancy): string {
  switch (one.kind) {
    case 'changed':
      return `changed ${one.id}: ${one.differences?.changed.join(',') ?? 'content'}`;
    case 'inconsistent':
      return `inconsistent ${one.id}: ${one.attributes.join(',')}`;
    case 'no seals':
      return one.kind;
    case 'seals missing':
      return `seals ${one.first}–${one.last} missing`;
    case 'seal':
      return `seal ${one.sequence} ${one.problem}`;
    case 'head':
      return `${one.source} head ${one.problem}`;
    default:
      return `${one.kind} ${one.id}`;
  }
}

function keyOf({ pk, sk }: RawItem): string {
  return JSON.stringify([pk?.S, sk?.S]);
}

/** As Lambda hands it over: binary in base64, time in seconds. */
export function toRecord(item: RawItem, putAtMs: number): DynamoDBRecord {
  const image = JSON.stringify(item, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return {
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: keyOf(item),
      ApproximateCreationDateTime: Math.floor(putAtMs / 1000),
      NewImage: JSON.parse(image) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'],
    },
  } as DynamoDBRecord;
}
