// `npm run prove:neighbour`: one organization holds its runs as long as it can; what another meets meanwhile, without the stage's default for runs at
// once and with it. Prints both, and writes docs/proof/neighbour.json.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callUrl } from '../e2e/support/call.ts';
import { ROOT } from '../e2e/support/command.ts';
import { copyAssembly, operate, whenReady } from './limits/stack.ts';

/** Execution environments, as many as the function's reserved concurrency would allow. */
const ENVIRONMENTS = 8;
/** Half of them, as in prod. */
const DEFAULT_CONCURRENCY = 4;
const NOISY_CALLERS = 16;
const QUIET_CALLS = 30;
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
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One stack; without a default where it is undefined. */
async function measure(
  organizationConcurrency: number | undefined,
): Promise<{ alone: Met; beside: Met; noisy: Record<string, number> }> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-neighbour-'));
  const data = join(folder, 'data');
  const variables =
    organizationConcurrency === undefined ? {} : { ORGANIZATION_CONCURRENCY: organizationConcurrency };
  const options = {
    ...{ assembly: await copyAssembly(join(folder, 'assembly'), variables), data, port: 0 },
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
    await callAll(url, ENVIRONMENTS);
    const alone = await callAll(url, QUIET_CALLS);
    const noise = makeNoise(url);
    await sleep(2_000);
    const beside = await callAll(url, QUIET_CALLS);
    return { alone, beside, noisy: await noise.stop() };
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
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
  let errors = 0;
  for (let made = 0; made < calls; made += 1) {
    const began = performance.now();
    if ((await statusOf(url, '/quiet/quick')) !== 200) errors += 1;
    times.push(performance.now() - began);
    await sleep(PAUSE_MS);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.min(calls - 1, Math.floor(calls * share))] ?? 0);
  return { calls, errors, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function statusOf(url: string, path: string): Promise<number> {
  return callUrl(url, path, { json: { input: 'Hello' } }).then(
    ({ status }) => status,
    () => 0,
  );
}

const without = await measure(undefined);
const limited = await measure(DEFAULT_CONCURRENCY);
for (const [name, { alone, beside, noisy }] of Object.entries({ without, limited })) {
  const line = ({ errors, calls, p50Ms, p99Ms }: Met) =>
    `${errors} of ${calls} failed, p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
  process.stdout.write(
    `${name}\n  alone:  ${line(alone)}\n  beside: ${line(beside)}\n  noisy:  ${JSON.stringify(noisy)}\n`,
  );
}
const proof = {
  name: 'neighbour',
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
  environments: ENVIRONMENTS,
  organizationConcurrency: DEFAULT_CONCURRENCY,
  without,
  limited,
};
writeFileSync(join(ROOT, 'docs/proof/neighbour.json'), `${JSON.stringify(proof, null, 2)}\n`);
