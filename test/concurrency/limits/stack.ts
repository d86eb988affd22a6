// Runs scenarios through the whole local stack: real HTTP, authorizer, execution function, tables; every counter write goes through the proxy.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printYaml } from '../../../adapters/yaml/print-yaml.ts';
import { COMPILE_CACHE, synthesize } from '../../../bin/start/synthesize.ts';
import { signWithSecret } from '../../core/access/tokens.ts';
import { callUrl } from '../../e2e/support/call.ts';
import { ROOT, runNeuron } from '../../e2e/support/command.ts';
import { readOutputs } from '../../e2e/support/tables.ts';
import { type Answered, drive, type Sender } from './drive.ts';
import type { LossyProxy } from './lossy-proxy.ts';
import { documentsOf, type Outcome, type Scenario } from './scenario.ts';

/** Environments of each function. */
const ENVIRONMENTS = 16;
const SECRET = 'secret-of-the-issuer-of-the-limits-proof';
const WINDOW_MS = 10_000;
/** Longer windows end on this grid at the earliest; no scenario takes so long that it would meet two edges. */
const GRID_MS = 12 * 3_600_000;
const MAX_SCENARIO_MS = 180_000;

/** A stack that is ready for scenarios. */
export interface StackRun {
  run(scenario: Scenario, index: number): Promise<readonly Outcome[]>;
  stop(): Promise<void>;
}

/** How to start it; `shards` of every limit of total requests, as the stage says by default. */
export interface StackSettings {
  readonly proxy: LossyProxy;
  /** Told where the tables are, as soon as that is known. */
  readonly onDatabase: (url: string) => void;
  readonly providerUrl: string;
  readonly shards: number | undefined;
}

