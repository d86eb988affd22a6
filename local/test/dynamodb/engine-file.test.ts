// Tests of where the engine keeps its tables, and of the index without which every change costs more than the last.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCaller } from '../../dynamodb/call.ts';
import { startEngine } from '../../dynamodb/engine.ts';
import { fileInMemory } from '../../dynamodb/engine-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REGION = 'eu-west-1';
/** A container with little memory there has the engine's own instead, which needs no test of files. */
const HAS_ROOM =
  existsSync('/dev/shm') && statfsSync('/dev/shm').bavail * statfsSync('/dev/shm').bsize >= 2 ** 30;

// The statements of dynoxide 1.2.1 that a change, a read of a stream and a list of shards run.
const STATEMENTS = [
  'SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records WHERE table_name = ?1',
  `SELECT event_name, keys_json, new_image, old_image, sequence_number, created_at, user_identity
             FROM _stream_records
             WHERE table_name = ?1 AND shard_id = ?2 AND CAST(sequence_number AS INTEGER) > ?3
             ORDER BY CAST(sequence_number AS INTEGER) ASC
             LIMIT ?4`,
  'SELECT MIN(sequence_number), MAX(sequence_number) FROM _stream_records WHERE table_name = ?1 AND shard_id = ?2',
];

async function start(settings: { dataFolder?: string; inMemory?: boolean } = {}) {
  const lines: string[] = [];
  const engine = await startEngine({
    kind: 'dynoxide',
    dataFolder: temporaryFolder(),
    region: REGION,
    ...settings,
    onSpawn: () => undefined,
    log: (line) => lines.push(line),
  });
  onTestFinished(() => engine.stop());
  return { engine, lines, call: createCaller(engine.endpoint, REGION) };
}

/** Files below a folder that a process has open. */
function openFiles(pid: number, folder: string): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    .filter((file) => file.startsWith(folder));
}

function plansOf(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => database.close());
  return STATEMENTS.flatMap((statement) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .all()
      .map((row) => String(row['detail'])),
  );
}

describe('the file of a data folder', () => {
  it('has an index for every statement on the records of streams, at the next start too', async () => {
    const dataFolder = temporaryFolder();
    const first = await start({ dataFolder });
    await first.engine.stop();
    const { lines } = await start({ dataFolder });
    expect(lines).toEqual([]);
    const plans = plansOf(join(dataFolder, 'dynamodb.sqlite'));
    expect(plans).toHaveLength(STATEMENTS.length);
    for (const plan of plans) expect(plan).toMatch(/^SEARCH _stream_records USING .*_by_sequence/);
  });

  it('is for statements that the program has', () => {
    const { platform, arch } = process;
    const { resolve } = createRequire(import.meta.url);
    const bytes = readFileSync(
      join(dirname(resolve(`@dynoxide/${platform}-${arch}/package.json`)), 'dynoxide'),
    );
    for (const statement of STATEMENTS.map((text) => text.split('\n').at(-1) ?? '')) {
      expect(bytes.includes(statement.trim())).toBe(true);
    }
    expect(bytes.includes(STATEMENTS[1] ?? '')).toBe(true);
  });
});

describe('tables in memory', () => {
  it.runIf(HAS_ROOM)('have a file that no name leads to, and deliver streams in order', async () => {
    const { engine, lines, call } = await start({ inMemory: true });
    const files = openFiles(engine.pid ?? 0, '/dev/shm/local-run-');
    expect(files).toContainEqual(expect.stringMatching(/dynamodb\.sqlite \(deleted\)$/));
    for (const file of files) expect(file).toMatch(/ \(deleted\)$/);
    await call('CreateTable', {
      TableName: 'changed',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
    // More than ten, whose sequence numbers sort otherwise as texts; more than the log of writes holds before it is cleared.
    const text = 'x'.repeat(300_000);
    const ids = Array.from({ length: 30 }, (_, index) => String(index));
    for (const id of ids)
      await call('PutItem', { TableName: 'changed', Item: { id: { S: id }, text: { S: text } } });
    expect(await readStream(call)).toEqual(ids);
    expect(lines).toEqual([]);
  });

  it.runIf(HAS_ROOM)('leave nothing behind, however the engine ends', async () => {
    const { engine } = await start({ inMemory: true });
    const pid = engine.pid ?? 0;
    const folders = openFiles(pid, '/dev/shm/local-run-').map((file) => dirname(file));
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${pid}/fd`), { timeout: 10_000 }).toBe(false);
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('are in the memory of the engine itself where a folder is not in memory, or is not there', async () => {
    expect(fileInMemory(temporaryFolder()).path).toBeUndefined();
    const { path, opened } = fileInMemory('/nowhere');
    expect(path).toBeUndefined();
    // For the notice that the run gets slower.
    await expect(opened()).rejects.toThrow('no file of 1 GiB can be made in /nowhere');
  });

  it.runIf(HAS_ROOM)('are there too where no folder can be made in memory', () => {
    const made = mkdtempSync('/dev/shm/no-folder-');
    onTestFinished(() => rmSync(made, { recursive: true }));
    const file = join(made, 'file');
    writeFileSync(file, '');
    expect(fileInMemory(file).path).toBeUndefined();
  });
});

async function readStream(call: Awaited<ReturnType<typeof start>>['call']): Promise<string[]> {
  const { Table } = await call<{ Table: { LatestStreamArn: string } }>('DescribeTable', {
    TableName: 'changed',
  });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
    'DescribeStream',
    { StreamArn },
  );
  const ShardId = StreamDescription.Shards[0]?.ShardId;
  const { ShardIterator } = await call('GetShardIterator', {
    StreamArn,
    ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await call<{ Records: { dynamodb: { Keys: { id: { S: string } } } }[] }>('GetRecords', {
    ShardIterator,
  });
  return Records.map(({ dynamodb }) => dynamodb.Keys.id.S);
}
