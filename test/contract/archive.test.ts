// A log as it is stored and sealed, archived from the embedded DynamoDB: what the function writes, the command verifies.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { listSealsOfPeriod } from '../../adapters/dynamodb/seals/seals-of-period.ts';
import { findRecords } from '../../adapters/dynamodb/stored/get-records.ts';
import { verifyArchive } from '../../core/admin/verify-archive/verify-archive.ts';
import { archiveDay } from '../../core/logs/archive/write-day.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createSealedLog } from '../support/sealed-log.ts';

const HOUR_MS = 3_600_000;
/** Ten minutes before midnight; seals are made every two minutes, into the next day. */
const START_MS = Date.parse('2026-11-20T23:50:00Z');
const ORGANIZATION = 'org-archive';

let dynamoDb: TestDynamoDb;
let log: ReturnType<typeof createSealedLog>;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  log = createSealedLog(dynamoDb, ORGANIZATION, START_MS);
  await log.fill(Array.from({ length: 25 }, (_, index) => `call-${index}=`));
}, 60_000);
afterAll(() => dynamoDb.stop());

const sealsOf = async (fromMs: number, toMs: number) => {
  const { client, tables } = dynamoDb;
  const sequences: number[] = [];
  for await (const seal of listSealsOfPeriod(client, tables.usage, { chain: ORGANIZATION, fromMs, toMs }))
    sequences.push(seal.sequence);
  return sequences;
};

it('finds the seals of a period, wherever it begins and ends', async () => {
  const all: { sequence: number; sealedAtMs: number }[] = [];
  for await (const { seal } of log.seals.seals(ORGANIZATION)) if (seal !== undefined) all.push(seal);
  expect(all).toHaveLength(13);
  const times = [
    0,
    ...all.flatMap(({ sealedAtMs }) => [sealedAtMs, sealedAtMs + 1]),
    Number.MAX_SAFE_INTEGER,
  ];
  for (const fromMs of times)
    for (const toMs of [START_MS, all[5]?.sealedAtMs ?? 0, Number.MAX_SAFE_INTEGER]) {
      const expected = all.filter(({ sealedAtMs }) => sealedAtMs >= fromMs && sealedAtMs < toMs);
      expect(await sealsOf(fromMs, toMs)).toEqual(expected.map(({ sequence }) => sequence));
    }
});

it('archives two days that are whole, and finds a changed item', async () => {
  const { client, tables } = dynamoDb;
  const objects = new Map<string, string>();
  const archive = (day: string) =>
    archiveDay(day, {
      async *chains() {
        for await (const { chain } of listHeads(client, tables.usage)) yield chain;
      },
      seals: (chain, fromMs, toMs) => listSealsOfPeriod(client, tables.usage, { chain, fromMs, toMs }),
      find: (positions) => findRecords(client, tables.logs, positions, log.clock),
      put: async (name, body) => void objects.set(name, body),
      nowMs: () => Date.parse(day) + 25 * HOUR_MS,
    });
  await archive('2026-11-20');
  await archive('2026-11-21');
  const verify = async () => {
    const kinds: string[] = [];
    const run = verifyArchive(
      { nowMs: START_MS, lastDay: '2026-11-21' },
      {
        async *names() {
          yield* objects.keys();
        },
        read: async (name) => {
          const text = objects.get(name);
          return text === undefined ? undefined : Buffer.from(text);
        },
      },
    );
    for (;;) {
      const { done, value } = await run.next();
      if (done) return { kinds, summary: value };
      kinds.push(value.kind === 'sealed' ? value.found.kind : value.kind);
    }
  };
  expect(await verify()).toMatchObject({
    kinds: [],
    summary: { days: 2, seals: 13, whole: 25, intact: true },
  });
  // An item that was changed before the archive came is not what was sealed.
  const item = await log.itemOf('call-20=');
  await log.put({ ...item, sourceIp: { S: '192.0.2.1' } });
  await archive('2026-11-21');
  expect((await verify()).kinds).toEqual(['changed']);
});
