// Compares the local stack with another gateway in front of the same mock provider: added latency and throughput.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './assembly.ts';
import { freePort } from './free-port.ts';
import { type Load, load, type Target } from './load.ts';
import { round } from './statistics.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const CALLERS = 32;
const CALLS_ALONE = 2_000;
const CALLS_TOGETHER = 6_000;
const WARM_UP = 1_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** One gateway's figures. */
interface GatewayFigures {
  readonly name: string;
  /** Milliseconds that a call adds to one to the provider itself, with one caller. */
  readonly addedP50: number;
  readonly together: Load;
}

/** Measures both, one after the other. */
export async function measureGateways(): Promise<GatewayFigures[]> {
  const provider = fork(join(import.meta.dirname, 'mock-provider.ts'));
  try {
    const [port] = (await once(provider, 'message')) as [number];
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const direct = await measureAlone({
      url: `${baseUrl}/chat/completions`,
      headers: JSON_TYPE,
      body: chat(),
    });
    return [
      await withTemporaryFolder((folder) => measureLocalStack(folder, baseUrl, direct)),
      await measurePortkey(baseUrl, direct),
    ];
  } finally {
    await end(provider);
  }
}

function chat(): string {
  return JSON.stringify({
    model: 'mock-1',
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'Hello' }],
  });
}

async function measureAlone(target: Target): Promise<number> {
  await load(target, CALLERS, WARM_UP);
  return (await load(target, 1, CALLS_ALONE)).p50;
}

async function measure(name: string, target: Target, direct: number): Promise<GatewayFigures> {
  const addedP50 = round((await measureAlone(target)) - direct);
  return { name, addedP50, together: await load(target, CALLERS, CALLS_TOGETHER) };
}

async function measureLocalStack(folder: string, baseUrl: string, direct: number): Promise<GatewayFigures> {
  const settings = join(folder, 'settings.yaml');
  writeFileSync(
    settings,
    `organization: acme\nproviders: { mock: { type: openai, baseUrl: ${baseUrl} } }\n---\n` +
      'neuron: acme/hello\naccess: { public: true }\nflow: [{ callModel: { provider: mock, model: mock-1 } }]\n',
  );
  const stack = spawn(
    process.execPath,
    [join(ROOT, 'bin/start.js'), '--ephemeral', '--port=0', `--apply=${settings}`],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    const target = {
      url: `${await readyUrl(stack)}/acme/hello`,
      headers: JSON_TYPE,
      body: '{"input":"Hello"}',
    };
    return await measure('the local stack', target, direct);
  } finally {
    await end(stack);
  }
}

async function readyUrl(stack: ChildProcess): Promise<string> {
  if (stack.stdout === null) throw new Error('the output of the stack is not read');
  for await (const line of createInterface(stack.stdout)) {
    if (line.startsWith('ready ')) return line.slice('ready '.length);
  }
  throw new Error('the local stack did not start');
}

async function measurePortkey(baseUrl: string, direct: number): Promise<GatewayFigures> {
  const folder = join(import.meta.dirname, 'peers');
  const words = ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
  if (!existsSync(join(folder, 'node_modules')))
    execFileSync('npm', words, { cwd: folder, stdio: 'inherit' });
  const port = await freePort();
  const gateway = spawn(
    process.execPath,
    [join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js'), `--port=${port}`, '--headless'],
    { stdio: 'ignore', env: { PATH: process.env['PATH'], NODE_ENV: 'production' } },
  );
  const headers = {
    ...JSON_TYPE,
    authorization: 'Bearer none',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': baseUrl,
  };
  try {
    await untilListening(port);
    const url = `http://127.0.0.1:${port}/v1/chat/completions`;
    return await measure('Portkey gateway 1.15.2', { url, headers, body: chat() }, direct);
  } finally {
    await end(gateway);
  }
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(`http://127.0.0.1:${port}/`)
        .then(() => true)
        .catch(() => false)
    )
      return;
    await sleep(100);
  }
  throw new Error('the other gateway did not start');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
