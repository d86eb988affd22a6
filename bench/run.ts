// `npm run bench`: measures, writes bench/results.json and the tables of docs/performance.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { loadBundles, ROOT } from './assembly.ts';
import { measureTokens } from './authorizer-tokens.ts';
import { measureColdStarts } from './cold-start.ts';
import { measureGateways } from './gateways.ts';
import { measureImports } from './import-time.ts';
import { measureOwnCpu, measureOwnCpuInMemory } from './own-cpu.ts';
import { round } from './statistics.ts';

/** Of each function, at each memory size. */
const COLD_STARTS = 50;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly budget: string;
}

const { stacks, bundles } = await loadBundles();
const own = await measureOwnCpuInMemory(bundles);
const cpu = await measureOwnCpu(stacks, bundles);
const imports = await measureImports(bundles);
const coldStarts = await measureColdStarts(stacks, bundles, COLD_STARTS);
const tokens = await measureTokens();
const gateways = await measureGateways();

const rows: Row[] = [
  ...bundles.flatMap(({ name, startBytes, bytes }) => [
    {
      what: `bundle of the ${name} function, minified, SDK included: loaded at start`,
      measured: `${round(startBytes / 1024)} KiB`,
      budget: name === 'authorizer' ? '320 KiB' : '480 KiB',
    },
    { what: `bundle of the ${name} function: all of it`, measured: `${round(bytes / 1024)} KiB`, budget: '' },
  ]),
  { what: 'own CPU per request, stores in memory, p50', measured: `${own.p50} ms`, budget: '1 ms' },
  { what: 'own CPU per request, stores in memory, p99', measured: `${own.p99} ms`, budget: '3 ms' },
  { what: 'CPU per request with the AWS SDK and DynamoDB, p50', measured: `${cpu.p50} ms`, budget: '' },
  { what: 'CPU per request with the AWS SDK and DynamoDB, p99', measured: `${cpu.p99} ms`, budget: '' },
  ...tokens.flatMap(({ algorithm, p50, p99, steps }) => [
    { what: `authorizer, warm, one ${algorithm} token: CPU, p50`, measured: `${p50} ms`, budget: '' },
    { what: `authorizer, warm, one ${algorithm} token: CPU, p99`, measured: `${p99} ms`, budget: '' },
    {
      what: `authorizer, warm, ${algorithm}: calls of stores and network`,
      measured: String(steps),
      budget: '0',
    },
  ]),
  ...Object.entries(imports).map(([what, value]) => ({
    what: `import of ${what}`,
    measured: String(value),
    budget: what.includes('/') ? '1.3' : '',
  })),
  ...coldStarts.flatMap(({ name, memoryMb, ...cold }) => {
    const what = `cold start of the ${name} function, ${memoryMb} MiB`;
    return [
      { what: `${what}: bundle loaded, p50`, measured: `${cold.importedP50} ms`, budget: '' },
      { what: `${what}: first answer, p50`, measured: `${cold.answeredP50} ms`, budget: '' },
      { what: `${what}: first answer, p99`, measured: `${cold.answeredP99} ms`, budget: '' },
      { what: `${what}: CPU to the first answer, p50`, measured: `${cold.cpuP50} ms`, budget: '' },
      { what: `${what}: TLS handshakes to the store`, measured: String(cold.handshakesP50), budget: '1' },
    ];
  }),
  ...gateways.flatMap(({ name, addedP50, together }, index) => [
    {
      what: `${name}: added to a call, one caller, p50`,
      measured: `${addedP50} ms`,
      budget: index === 0 ? '4 ms' : '',
    },
    {
      what: `${name}: calls a second, 32 callers`,
      measured: String(together.perSecond),
      budget: index === 0 ? '400' : '',
    },
  ]),
];

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
const results = { date: new Date().toISOString().slice(0, 10), machine, requests: cpu.requests, rows };
writeFileSync(join(ROOT, 'bench', 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
writeTables();
process.stdout.write(`${rows.map((row) => `${row.what}: ${row.measured}`).join('\n')}\n`);

/** Replaces what stands between the two marks of the document. */
function writeTables(): void {
  const file = join(ROOT, 'docs', 'performance.md');
  const table = rows.map(({ what, measured, budget }) => `| ${what} | ${measured} | ${budget} |`).join('\n');
  const block = `<!-- bench:begin -->\nMeasured ${results.date} on ${machine}.\n\n| What | Measured | Budget |\n|---|--:|--:|\n${table}\n<!-- bench:end -->`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/<!-- bench:begin -->[\s\S]*<!-- bench:end -->/, () => block),
  );
}
