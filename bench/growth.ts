// `npm run growth`: measures requests with 100, 10,000 and 1,000,000 neurons, keys, counters and log entries in the stores.
// Exits 1 when a request costs more store capacity in larger stores. Writes docs/proof/growth.json.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadBundles } from './assembly.ts';
import type { CallCounts } from './growth/counting-proxy.ts';
import { findDifferences } from './growth/differences.ts';
import { describeTables, type FullEngine, startFullEngine } from './growth/engine.ts';
import { type GrowingTable, NEURONS_PER_ORGANIZATION } from './growth/items.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { percentile } from './statistics.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';
import { writeProof } from './write-proof.ts';

/**
 * The task of one process. `all over`: calls neurons from all over the tables. `organizations`: calls those of the first, the middle and
 * the last organization. `entries`: puts entries of three sizes, and reads them. `each organization`: calls one neuron of each. `lists`:
 * reads lists of all organizations.
 */
export type Part = (typeof PARTS)[number] | 'each organization' | 'lists';

/** Calls of one kind; times in milliseconds. */
export interface Phase {
  readonly name: string;
  readonly calls: number;
  /** By the wall clock. */
  readonly p50: number;
  readonly p99: number;
  /** User and system time of the process for one of them. */
  readonly cpu: number;
  /** The calls of the stores by all of them, where these are counted. */
  readonly stores?: CallCounts;
  /** `each organization`: memory of the process afterwards, buffers included, after a garbage collection. */
  readonly heapBytes?: number;
  readonly rssBytes?: number;
}

/** The measurements of one process, in order. */
export type GrowthReport = readonly Phase[];

/** In every round, with the stores' calls counted, and then without. */
const PARTS = ['all over', 'organizations', 'entries'] as const;
/** Numbers of neurons, of keys, of counters and of entries; an organization has a hundred of each. */
const SIZES = [100, 10_000];
const FULL_SIZE = 1_000_000;
/** The median of the rounds is reported; sizes alternate, so that a slow minute affects all of them. */
const ROUNDS = 3;
/** It took half an hour on a busy machine. */
const MAX_MS = 3_600_000;

// `--size 20000` tries the measurement, and writes no file.
const { values } = parseArgs({ options: { size: { type: 'string', default: String(FULL_SIZE) } } });
const fullSize = Number(values.size);

const began = performance.now();
setTimeout(() => {
  process.stderr.write(`Ended after ${MAX_MS / 60_000} minutes.\n`);
  process.exit(1);
}, MAX_MS).unref();

const { stacks, bundles } = await loadBundles();
const tables = nameTables();
const engines: [number, FullEngine][] = [];
try {
  for (const size of [...SIZES, fullSize]) {
    log(`filling with ${size}`);
    const engine = await withTemporaryFolder((folder) => fill(folder, size));
    engines.push([size, engine]);
    log(`${size}: ${JSON.stringify(engine.seconds)} seconds to fill, ${engine.residentMib()} MiB`);
  }
  const counted = await measureAll({ counts: true });
  const differences = counted.flatMap((report) => findDifferences(counted[0] ?? [], report));
  log(
    differences.length === 0
      ? 'the same calls and units at every size'
      : `Larger stores get other calls, or calls at another cost:\n${differences.join('\n')}`,
  );
  const rounds: GrowthReport[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureAll({ counts: false }));
  const sizes = engines.map(([size, engine], index) => ({
    size,
    organizations: Math.ceil(size / NEURONS_PER_ORGANIZATION),
    seconds: engine.seconds,
    residentMib: engine.residentMib(),
    phases: counted[index]?.map(({ name, calls, stores }, phase) => ({
      name,
      calls,
      stores,
      ...middle(rounds.map((reports) => reports[index]?.[phase])),
    })),
  }));
  const lists = await measureEach('lists', { counts: true });
  const [eachOrganization] = await measureEach('each organization', {
    counts: false,
    of: engines.slice(-1),
  });
  const seconds = Math.round((performance.now() - began) / 1_000);
  const result = { rounds: ROUNDS, seconds, sizes, lists, eachOrganization };
  process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
  if (differences.length > 0) process.exitCode = 1;
  else if (fullSize === FULL_SIZE) await writeProof('growth', result);
  log('done');
} finally {
  for (const [, engine] of engines) await engine.stop();
}

function log(text: string): void {
  process.stdout.write(`${Math.round((performance.now() - began) / 1_000)} s: ${text}\n`);
}

/** The names of the tables, from the functions' environment in the template. */
function nameTables(): Record<GrowingTable, string> {
  const resources = stacks.flatMap((stack) => stack.resources);
  const environment: Readonly<Record<string, string>> = Object.assign(
    {},
    ...resources.map(
      ({ properties }) => (properties['Environment'] as { Variables?: object } | undefined)?.Variables,
    ),
  );
  const nameOf = (variable: string) => environment[variable] ?? '';
  return {
    config: nameOf('CONFIG_TABLE'),
    keys: nameOf('KEYS_TABLE'),
    counters: nameOf('COUNTERS_TABLE'),
    logs: nameOf('LOGS_TABLE'),
    usage: nameOf('USAGE_TABLE'),
  };
}

async function fill(folder: string, size: number): Promise<FullEngine> {
  const schema = await describeTables(folder, stacks);
  return startFullEngine({ folder, schema, tables, size, nowMs: Date.now() });
}

/** One round of every part, by size. */
async function measureAll(how: { readonly counts: boolean }): Promise<GrowthReport[]> {
  const reports: GrowthReport[][] = [];
  for (const part of PARTS) reports.push(await measureEach(part, how));
  return engines.map((_, index) => reports.flatMap((report) => report[index] ?? []));
}

/** A process for each size, one after the other. */
async function measureEach(
  part: Part,
  { counts, of = engines }: { readonly counts: boolean; readonly of?: typeof engines },
): Promise<GrowthReport[]> {
  const program = join(import.meta.dirname, 'growth', 'process.ts');
  const files = Object.fromEntries(bundles.map(({ name, file }) => [name, file]));
  const reports: GrowthReport[] = [];
  for (const [size, { endpoint }] of of) {
    const report = await runMeasuringProcess<GrowthReport>({
      program,
      input: { files, size, part, counts },
      bundles,
      endpoint,
      options: ['--expose-gc'],
      // Warm settings stay warm however long the calls take.
      environment: { SETTINGS_TTL_MS: '600000', USAGE_TABLE: tables.usage },
    });
    log(`${size}, ${part}${counts ? ', counted' : ''}`);
    for (const { name, calls, p50, p99, cpu } of report)
      process.stdout.write(`  ${name}, ${calls}: p50 ${p50}, p99 ${p99}, CPU ${cpu} ms\n`);
    reports.push(report);
  }
  return reports;
}

/** The middle of the rounds, and the ranges. */
function middle(rounds: readonly (Phase | undefined)[]) {
  const of = (member: 'p50' | 'p99' | 'cpu') => {
    const values = rounds.flatMap((phase) => phase?.[member] ?? []);
    return { median: percentile(values, 0.5), lowest: Math.min(...values), highest: Math.max(...values) };
  };
  return { p50: of('p50'), p99: of('p99'), cpu: of('cpu') };
}
