// `npm run prove:export`: exports of a large log, each once in one go and once killed again and again, by the command itself. Exits 1 where
// a file differs, an entry is missing, or memory grows with the log. `EXPORT_ENTRIES=20000` tries it in small, and writes nothing down.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { digestFile, type ExportManifest } from '../../cli/logs/export/manifest.ts';
import { OUTPUTS } from '../../core/contract/outputs.ts';
import { organizationRecord } from '../cli/memory-ports.ts';
import { entryOf, FACTS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'bin/neuron.ts');
const PROVEN_ENTRIES = 200_000;
const ENTRIES = Number(process.env['EXPORT_ENTRIES'] ?? PROVEN_ENTRIES);
const SHARDS = 2;
const HOURS = 10;
const HOUR_MS = 3_600_000;
const ENDED_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const FORMATS = ['jsonl', 'csv', 'parquet'] as const;
/** An export lives at least this long before it is killed: the time to begin, and some entries. */
const KILL_AFTER_MS = Number(process.env['EXPORT_KILL_MS'] ?? 4_000);
const SOURCES = ['cli/logs/export', 'adapters/dynamodb/stored', 'core/ports/stored-entries.ts'];

/** Every tenth call is refused, every hundredth keeps long texts; twenty neurons, a hundred users. */
function itemOf(index: number) {
  const perHour = ENTRIES / HOURS;
  const timeMs =
    ENDED_MS - (Math.floor(index / perHour) + 1) * HOUR_MS + (index % perHour) * (HOUR_MS / perHour);
  const subject = { ...FACTS.subject, organizationId: 'id-acme', neuronId: `neu-${index % 20}` };
  const caller = { ...FACTS.caller, username: `user-${index % 100}` };
  const refused = index % 10 === 1 ? { code: 'rate_limited' as const, run: undefined } : {};
  const input = index % 100 === 0 ? `${index} `.repeat(2_000) : 'short';
  return toLogItem(
    entryOf({ executionId: `exec-${index}`, timeMs: Math.floor(timeMs), subject, caller, input, ...refused }),
    SHARDS,
  );
}

async function fill({ client, tables }: TestDynamoDb): Promise<void> {
  const noStream = { StreamSpecification: { StreamEnabled: false } };
  await client.send(new UpdateTableCommand({ TableName: tables.logs, ...noStream }));
  await createAdminStore(client, tables.config).writeOrganization(organizationRecord('acme'), 'absent');
  for (let begin = 0; begin < ENTRIES; begin += 25) {
    const puts = Array.from({ length: Math.min(25, ENTRIES - begin) }, (_, at) => ({
      PutRequest: { Item: itemOf(begin + at) },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [tables.logs]: puts } }));
  }
}

/** What `npm start` writes for the command. */
function writeOutputs(folder: string, { endpoint, tables }: TestDynamoDb): void {
  const named: Record<string, string> = Object.fromEntries(
    Object.entries(tables).map(([name, real]) => [OUTPUTS[`${name}Table` as keyof typeof OUTPUTS], real]),
  );
  const outputs = Object.fromEntries(Object.values(OUTPUTS).map((name) => [name, named[name] ?? '1']));
  const url = 'http://127.0.0.1:1';
  writeFileSync(
    join(folder, 'outputs.json'),
    JSON.stringify({
      ...{ format: 1, pid: process.pid, region: 'us-east-1', logFolder: folder },
      stacks: { 'NeuronApi-proof': { ...outputs, LogShards: String(SHARDS), ApiUrl: url } },
      endpoints: { dynamodb: endpoint, secretsmanager: url, url },
    }),
  );
}

interface Run {
  readonly exitCode: number | null;
  readonly seconds: number;
  /** The most memory that the process held, in MiB. */
  readonly peakMiB: number;
}

/** Runs the command; with `killAfterMs` it is killed without a warning if it is still running then. */
async function runExport(folder: string, format: string, out: string, killAfterMs?: number): Promise<Run> {
  const words = ['logs', 'export', 'acme', '--since', '1d', '--format', format, '--out', out, '--quiet'];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, `--local=${folder}`, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const peak = watchMemory(child);
  if (killAfterMs !== undefined)
    await Promise.race([ended, sleep(killAfterMs).then(() => child.kill('SIGKILL'))]);
  await ended;
  return {
    exitCode: child.exitCode,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
    peakMiB: await peak,
  };
}

/** Linux keeps the peak itself, as long as the process lives. */
async function watchMemory({ pid, ...child }: ChildProcess): Promise<number> {
  let peak = 0;
  for (;;) {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      if (kilobytes === undefined) return peak;
      peak = Math.round(Number(kilobytes) / 1024);
    } catch {
      return peak;
    }
    if (child.exitCode !== undefined && child.exitCode !== null) return peak;
    await sleep(50);
  }
}

/** The same export until it is complete. Every kill but the last run's comes at another moment. */
async function runKilled(
  folder: string,
  format: string,
  out: string,
): Promise<{ kills: number; peakMiB: number }> {
  let kills = 0;
  let peakMiB = 0;
  for (let afterMs = KILL_AFTER_MS; ; afterMs = Math.round(afterMs * 1.37)) {
    const run = await runExport(folder, format, out, afterMs);
    peakMiB = Math.max(peakMiB, run.peakMiB);
    if (run.exitCode === 0) return { kills, peakMiB };
    if (run.exitCode !== null) throw new Error(`the export ended with ${run.exitCode}`);
    kills += 1;
  }
}

async function prove(folder: string, format: string) {
  const whole = join(folder, `whole.${format}`);
  const parts = join(folder, `parts.${format}`);
  const once = await runExport(folder, format, whole);
  const { kills, peakMiB } = await runKilled(folder, format, parts);
  const manifest = JSON.parse(readFileSync(`${whole}.manifest.json`, 'utf8')) as ExportManifest;
  const resumed = await digestFile(parts);
  const result = {
    ...{ format, entries: manifest.entries.call, bytes: statSync(whole).size, seconds: once.seconds },
    ...{ peakMiB: once.peakMiB, kills, peakMiBWhenKilled: peakMiB },
    isEqual: resumed.sha256 === manifest.sha256 && resumed.sha256 === (await digestFile(whole)).sha256,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  return result;
}

async function writeProof(formats: readonly object[]): Promise<void> {
  const { digestOfSources } = (await import(new URL('../../.ci/sources.mjs', import.meta.url).href)) as {
    readonly digestOfSources: (path: string) => string;
  };
  const proof = {
    name: 'export-200000',
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    node: process.versions.node,
    sources: Object.fromEntries(SOURCES.map((path) => [path, digestOfSources(path)])),
    ...{ shards: SHARDS, hours: HOURS, formats },
  };
  writeFileSync(join(ROOT, 'docs/proof/export-200000.json'), `${JSON.stringify(proof, null, 2)}\n`);
}

const database = await startDynamoDb();
try {
  const folder = temporaryFolder();
  const startedMs = performance.now();
  await fill(database);
  process.stdout.write(
    `filled with ${ENTRIES} entries in ${Math.round((performance.now() - startedMs) / 1000)} s\n`,
  );
  writeOutputs(folder, database);
  const results = [];
  for (const format of FORMATS) results.push(await prove(folder, format));
  const isProven = results.every(
    ({ entries, isEqual, kills }) => entries === ENTRIES && isEqual && kills > 0,
  );
  if (isProven && ENTRIES === PROVEN_ENTRIES) await writeProof(results);
  process.exitCode = isProven ? 0 : 1;
} finally {
  await database.stop();
}
