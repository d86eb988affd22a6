// Gateways of others, with the versions and the configuration of bench/peers.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../assembly.ts';
import { freePort } from '../free-port.ts';
import { chat, end, type Gateway, JSON_TYPE, startServer } from './gateway.ts';

const FOLDER = join(import.meta.dirname, '..', 'peers');
const PORTKEY = 'node_modules/@portkey-ai/gateway/build/start-server.js';
/** Not below bench, whose files the tests read. */
const VENV = join(ROOT, '.local', 'litellm');

/** Portkey's open gateway, from npm. */
export async function startPortkey(baseUrl: string): Promise<Gateway> {
  const words = ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
  if (!isNewer(join(FOLDER, 'node_modules/.package-lock.json'), join(FOLDER, 'package-lock.json')))
    execFileSync('npm', words, { cwd: FOLDER, stdio: 'inherit' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const command = [process.execPath, join(FOLDER, PORTKEY), `--port=${port}`, '--headless'] as const;
  const server = await startServer([...command], { NODE_ENV: 'production' }, `${url}/`);
  const headers = {
    ...JSON_TYPE,
    authorization: 'Bearer none',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': baseUrl,
  };
  return toGateway('Portkey gateway 1.15.2', server, { url, headers });
}

/**
 * LiteLLM's proxy, from PyPI, as its page "Production Best Practices" (docs.litellm.ai/docs/proxy/prod) recommends: a master key, mode
 * and log level of production, a worker for each CPU. It has no database and keeps no record of a call.
 */
export async function startLiteLlm(baseUrl: string): Promise<Gateway> {
  installLiteLlm();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = [`--config=${join(FOLDER, 'litellm.yaml')}`, '--host=127.0.0.1', `--port=${port}`];
  const server = await startServer(
    [join(VENV, 'bin', 'litellm'), ...options, `--num_workers=${cpus().length}`],
    { LITELLM_MODE: 'PRODUCTION', LITELLM_LOG: 'ERROR', MOCK_PROVIDER: baseUrl },
    `${url}/health/liveliness`,
  );
  const headers = { ...JSON_TYPE, authorization: 'Bearer sk-bench' };
  return toGateway('LiteLLM 1.106.0', server, { url, headers });
}

/** A gateway with OpenAI's interface, all of whose processes count as one. */
function toGateway(
  name: string,
  server: Awaited<ReturnType<typeof startServer>>,
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Gateway {
  return {
    name,
    pid: server.pid,
    nameProcess: () => 'all',
    target: (text) => ({ url: `${url}/v1/chat/completions`, headers, body: chat(text) }),
    variants: {},
    stop: () => end(server),
  };
}

/** True where the installed packages are those of the current list. */
function isNewer(installed: string, list: string): boolean {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(list).mtimeMs;
}

/** Throws where there is no Python, or no registry with the packages. */
function installLiteLlm(): void {
  if (isNewer(join(VENV, 'installed'), join(FOLDER, 'requirements.txt'))) return;
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('python3', '-m', 'venv', '--clear', VENV);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
  run(join(VENV, 'bin', 'python3'), ...pip, '--requirement', join(FOLDER, 'requirements.txt'));
  run('touch', join(VENV, 'installed'));
}
