// The local stack as a gateway: the template of the stage `local`, with its functions, the runner and the embedded database.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../assembly.ts';
import { end, type Gateway, JSON_TYPE } from './gateway.ts';
import type { NameProcess } from './processes.ts';

interface LocalStackOptions {
  readonly concurrency?: number;
  readonly root?: string;
  /** With `shared`, up to 64 calls run in one process. */
  readonly compute?: 'shared';
}

/** Starts that of a checkout in front of a provider; its settings are written into `folder`. */
export async function startLocalStack(
  folder: string,
  baseUrl: string,
  { concurrency = 2, root = ROOT, compute }: LocalStackOptions = {},
): Promise<Gateway> {
  const settings = join(folder, 'settings.yaml');
  writeFileSync(settings, settingsFor(baseUrl));
  const stack = spawn(
    process.execPath,
    [
      join(root, 'bin/start.js'),
      '--ephemeral',
      '--port=0',
      `--apply=${settings}`,
      `--concurrency=${concurrency}`,
      ...(compute === undefined ? [] : [`--compute=${compute}`]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await readyUrl(stack).catch(async (error: unknown) => {
    await end(stack);
    throw error;
  });
  const target = (neuron: string, text: string) => ({
    url: `${url}/acme/${neuron}`,
    headers: JSON_TYPE,
    body: JSON.stringify({ input: text }),
  });
  return {
    name: compute === undefined ? 'the local stack' : 'the local stack, 64 calls in a process',
    pid: stack.pid ?? 0,
    nameProcess,
    target: (text) => target('hello', text),
    variants: { 'with a limit': target('limited', 'Hello'), 'from the cache': target('cached', 'Hello') },
    stop: () => end(stack),
  };
}

/** A neuron for each kind of call. The limit is never reached: its cost is measured. */
function settingsFor(baseUrl: string): string {
  const neuron = (name: string, more = '') =>
    `---\nneuron: acme/${name}\naccess: { public: true }\n${more}maxInputBytes: 1000000\n` +
    'flow: [{ callModel: { provider: mock, model: mock-1 } }]\n';
  return [
    `organization: acme\nproviders: { mock: { type: openai, baseUrl: ${baseUrl} } }\n`,
    neuron('hello'),
    neuron('limited', 'rateLimits: [{ metric: requests, scope: ip, limit: 1000000000, period: 1m }]\n'),
    neuron('cached', 'caching: { exact: true }\n'),
    neuron('streamed', 'deadline: 4m\n'),
    '---\nneuron: acme/agent\naccess: { public: true }\nmaxInputBytes: 1000000\n',
    'flow: [{ callModel: { provider: mock, model: mock-1, accepts: all } }]\n',
  ].join('');
}

const nameProcess: NameProcess = (commandLine, environment) => {
  if (commandLine.includes('dynoxide')) return 'embedded database';
  const [, name] = /AWS_LAMBDA_FUNCTION_NAME=\S*?(Authorizer|Executor|Rollup)/.exec(environment) ?? [];
  if (name === undefined)
    return environment.includes('AWS_LAMBDA_FUNCTION_NAME=') ? 'other functions' : 'runner';
  return { Authorizer: 'authorizer', Executor: 'execution function', Rollup: 'usage function' }[name] ?? name;
};

async function readyUrl(stack: ChildProcess): Promise<string> {
  if (stack.stdout === null) throw new Error('the output of the stack is not read');
  for await (const line of createInterface(stack.stdout)) {
    if (line.startsWith('ready ')) return line.slice('ready '.length);
  }
  throw new Error('the local stack did not start');
}
