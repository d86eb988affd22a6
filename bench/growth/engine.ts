// An in-memory DynamoDB, filled from an export of tables, which is many times faster than puts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type ResolvedStack, startTables } from 'run-template-locally';
import { ROOT } from '../assembly.ts';
import { freePort } from '../free-port.ts';
import { type GrowingTable, makeItems } from './items.ts';

const PROGRAM = join(ROOT, 'node_modules', '@dynoxide', `${process.platform}-${process.arch}`, 'dynoxide');
const MAX_READ_MS = 1_800_000;
const GROWING: readonly GrowingTable[] = ['config', 'keys', 'counters', 'logs', 'usage'];

/** A running engine with filled tables. */
export interface FullEngine {
  readonly endpoint: string;
  /** Time to write the export, and to read it. */
  readonly seconds: { readonly written: number; readonly read: number };
  /** Memory of its process now. */
  residentMib(): number;
  stop(): Promise<void>;
}

/** The template's tables, as answers of DescribeTable. */
export async function describeTables(
  dataFolder: string,
  stacks: readonly ResolvedStack[],
): Promise<readonly { readonly Table: { readonly TableName: string } }[]> {
  const { names, call, stop } = await startTables(stacks, dataFolder, true);
  try {
    return await Promise.all(names.map((name) => call<never>('DescribeTable', { TableName: name })));
  } finally {
    await stop();
  }
}

interface FillOptions {
  readonly folder: string;
  readonly schema: readonly object[];
  /** Names of the tables. */
  readonly tables: Readonly<Record<GrowingTable, string>>;
  readonly size: number;
  readonly nowMs: number;
}

/** Starts an engine that holds `size` of everything. */
export async function startFullEngine(filling: FillOptions): Promise<FullEngine> {
  const source = join(filling.folder, 'export');
  const schema = join(filling.folder, 'schema.json');
  writeFileSync(schema, JSON.stringify(filling.schema));
  const beganMs = performance.now();
  await writeTables(source, filling);
  const writtenMs = performance.now();
  const port = await freePort();
  const args = ['import', '--source', source, '--schema', schema, '--serve', '--port', String(port)];
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (piece: Buffer) => {
    output += piece;
  });
  // An interrupted measurement must leave no engine behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const endpoint = `http://127.0.0.1:${port}`;
  await waitUntilAnswering(endpoint, child);
  rmSync(source, { recursive: true });
  // The engine skips an item that it cannot read: the size would be wrong.
  if (/Skipped:\s+[1-9]/.test(output)) {
    kill();
    throw new Error(`the engine did not take every item:\n${output.slice(0, 2_000)}`);
  }
  return {
    endpoint,
    seconds: { written: inSeconds(writtenMs - beganMs), read: inSeconds(performance.now() - writtenMs) },
    residentMib: () => residentMibOf(child.pid ?? 0),
    async stop() {
      process.removeListener('exit', kill);
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}

/** Writes a file of JSON lines for each table, `TABLE/data/NAME.json.gz`. All in one pass: making a key takes longer than writing it. */
async function writeTables(source: string, { tables, size, nowMs }: FillOptions): Promise<void> {
  const files = GROWING.map((table) => {
    const folder = join(source, tables[table], 'data');
    mkdirSync(folder, { recursive: true });
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const written = pipeline(gzip, createWriteStream(join(folder, '0.json.gz')));
    return { table, gzip, written, piece: '' };
  });
  for (let number = 0; number < size; number += 1) {
    const items = makeItems(number, size, nowMs);
    const isEnd = (number + 1) % NUMBERS_OF_A_PIECE === 0 || number + 1 === size;
    for (const file of files) {
      for (const item of items[file.table]) file.piece += render(item);
      if (!isEnd) continue;
      if (!file.gzip.write(file.piece)) await once(file.gzip, 'drain');
      file.piece = '';
    }
  }
  for (const { gzip } of files) gzip.end();
  await Promise.all(files.map(({ written }) => written));
}

const NUMBERS_OF_A_PIECE = 200;

function render(item: Record<string, unknown>): string {
  return `${JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) }, withBase64)}\n`;
}

/** Exports hold binary values as base64. */
function withBase64(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

async function waitUntilAnswering(endpoint: string, child: ChildProcess): Promise<void> {
  const untilMs = Date.now() + MAX_READ_MS;
  while (Date.now() < untilMs && child.exitCode === null) {
    const answers = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`the engine did not start, or ended with ${child.exitCode}`);
}

/** From proc_pid_status(5); 0 on other systems than Linux. */
function residentMibOf(pid: number): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 1_000);
}
