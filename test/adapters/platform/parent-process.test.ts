// A program that watches its parent ends when the parent is killed, which passes on no signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const MODULE = pathToFileURL(`${import.meta.dirname}/../../../adapters/platform/parent-process.ts`).href;
const WATCHER = (name: string) =>
  `import { ${name} } from ${JSON.stringify(MODULE)};
   ${name}(() => process.exit(0)); console.log(process.pid); setTimeout(() => process.exit(9), 20_000);`;
/** Starts the watcher and prints what it prints. */
const PARENT = `const { spawn } = require('node:child_process');
  spawn(process.execPath, ['--input-type=module', '-e', process.argv[1]], { stdio: ['ignore', 'inherit', 'inherit'] });
  setTimeout(() => {}, 20_000);`;

async function startBelowParent(name: string) {
  const { npm_lifecycle_event: _none, ...env } = process.env;
  const parent = spawn(process.execPath, ['-e', PARENT, WATCHER(name)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
  return { parent, child: Number(line) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('ends with its parent, and not before', async () => {
  const { parent, child } = await startBelowParent('watchParent');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(child), { timeout: 5_000 }).toBe(false);
});

it('outlives a shell where only npm is watched and did not start it', async () => {
  const { parent, child } = await startBelowParent('watchNpm');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await new Promise((resolve) => setTimeout(resolve, 800));
  const outlived = isAlive(child);
  process.kill(child, 'SIGKILL');
  expect(outlived).toBe(true);
});
