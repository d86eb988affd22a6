// `npm run growth`: what a request takes beside a hundred, ten thousand and a million neurons, keys, counters and log entries.
// Exits 1 when a request costs more store capacity where the stores hold more. Writes docs/proof/growth.json.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadBundles } from './assembly.ts';
import type { CallCounts } from './growth/counting-proxy.ts';
import { describeTables, type FullEngine, startFullEngine } from './growth/engine.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { percentile } from './statistics.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';
import { writeProof } from './write-proof.ts';

/**
 * `timed` and `counted` call a hundred neurons once, so that settings and versions are read, and then again and again. `many` calls
 * more than are kept, each once, in two halves.
 */
export type Mode = 'timed' | 'counted' | 'many';

/** Calls of one kind; times in milliseconds of the wall clock. */
export interface Phase {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  /** `counted`: what all of them together asked of the stores. */
  readonly stores?: CallCounts;
  /** `many`: of the process afterwards, buffers included, when the garbage was collected. */
  readonly heapBytes?: number;
}

/** What one process measured: first and warm calls, or the two halves. */
export type GrowthReport = readonly [Phase, Phase];

const SIZES = [100, 10_000];
const PROVEN = 1_000_000;
/** The median of the rounds is reported; sizes alternate, so that a slow minute affects all of them. */
const ROUNDS = 5;

// `--most 20000` tries the measurement itself, and writes no file.
const { values } = parseArgs({ options: { most: { type: 'string', default: String(PROVEN) } } });
const most = Number(values.most);

const { stacks, bundles } = await loadBundles();
const engines: [number, FullEngine][] = [];
try {
  for (const size of [...SIZES, most]) {
    const engine = await withTemporaryFolder((folder) => fill(folder, size));
    engines.push([size, engine]);
    process.stdout.write(`${size}: ${JSON.stringify(engine.seconds)} seconds to fill\n`);
  }
  const rounds: GrowthReport[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureEach('timed'));
  const counted = await measureEach('counted');
  const sizes = engines.map(([size, { seconds }], index) => ({
    ...{ size, seconds, first: middle(rounds, index, 0), warm: middle(rounds, index, 1) },
    stores: counted[index]?.map(({ calls, stores }) => ({ calls, stores })),
  }));
  const largest = engines.slice(-1);
  const [many] = await measureEach('many', largest);
  process.stdout.write(`${JSON.stringify({ sizes, many }, null, 1)}\n`);
  // The same calls at the same cost, whatever there is beside them.
  if (new Set(sizes.map(({ stores }) => JSON.stringify(stores))).size > 1) {
    process.stderr.write(
      'The stores are asked for other things, or at another cost, where they hold more.\n',
    );
    process.exitCode = 1;
  } else if (most === PROVEN) await writeProof('growth', { rounds: ROUNDS, sizes, many });
} finally {
  for (const [, engine] of engines) await engine.stop();
}

async function fill(folder: string, size: number): Promise<FullEngine> {
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
  const schema = await describeTables(folder, stacks);
  return startFullEngine({ folder, schema, tables, size, nowMs: Date.now() });
}

async function measureEach(mode: Mode, of: typeof engines = engines): Promise<GrowthReport[]> {
  const program = join(import.meta.dirname, 'growth', 'process.ts');
  const files = Object.fromEntries(bundles.map(({ name, file }) => [name, file]));
  const reports: GrowthReport[] = [];
  for (const [size, { endpoint }] of of) {
    const report = await runMeasuringProcess<GrowthReport>({
      ...{ program, given: { files, size, mode }, bundles, endpoint, options: ['--expose-gc'] },
      // Warm settings stay warm however long the calls take.
      environment: { SETTINGS_TTL_MS: '600000' },
    });
    process.stdout.write(`${size} ${mode}: ${report.map(({ p50, p99 }) => `${p50} ${p99}`).join(', ')} ms\n`);
    reports.push(report);
  }
  return reports;
}

/** The middle of the rounds, and the range of their p50. */
function middle(rounds: readonly GrowthReport[][], index: number, phase: 0 | 1) {
  const phases = rounds.flatMap((reports) => reports[index]?.[phase] ?? []);
  const p50s = phases.map(({ p50 }) => p50);
  return {
    calls: phases[0]?.calls,
    ...{
      p50: percentile(p50s, 0.5),
      p99: percentile(
        phases.map(({ p99 }) => p99),
        0.5,
      ),
    },
    ...{ lowestP50: Math.min(...p50s), highestP50: Math.max(...p50s) },
  };
}
