// The erasure of one person among many entries over 90 days, killed ten times, and all that would bring her back: `npm run prove:erasure`, in .ci/deep.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { listSealsOfPeriod } from '../../adapters/dynamodb/seals/seals-of-period.ts';
import { findRecords } from '../../adapters/dynamodb/stored/get-records.ts';
import { createTableAdmin } from '../../adapters/dynamodb/table-admin.ts';
import { writeProof } from '../../bench/write-proof.ts';
import { copyItems } from '../../cli/restore/copy-items.ts';
import { archiveDay } from '../../core/logs/archive/write-day.ts';
import { renderLine } from '../../core/logs/line.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, ADDRESS } from '../support/erasable-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createBackup, DAYS, entryAt, type FilledLog, fillLog, findTexts } from './erasure-log.ts';

/** `ERASURE_ENTRIES=200000` is the proof, which takes half an hour; a multiple of `ERASURE_SHARE`. */
const ENTRIES = Number(process.env['ERASURE_ENTRIES'] ?? 20_000);
/** One of so many entries is hers. */
const SHARE = Number(process.env['ERASURE_SHARE'] ?? 20);
const HERS = ENTRIES / SHARE;
/** Fewer of hers are no proof. */
const PROVEN_HERS = 10_000;
const KILLS = 10;
const DAY_MS = 86_400_000;
const HER_TEXTS = [ADA, ADDRESS];
const SINCE = ['--since', `${DAYS + 5}d`];
/** What decides on what is erased and what is found. */
const SOURCES = [
  ...['adapters/dynamodb/personal', 'cli/users', 'core/admin/erase', 'core/logs/erasure'],
  ...['core/admin/verify-log/erasures.ts', 'core/admin/restore/select-items.ts'],
  'core/admin/verify-archive/archived-erasures.ts',
];

let dynamoDb: TestDynamoDb;
let filled: FilledLog;
let usageBefore: readonly string[];
let passed = 0;
const seconds: Record<string, number> = {};

beforeAll(async () => {
  dynamoDb = await startDynamoDb({ withStreams: false });
  filled = await timed('fill', () => fillLog(dynamoDb, { entries: ENTRIES, share: SHARE }));
  usageBefore = await usageOfNeurons();
});
afterAll(async () => {
  await dynamoDb.stop();
  if (HERS >= PROVEN_HERS && passed === Object.keys(STEPS).length)
    await writeProof(
      `erasure-${ENTRIES}`,
      { entries: ENTRIES, erased: HERS, days: DAYS, kills: KILLS, steps: Object.keys(STEPS), seconds },
      SOURCES,
    );
});

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const beganMs = performance.now();
  const result = await work().catch((error: unknown) => {
    // At once: the report comes after hours, or never.
    process.stdout.write(`${name} FAILED: ${String(error).slice(0, 2_000)}\n`);
    throw error;
  });
  seconds[name] = Math.round((performance.now() - beganMs) / 1_000);
  process.stdout.write(`${name}: ${seconds[name]} s\n`);
  return result;
}

/** Of each month that has entries; the answers of a command. */
async function usageOfNeurons(): Promise<readonly string[]> {
  const { log } = filled;
  const months = ['2026-08', '2026-09', '2026-10', '2026-11'];
  const answers: string[] = [];
  for (const month of months)
    answers.push((await log.run(['usage', log.slug, '--by', 'neuron', '--period', month, '--json'])).stdout);
  return answers;
}

const eraseHer = () => ['users', 'erase', filled.log.slug, ADA, '--reason', 'request 17', '--yes'];

/** Ends the command at the write after so many. */
function dyingAfter(writes: number) {
  const { personalData } = filled.log.ports;
  let left = writes;
  const dying = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return write();
  };
  return {
    ...personalData,
    erase: (...args: Parameters<typeof personalData.erase>) => dying(() => personalData.erase(...args)),
    remove: (item: Parameters<typeof personalData.remove>[0]) => dying(() => personalData.remove(item)),
  };
}

const expectWithoutHer = (text: string) => {
  for (const one of HER_TEXTS) expect(text.includes(one)).toBe(false);
};

async function expectIntact(words: readonly string[]) {
  const { log } = filled;
  const { stdout, exitCode } = await log.run(['logs', 'verify', ...words]);
  expect(stdout.slice(0, 2_000)).toContain(`${HERS} of a person erased at `);
  expect(stdout).toContain('request 17');
  expect(exitCode, stdout.slice(0, 2_000)).toBe(0);
  expectWithoutHer(stdout);
}

