// How long the command takes to start, and the first `npm start` of a clone: milliseconds of the wall clock.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './assembly.ts';
import { end } from './gateways/gateway.ts';

/** Repeated times. */
export interface StartFigures {
  readonly help: readonly number[];
  readonly list: readonly number[];
  readonly firstStart: readonly number[];
}

/** Made anew by a first start: the assembly, and what Node compiled. */
const MADE = ['.local/cdk/local', 'node_modules/.cache/neuron'].map((path) => join(ROOT, path));

export async function measureStarts(repeats: number): Promise<StartFigures> {
  const firstStart: number[] = [];
  const help: number[] = [];
  const list: number[] = [];
  for (let time = 0; time < repeats; time += 1) {
    const { startedMs, data, stop } = await startFirst();
    firstStart.push(startedMs);
    try {
      // Compiled by the first of each.
      for (const line of ['--help', `list --local=${data}`]) timeCommand(line);
      for (let run = 0; run < 5; run += 1) {
        help.push(timeCommand('--help'));
        list.push(timeCommand(`list --local=${data}`));
      }
    } finally {
      await stop();
    }
  }
  return { help, list, firstStart };
}

function timeCommand(line: string): number {
  const beganMs = performance.now();
  execFileSync(process.execPath, [join(ROOT, 'bin/neuron.js'), ...line.split(' ')], { stdio: 'ignore' });
  return performance.now() - beganMs;
}

/** As in a clone that was just installed; what was made before is put back. */
async function startFirst() {
  for (const path of MADE) if (existsSync(path)) renameSync(path, `${path}.kept`);
  const beganMs = performance.now();
  const options = ['--ephemeral', '--port=0'];
  const stack = spawn(process.execPath, [join(ROOT, 'bin/start.js'), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const data = await readyFolder(stack.stdout);
  const startedMs = performance.now() - beganMs;
  return {
    startedMs,
    data,
    async stop() {
      await end(stack);
      for (const path of MADE) {
        if (!existsSync(`${path}.kept`)) continue;
        rmSync(path, { recursive: true, force: true });
        renameSync(`${path}.kept`, path);
      }
    },
  };
}

async function readyFolder(output: NodeJS.ReadableStream): Promise<string> {
  let data = '';
  for await (const line of createInterface(output)) {
    data = /^Data in (\S+),/.exec(line)?.[1] ?? data;
    if (line.startsWith('ready ')) return data;
  }
  throw new Error('the local stack did not start');
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify(await measureStarts(Number(process.argv[2] ?? 1)), null, 1)}\n`);
}
