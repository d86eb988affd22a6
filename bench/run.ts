// `npm run bench`: measures, writes bench/results.json and the tables of docs/performance.md. `-- --short` tries the measurement, and
// writes nothing. `node bench/guards/cpu.ts` measures and writes the table of guards alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bundle, loadBundles, ROOT } from './assembly.ts';
import { measureTokens } from './authorizer-tokens.ts';
import { measureColdStarts } from './cold-start.ts';
import { measureStarts } from './command-start.ts';
import { between } from './costs.ts';
import { measureGateways } from './gateways.ts';
import { goalsTable } from './goals.ts';
import { guardsTable, measureGuards } from './guards/cpu.ts';
import { measureImports } from './import-time.ts';
import { measureOwnCpu, measureOwnCpuInMemory, type OwnCpu } from './own-cpu.ts';
import { withSpread } from './statistics.ts';
import { streamMemoryTable, streamsTable } from './streams/table.ts';
import { measureStreams } from './streams.ts';
import { coldStartTable, peersTable, processesTable, type Row, table } from './tables.ts';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
/** Starts of each function, at each memory size. */
const COLD_STARTS = values.short ? 3 : 50;
/** Repetitions of everything else, whose median and range are shown. */
const REPEATS = values.short ? 1 : 3;

const beganMs = performance.now();
const { stacks, bundles } = await step('bundles', loadBundles);
const own = await step('own CPU', () => repeat(() => measureOwnCpuInMemory(bundles)));
const cpu = await step('CPU with the AWS SDK', () => repeat(() => measureOwnCpu(stacks, bundles)));
const imports = await step('imports', () => measureImports(bundles));
const tokens = await step('tokens', measureTokens);
const guards = await step('guards', () => measureGuards(REPEATS));
const coldStarts = await step('cold starts', () => measureColdStarts(stacks, bundles, COLD_STARTS));
const gateways = await step('gateways', () => measureGateways(REPEATS));
const streams = await step('streams', () => measureStreams(values.short ? 20 : 200));
const starts = await step('starts', () => measureStarts(REPEATS));

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
const date = new Date().toISOString().slice(0, 10);
const minutes = Math.ceil((performance.now() - beganMs) / 60_000);
const missing = gateways.flatMap(({ name, missing: why }) =>
  why === undefined ? [] : [`\n\n${name} is not there: it could not be started on this machine.`],
);
const [ours] = gateways;
const [ourStreams] = streams;
const sizes = bundles.map(({ name, startBytes, bytes }) => ({ name, startBytes, bytes }));
const measured = { own, cpu, imports, tokens, guards, coldStarts, gateways, streams, starts, bundles: sizes };
const tables = {
  goals: goalsTable(measured),
  measured: `Measured ${date} on ${machine}, in one run of ${minutes} minutes.${missing.join('')}`,
  peers: peersTable(gateways.filter(({ missing: why }) => why === undefined)),
  processes: ours === undefined ? '' : processesTable(ours),
  streams: streamsTable(streams),
  'stream-memory': ourStreams === undefined ? '' : streamMemoryTable(ourStreams),
  functions: table(['', 'Measured'], functionRows()),
  guards: guardsTable(guards, date, machine),
  'cold-starts': coldStartTable(coldStarts),
};
const results = { date, machine, minutes, ...measured };
if (!values.short) write();
process.stdout.write(`${Object.values(tables).join('\n\n')}\n`);
for (const { name, missing: why } of gateways)
  if (why !== undefined) process.stderr.write(`${name}: ${why}\n`);

function write(): void {
  writeFileSync(join(ROOT, 'bench', 'results.json'), `${JSON.stringify(results, rounded, 1)}\n`);
  const page = join(ROOT, 'docs', 'performance.md');
  writeFileSync(
    page,
    Object.entries(tables).reduce(
      (text, [name, made]) => between(text, name, made),
      readFileSync(page, 'utf8'),
    ),
  );
}

async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await run();
  process.stderr.write(`${name}: ${Math.round((performance.now() - startedMs) / 1000)} s\n`);
  return result;
}

async function repeat(measure: () => Promise<OwnCpu>): Promise<OwnCpu[]> {
  const runs: OwnCpu[] = [];
  for (let run = 0; run < REPEATS; run += 1) runs.push(await measure());
  return runs;
}

function functionRows(): Row[] {
  const spread = (runs: readonly OwnCpu[], share: 'p50' | 'p99') => withSpread(runs.map((run) => run[share]));
  return [
    ...bundles.flatMap(bundleRows),
    ['own CPU of a call, stores in memory, p50, ms', spread(own, 'p50')],
    ['own CPU of a call, stores in memory, p99, ms', spread(own, 'p99')],
    [
      'the same while Node compiles: 3,000 calls after the first 500, p99, ms',
      withSpread(own.map((run) => run.compilingP99)),
    ],
    ['CPU of a call with the AWS SDK and DynamoDB, p50, ms', spread(cpu, 'p50')],
    ['CPU of a call with the AWS SDK and DynamoDB, p99, ms', spread(cpu, 'p99')],
    ...tokens.map(
      ({ algorithm, p50, p99, steps }): Row => [
        `authorizer, one ${algorithm} token: CPU, p50 and p99, ms; calls of stores and network`,
        `${p50} and ${p99}; ${steps}`,
      ],
    ),
    ...Object.entries(imports).map(([what, value]): Row => [`import of ${what}`, String(value)]),
  ];
}

function bundleRows({ name, startBytes, bytes }: Bundle): Row[] {
  const kib = (size: number) => (size / 1024).toFixed(0);
  return [
    [`bundle of the ${name} function: loaded at start, of all, KiB`, `${kib(startBytes)} of ${kib(bytes)}`],
  ];
}

/** Three decimals are more precise than any of these measurements. */
function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