/** Starts the stack on copies of the template that `npm start` runs. */
export async function startStackRun({
  proxy,
  onDatabase,
  providerUrl,
  shards,
}: StackSettings): Promise<StackRun> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-limits-'));
  const data = join(folder, 'data');
  const variables = shards === undefined ? {} : { COUNTER_SHARDS: shards };
  const assembly = await copyAssembly(join(folder, 'assembly'), variables);
  const options = {
    ...{
      assembly,
      data,
      port: 0,
      concurrency: ENVIRONMENTS,
      engine: 'dynoxide',
      loopbackSymbol: 'neuron.loopback',
    },
    functionEndpoints: { dynamodb: proxy.url },
  };
  const child = spawn(process.execPath, ['test/e2e/support/run-assembly.ts', JSON.stringify(options)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await whenReady(child);
  onDatabase(readOutputs(data).endpoints.dynamodb);
  return {
    async run(scenario, index) {
      const slug = `proof-${index}`;
      await apply(scenario, { slug, data, folder, providerUrl });
      const keys = await createKeys(scenario, slug, data);
      const firstMs = await waitForWindow(scenario);
      const tokenOf = (user: number) => keys[user] ?? signFor(user);
      const send = createSender(scenario, { slug, url, firstMs, tokenOf });
      return drive({ scenario, index, numbers: byWindow(scenario) }, scenario.callers, send);
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The assembly that `npm start` runs, with other values of functions' variables. */
export async function copyAssembly(
  copy: string,
  variables: Readonly<Record<string, number>>,
): Promise<string> {
  const folder = join(ROOT, '.local', 'cdk', 'local');
  await synthesize({ root: ROOT, folder, stage: 'local', transferMode: undefined });
  // Another run may be writing what Node compiled.
  const filter = (path: string) => basename(path) !== COMPILE_CACHE;
  cpSync(folder, copy, { recursive: true, filter });
  const [template] = globSync('NeuronApi*.template.json', { cwd: copy });
  const path = join(copy, template ?? '');
  for (const [name, value] of Object.entries(variables)) {
    const text = readFileSync(path, 'utf8');
    const changed = text.replaceAll(new RegExp(`"${name}": ?"\\d+"`, 'g'), `"${name}":"${value}"`);
    if (changed === text) throw new Error(`the template has no other ${name}`);
    writeFileSync(path, changed);
  }
  return copy;
}

/** The URL of the stack. */
export function whenReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const url = /^ready (http:\S+)$/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the stack ended with ${code}:\n${output}`)));
  });
}

async function apply(
  scenario: Scenario,
  { slug, data, folder, providerUrl }: { slug: string; data: string; folder: string; providerUrl: string },
): Promise<void> {
  const { organization, neurons } = documentsOf(scenario, slug, providerUrl);
  const file = join(folder, `${slug}.yaml`);
  writeFileSync(file, printYaml([organization, ...neurons]));
  await operate(['apply', file], data);
  if (scenario.users > 0 && scenario.keyLimits === undefined)
    await operate(['secrets', 'set', slug, 'proof', '--for', 'jwt'], data, SECRET);
}

/** One for each user, with the limits of the scenario. */
async function createKeys(
  { users, keyLimits }: Scenario,
  slug: string,
  data: string,
): Promise<readonly string[]> {
  if (keyLimits === undefined) return [];
  const limits = keyLimits.flatMap(({ metric, limit, period }) => [
    '--limit',
    `${metric} ${limit} ${period}`,
  ]);
  const keys: string[] = [];
  for (let user = 0; user < users; user += 1)
    keys.push(await operate(['keys', 'create', slug, '--name', `user ${user}`, ...limits], data));
  return keys;
}

/** What the command prints. */
export async function operate(words: readonly string[], data: string, input?: string): Promise<string> {
  const args = [...words, `--local=${data}`, '--yes'];
  const { exitCode, stdout, stderr } = await runNeuron(args, input === undefined ? {} : { input });
  if (exitCode !== 0) throw new Error(`neuron ${words.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** Waits until the scenario fits before the next edge that it is not about; returns where its first window begins. */
async function waitForWindow({ windows }: Scenario): Promise<number> {
  const leftMs = GRID_MS - (Date.now() % GRID_MS);
  if (leftMs < MAX_SCENARIO_MS) await sleep(leftMs + 1_000);
  if (windows === 1) return 0;
  // All windows of 10 s in one minute, the first from its beginning on.
  const now = Date.now();
  let firstMs = Math.ceil((now + 1) / WINDOW_MS) * WINDOW_MS;
  while ((firstMs % 60_000) + windows * WINDOW_MS > 60_000) firstMs += WINDOW_MS;
  await sleep(firstMs - now + 50);
  return firstMs;
}

/** Window after window. */
function byWindow({ offers, windows }: Scenario): readonly number[] {
  return Array.from({ length: offers }, (_, number) => number).toSorted(
    (a, b) => (a % windows) - (b % windows),
  );
}

/** Where the requests of a scenario go, and with whose token. */
interface Target {
  readonly slug: string;
  readonly url: string;
  readonly firstMs: number;
  readonly tokenOf: (user: number) => string;
}

function createSender(scenario: Scenario, { slug, url, firstMs, tokenOf }: Target): Sender {
  return async (offer) => {
    const { windows } = scenario;
    if (windows > 1) await waitAroundEdge(firstMs + (offer.window ?? 0) * WINDOW_MS, offer.window === 0);
    const windowNow = () => Math.floor((Date.now() - firstMs) / WINDOW_MS);
    const sentIn = windowNow();
    const answer = await callUrl(url, `/${slug}/n${offer.neuron}?rawOutput=1`, {
      json: { input: offer.id },
      from: `127.0.0.${offer.address + 2}`,
      ...(scenario.users === 0 ? {} : { headers: { authorization: `Bearer ${tokenOf(offer.user)}` } }),
    }).catch((error: unknown) => ({ status: 0, headers: {}, json: () => ({ code: String(error) }) }));
    return {
      ...toAnswered(answer),
      window: windows === 1 ? 0 : sentIn === windowNow() ? sentIn : undefined,
    };
  };
}

/** From shortly before the edge on, so that requests are on their way when it comes; never before the first window. */
async function waitAroundEdge(edgeMs: number, isFirst: boolean): Promise<void> {
  const atMs = edgeMs + (isFirst ? 0 : -500) + Math.random() * 2_000;
  await sleep(Math.max(0, atMs - Date.now()));
}

function signFor(user: number): string {
  const claims = { sub: `user-${user}`, exp: Math.floor(Date.now() / 1000) + 600 };
  return signWithSecret(claims, { alg: 'HS256', typ: 'JWT' }, SECRET);
}

function toAnswered(answer: {
  status: number;
  json: () => Record<string, unknown>;
}): Omit<Answered, 'window'> {
  if (answer.status === 200) return { code: 'ok', retryAfterSeconds: undefined };
  const { code, retryAfter } = answer.json();
  return {
    code: typeof code === 'string' ? code : `status ${answer.status}`,
    retryAfterSeconds: typeof retryAfter === 'number' ? retryAfter : undefined,
  };
}
