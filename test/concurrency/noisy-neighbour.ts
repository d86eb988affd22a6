// `npm run prove:neighbour [-- --calls 200 --out FILE]`: one organization holds its runs as long as it can; what another meets before, meanwhile and
// after, without the stage's default for runs at once and with it. Prints both, and writes docs/proof/neighbour.json.
import { execFileSync, spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callUrl } from '../e2e/support/call.ts';
import { ROOT } from '../e2e/support/command.ts';
import { copyAssembly, operate, whenReady } from './limits/stack.ts';

/** The execution function's reserved concurrency: like Lambda, the local run refuses what is beyond it with 503 overloaded. */
const ENVIRONMENTS = 8;
/** Half of them, as in prod. */
const DEFAULT_CONCURRENCY = 4;
const NOISY_CALLERS = 16;
const QUIET_CALLS = 200;
const PAUSE_MS = 50;

const SETTINGS = `organization: noisy
providers: { demo: { type: echo, delay: 2s } }
---
neuron: noisy/slow
access: { public: true }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 10, retries: 0 } }]
---
organization: quiet
providers: { demo: { type: echo } }
---
neuron: quiet/quick
access: { public: true }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 10, retries: 0 } }]
`;

/** What the quiet organization met. */
interface Met {
  readonly calls: number;
  readonly errors: number;
  /** In percent. */
  readonly errorRate: number;
  /** Answers by status; 0 for none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Of the calls that succeeded; null where none did. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

interface Measured {
  readonly before: Met;
  readonly meanwhile: Met;
  readonly after: Met;
  readonly noisy: Readonly<Record<string, number>>;
}

/** One stack; without a default where it is undefined. */
async function measure(organizationConcurrency: number | undefined, calls: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-neighbour-'));
  const data = join(folder, 'data');
  const variables =
    organizationConcurrency === undefined ? {} : { ORGANIZATION_CONCURRENCY: organizationConcurrency };
  const assembly = await copyAssembly(join(folder, 'assembly'), variables);
  reserve(assembly, ENVIRONMENTS);
  const options = {
    ...{ assembly, data, port: 0 },
    ...{ concurrency: ENVIRONMENTS, engine: 'dynoxide', loopbackSymbol: 'neuron.loopback' },
  };
  const child = spawn(process.execPath, ['test/e2e/support/run-assembly.ts', JSON.stringify(options)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await whenReady(child);
    const file = join(folder, 'settings.yaml');
    writeFileSync(file, SETTINGS);
    await operate(['apply', file], data);
    // Environments that start are no part of what is measured.
    await Promise.all(Array.from({ length: ENVIRONMENTS }, () => statusOf(url, '/noisy/slow')));
    const before = await callAll(url, calls);
    const noise = makeNoise(url);
    await sleep(2_000);
    const meanwhile = await callAll(url, calls);
    const noisy = await noise.stop();
    return { before, meanwhile, after: await callAll(url, calls), noisy };
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives the execution function so much concurrency in the template. */
function reserve(assembly: string, ReservedConcurrentExecutions: number): void {
  const [file = ''] = globSync('NeuronApi*.template.json', { cwd: assembly });
  const path = join(assembly, file);
  const template = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly Resources: Readonly<Record<string, { readonly Properties?: Record<string, unknown> }>>;
  };
  const functions = Object.values(template.Resources).flatMap(({ Properties }) =>
    Properties !== undefined &&
    JSON.stringify(Properties['Environment'] ?? {}).includes('"ORGANIZATION_CONCURRENCY"')
      ? [Properties]
      : [],
  );
  if (functions.length !== 1)
    throw new Error(`${functions.length} functions have a default for runs at once`);
  Object.assign(functions[0] ?? {}, { ReservedConcurrentExecutions });
  writeFileSync(path, JSON.stringify(template));
}

/** Callers who come again at once when they are answered, and after the second that they are told when they are refused. */
function makeNoise(url: string): { stop(): Promise<Record<string, number>> } {
  const statuses: Record<string, number> = {};
  let goesOn = true;
  const callers = Array.from({ length: NOISY_CALLERS }, async () => {
    while (goesOn) {
      const status = await statusOf(url, '/noisy/slow');
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) await sleep(1_000);
    }
  });
  return {
    async stop() {
      goesOn = false;
      await Promise.all(callers);
      return statuses;
    },
  };
}

/** One call after the other. */
async function callAll(url: string, calls: number): Promise<Met> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  for (let made = 0; made < calls; made += 1) {
    const began = performance.now();
    const status = await statusOf(url, '/quiet/quick');
    if (status === 200) times.push(performance.now() - began);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await sleep(PAUSE_MS);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => {
    const time = times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return time === undefined ? null : Math.round(time);
  };
  const errors = calls - times.length;
  const errorRate = Math.round((1000 * errors) / calls) / 10;
  return { calls, errors, errorRate, statuses, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function statusOf(url: string, path: string): Promise<number> {
  return callUrl(url, path, { json: { input: 'Hello' } }).then(
    ({ status }) => status,
    () => 0,
  );
}

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: String(QUIET_CALLS) },
    out: { type: 'string', default: join(ROOT, 'docs/proof/neighbour.json') },
  },
});
const calls = Number(values.calls);
if (!Number.isInteger(calls) || calls < 1) throw new Error('--calls must be a whole number of at least 1');
const began = performance.now();
const without = await measure(undefined, calls);
const limited = await measure(DEFAULT_CONCURRENCY, calls);
for (const [name, { before, meanwhile, after, noisy }] of Object.entries({ without, limited })) {
  const line = ({ errors, errorRate, p50Ms, p99Ms, ...met }: Met) =>
    `${errors} of ${met.calls} failed (${errorRate} %), p50 ${p50Ms ?? '-'} ms, p99 ${p99Ms ?? '-'} ms ${JSON.stringify(met.statuses)}`;
  process.stdout.write(
    `${name}\n  before:    ${line(before)}\n  meanwhile: ${line(meanwhile)}\n  after:     ${line(after)}\n  noisy:     ${JSON.stringify(noisy)}\n`,
  );
}
const proof = {
  name: 'neighbour',
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
  environments: ENVIRONMENTS,
  organizationConcurrency: DEFAULT_CONCURRENCY,
  noisyCallers: NOISY_CALLERS,
  seconds: Math.round((performance.now() - began) / 1000),
  without,
  limited,
};
writeFileSync(values.out, `${JSON.stringify(proof, null, 2)}\n`);
