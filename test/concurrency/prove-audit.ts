// `npm run prove:audit`: a large log is sealed, verified and exported by the programs themselves; the exports also killed again and again.
// Exits 1 where an entry is missing or twice, a file differs, or memory grows with the log. `AUDIT_ENTRIES=20000` tries it in small, and
// writes nothing down; `AUDIT_NOTE` goes into what is written.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeProof } from '../../bench/write-proof.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startCountingProxy } from './audit/counting-proxy.ts';
import { HOURS, SHARDS } from './audit/entries.ts';
import { startLargeLog, writeOutputs } from './audit/large-log.ts';
import { proveExports } from './audit/prove-export.ts';
import { sealLog, verifySeals } from './audit/prove-seals.ts';
import { runProcess } from './audit/run-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'bin/neuron.ts');
const PROVEN_ENTRIES = 200_000;
const ENTRIES = Number(process.env['AUDIT_ENTRIES'] ?? PROVEN_ENTRIES);
/** Asked at the beginning: others may commit while it runs. */
const COMMIT = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
/** What a process may hold at most, however large the log is. */
const MAX_MIB = 512;

const EXPORT_FOLDER = 'cli/logs/export';

const SOURCES = {
  seals: [
    'core/logs/seals',
    'core/usage',
    'core/admin/verify-log',
    'adapters/dynamodb/seals',
    'adapters/dynamodb/usage-ledger.ts',
    'adapters/dynamodb/log-stream.ts',
    'lambdas/rollup/roll-up.ts',
  ],
  // Not the list of columns, which grows with the entry.
  export: readdirSync(join(ROOT, EXPORT_FOLDER))
    .filter((name) => name !== 'columns.ts')
    .toSorted()
    .map((name) => `${EXPORT_FOLDER}/${name}`)
    .concat('adapters/dynamodb/stored', 'core/ports/stored-entries.ts'),
};

/** Writes down what held, and how busy the machine was. */
async function keepProof(name: keyof typeof SOURCES, measured: object): Promise<void> {
  const circumstances = {
    commit: COMMIT,
    ...(process.env['AUDIT_NOTE'] === undefined ? {} : { note: process.env['AUDIT_NOTE'] }),
    ...{ loadAverage: Number(loadavg()[1]?.toFixed(1)), shards: SHARDS, hours: HOURS },
  };
  await writeProof(`${name}-200000`, { ...circumstances, ...measured }, SOURCES[name]);
}

/** `neuron` against an endpoint. */
function commandAt(
  folder: string,
  name: string,
  endpoint: string,
  tables: Parameters<typeof writeOutputs>[2],
) {
  const local = join(folder, name);
  mkdirSync(local);
  writeOutputs(local, endpoint, tables);
  return (words: readonly string[], killAfterMs?: number) =>
    runProcess({
      words: [PROGRAM, `--local=${local}`, ...words],
      ...(killAfterMs === undefined ? {} : { killAfterMs }),
    });
}

const folder = temporaryFolder();
const startedMs = performance.now();
const seconds = () => Math.round((performance.now() - startedMs) / 1000);
const tell = (text: string) => process.stdout.write(`${seconds()} s: ${text}\n`);
const log = await startLargeLog(folder, ENTRIES);
const proxy = await startCountingProxy(log.endpoint);
try {
  tell(`a log of ${ENTRIES} entries`);
  const sealing = await sealLog(folder, log, proxy);
  tell(`sealed: ${JSON.stringify(sealing)}`);
  const verifying = await verifySeals(commandAt(folder, 'proxied', proxy.endpoint, log.tables), proxy);
  tell(`verified: ${JSON.stringify(verifying)}`);
  const isSealed =
    [sealing.entries, sealing.sealedEntries, verifying.whole].every((count) => count === ENTRIES) &&
    verifying.intact === true &&
    verifying.recount.isEqual;
  if (isSealed && ENTRIES === PROVEN_ENTRIES)
    await keepProof('seals', { entries: ENTRIES, sealing, verifying });
  const formats = await proveExports(
    folder,
    log.endMs,
    commandAt(folder, 'direct', log.endpoint, log.tables),
  );
  tell('exported');
  const isExported = formats.every(
    ({ entries, isEqual, kills, verified }) =>
      entries === ENTRIES && isEqual && kills > 0 && verified.isIntact,
  );
  const peaks = [sealing, verifying, verifying.recount, ...formats, ...formats.map((one) => one.verified)];
  const isBounded = peaks.every(({ peakMiB }) => peakMiB < MAX_MIB);
  if (isExported && isBounded && ENTRIES === PROVEN_ENTRIES) await keepProof('export', { formats });
  process.exitCode = isSealed && isExported && isBounded ? 0 : 1;
} finally {
  proxy.stop();
  await log.stop();
}
