// `npm run growth`: what a request takes beside a hundred, ten thousand and a million neurons, keys, counters and log entries.
// Exits 1 when it asks the stores for more where there is more. Writes docs/proof/growth.json.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bundle, loadBundles } from './assembly.ts';
import type { Tally } from './growth/counting-proxy.ts';
import { describeTables, type Filling, type FullEngine, startFullEngine } from './growth/engine.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';
import { writeProof } from './write-proof.ts';

/** Calls of one kind; times in milliseconds, of the wall clock. */
export interface Phase {
  readonly calls: number;
  readonly p50?: number;
  readonly p99?: number;
  /** What all of them together asked of the stores. */
  readonly stores?: Tally;
  /** Of the process afterwards, buffers included; garbage was collected. */
  readonly heapBytes?: number;
}

/** What one process measured. */
export interface GrowthReport {
  /** The first call of each of a hundred neurons: settings and versions are read. */
  readonly first: Phase;
  /** Calls of the same ones. */
  readonly warm: Phase;
  /** Calls of neurons that were not called before: more than are kept, in two halves. */
  readonly many: readonly Phase[];
}

const PROVEN = 1_000_000;
// `--most 20000` tries it, and writes nothing down.
const { values } = parseArgs({ options: { most: { type: 'string', default: String(PROVEN) } } });
const most = Number(values.most);
const nowMs = Date.now();

const { stacks, bundles } = await loadBundles();
const environment: Readonly<Record<string, string>> = Object.assign(
  {},
  ...bundles.map((bundle) => bundle.environment),
);
const tables = {
  config: environment['CONFIG_TABLE'] ?? '',
  keys: environment['KEYS_TABLE'] ?? '',
  counters: environment['COUNTERS_TABLE'] ?? '',
  logs: environment['LOGS_TABLE'] ?? '',
};

const sizes: (Pick<FullEngine, 'seconds'> & { size: number; timed: GrowthReport; counted: GrowthReport })[] =
  [];
for (const size of [100, 10_000, most]) {
  await withTemporaryFolder(async (folder) => {
    const schema = await describeTables(folder, stacks);
    const engine = await startFullEngine({ folder, schema, tables, size, nowMs } satisfies Filling);
    try {
      const timed = await measure(size, bundles, engine.endpoint, false);
      const counted = await measure(size, bundles, engine.endpoint, true);
      sizes.push({ size, seconds: engine.seconds, timed, counted });
      process.stdout.write(`${JSON.stringify(sizes.at(-1), null, 1)}\n`);
    } finally {
      await engine.stop();
    }
  });
}

/** The stores are asked for the same, and it costs the same. */
const asked = sizes.map(({ counted }) => JSON.stringify([counted.first.stores, counted.warm.stores]));
if (new Set(asked).size > 1) {
  process.stderr.write('The stores are asked for other things, or at another cost, where they hold more.\n');
  process.exitCode = 1;
} else if (most === PROVEN) await writeProof('growth', { sizes });

function measure(size: number, of: readonly Bundle[], endpoint: string, counts: boolean) {
  const program = join(import.meta.dirname, 'growth', 'process.ts');
  const files = Object.fromEntries(of.map(({ name, file }) => [name, file]));
  return runMeasuringProcess<GrowthReport>({
    ...{ program, given: { files, size, counts }, bundles: of, endpoint },
    options: ['--expose-gc'],
    // Warm settings stay warm however long the calls take.
    environment: { SETTINGS_FRESH_MS: '600000' },
  });
}