const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  'erases her, ended ten times on the way': async () => {
    const { log } = filled;
    expect(await findTexts(dynamoDb, HER_TEXTS)).toHaveLength(4);
    // Answers and counters come first, usage last.
    const writes = Math.floor(HERS / (KILLS + 1));
    for (let kill = 0; kill < KILLS; kill += 1)
      expect((await log.run(eraseHer(), { personalData: dyingAfter(writes) })).exitCode).toBe(1);
    expect((await log.run(eraseHer())).exitCode).toBe(0);
    expect((await log.run(eraseHer())).stdout).toContain('Nothing is kept of this person');
  },
  'gets all of her again by lines, the stream and a backup, and takes none of it': async () => {
    const { log, items, lines } = filled;
    const lost = entryAt(log, ENTRIES, ADA, log.clock.now() - DAY_MS);
    const file = join(temporaryFolder(), 'execute.log');
    writeFileSync(file, [...lines, renderLine(lost, { stage: 'test' })].map((line) => `${line}\n`).join(''));
    const restored = await log.run(['logs', 'restore', file, '--json']);
    expect(JSON.parse(restored.stdout)).toMatchObject({ restored: 0, failed: 0 });
    for (let from = 0; from < items.length; from += 1_000)
      await log.redeliver(items.slice(from, from + 1_000));
    const from = await createBackup(dynamoDb, items);
    const { logs: into, usage: usageTable } = dynamoDb.tables;
    const request = { table: 'logs', from, into, usageTable, includeDeleted: false, isCheck: false } as const;
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const plain = new DynamoDBClient({ endpoint: dynamoDb.endpoint, region: 'us-east-1', credentials });
    const tables = createTableAdmin(plain);
    const copied = await copyItems({ ...request, onPage: () => undefined }, { ...log.ports, tables });
    plain.destroy();
    expect(copied).toMatchObject({ read: HERS, restored: 0, skipped: { erased: HERS } });
  },
  'leaves no byte of her in any table': async () => {
    expect(await findTexts(dynamoDb, HER_TEXTS)).toEqual([]);
  },
  'leaves a table that is intact and names the erasure': async () => {
    const { log } = filled;
    await expectIntact([log.slug, ...SINCE]);
  },
  'adds up without her': async () => {
    const { log } = filled;
    expect(await usageOfNeurons()).toEqual(usageBefore);
    expect((await log.run(['usage', log.slug, '--verify', '--period', '2026-11'])).exitCode).toBe(0);
  },
  'has no answer of a command with her': async () => {
    const { log } = filled;
    const lists = [
      ['logs', log.slug, ...SINCE, '--json'],
      ['logs', log.slug, '--changes', ...SINCE, '--json'],
      ...['2026-09', '2026-11'].flatMap((period) =>
        ['username', 'day', 'key'].map((by) => ['usage', log.slug, '--by', by, '--period', period, '--json']),
      ),
    ];
    for (const words of lists) {
      const { stdout, stderr, exitCode } = await log.run(words);
      expect(exitCode).toBe(0);
      expectWithoutHer(stdout + stderr);
    }
    const hers = await log.run(['logs', log.slug, '--user', ADA, ...SINCE, '--json']);
    expect(hers.stdout.trim()).toBe('');
  },
  'exports without her, and the export is intact': async () => {
    const { log } = filled;
    const out = join(temporaryFolder(), 'export.jsonl');
    await log.clock.advance(60_000);
    const period = ['--from', '2026-08-20T00:00:00Z', '--to', new Date(log.clock.now()).toISOString()];
    expect((await log.run(['logs', 'export', log.slug, ...period, '--out', out])).exitCode).toBe(0);
    for (const path of [out, `${out}.seals.jsonl`, `${out}.manifest.json`])
      expectWithoutHer(readFileSync(path, 'latin1'));
    await expectIntact([`${out}.manifest.json`]);
  },
  'archives without her, and the archive is intact': async () => {
    const { log } = filled;
    const folder = temporaryFolder();
    const { client, tables } = dynamoDb;
    const startMs = Math.floor(log.clock.now() / DAY_MS - DAYS) * DAY_MS;
    for (let day = 0; day <= DAYS; day += 1)
      await archiveDay(new Date(startMs + day * DAY_MS).toISOString().slice(0, 10), {
        async *chains() {
          for await (const { chain } of listHeads(client, tables.usage)) yield chain;
        },
        seals: (chain, fromMs, toMs) => listSealsOfPeriod(client, tables.usage, { chain, fromMs, toMs }),
        find: (positions) => findRecords(client, tables.logs, positions, log.clock),
        async put(name, body) {
          expectWithoutHer(body);
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), body);
        },
        nowMs: log.clock.now,
      });
    // By the clock of this machine later days are missing.
    const to = new Date(log.clock.now()).toISOString().slice(0, 10);
    const { stdout, exitCode } = await log.run(['logs', 'verify', '--from', folder, '--to', to]);
    expect(exitCode, stdout.slice(0, 2_000)).toBe(0);
    expect(stdout).toContain(`${HERS} erased before they were archived`);
    expectWithoutHer(stdout);
  },
};

it.each(Object.entries(STEPS))(`${ENTRIES} entries: %s`, async (name, step) => {
  await timed(name, step);
  passed += 1;
});
