// `npm start` with settings of one's own: they are applied once, by a process of their own, and what cannot be applied says why.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callUrl } from './support/call.ts';
import { ROOT, runNeuron } from './support/command.ts';
import { expectRaw } from './support/expect-answer.ts';
import { descendantsOf, stillRunning } from './support/processes.ts';
import { ENGINE, isLocal } from './support/stack.ts';

/** A neuron that everybody may call without a limit: the command warns of it before it changes anything. */
const settingsOf = (word: string) => `organization: acme
---
neuron: acme/hello
access: { public: true }
flow: [{ serveOutput: { text: "${word} {{input}}" } }]
`;

/** A file with a name that a shell would take apart. */
function writeSettings(text: string): string {
  const folder = join(temporaryFolder(), "it's a folder");
  mkdirSync(folder);
  const file = join(folder, 'my settings.yaml');
  writeFileSync(file, text);
  return file;
}

/** A runner of these settings. */
function run(dataFolder: string, settings: string, output: 'pipe' | number = 'pipe') {
  const words = [`--data=${dataFolder}`, '--port=0', `--apply=${settings}`, `--engine=${ENGINE}`];
  const child = spawn(process.execPath, ['bin/start.js', ...words], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', output, output],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const outputs = join(dataFolder, 'outputs.json');
  const isUp = () => expect.poll(() => existsSync(outputs)).toBe(true);
  return {
    pid: child.pid ?? 0,
    printed: () => printed,
    isUp,
    isReady: () => expect.poll(() => printed).toMatch(/^ready http/m),
    hello: async () => {
      const { endpoints } = JSON.parse(readFileSync(outputs, 'utf8')) as { endpoints: { url: string } };
      return callUrl(endpoints.url, '/acme/hello?rawOutput=1', { json: { input: 'Hello' } });
    },
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
    ended,
  };
}

describe.runIf(isLocal)('npm start with settings', () => {
  it('applies them once: a later `neuron apply` stays after another start', async () => {
    const dataFolder = temporaryFolder();
    const settings = writeSettings(settingsOf('one'));
    const first = run(dataFolder, settings);
    await first.isReady();
    expectRaw(await first.hello(), 'one Hello');
    const later = writeSettings(settingsOf('two'));
    const applied = await runNeuron(['apply', later, `--local=${dataFolder}`, '--yes']);
    expect(applied.exitCode).toBe(0);
    expect(await first.stop()).toBe(0);
    const second = run(dataFolder, settings);
    await second.isReady();
    await expect.poll(async () => (await second.hello()).text).toBe('two Hello');
    expect(await second.stop()).toBe(0);
  });

  it('stops where they are not applied: what is wrong, exit 1, and nothing left', async () => {
    const dataFolder = temporaryFolder();
    const started = run(dataFolder, writeSettings('organization: acme\nnonsense: true\n'));
    expect(await started.ended).toBe(1);
    expect(started.printed()).toContain('nonsense');
    expect(started.printed()).toContain('were not applied, so the stack was stopped');
    expect(started.printed()).not.toContain('ready http');
    expect(existsSync(join(dataFolder, 'outputs.json'))).toBe(false);
    expect(existsSync(join(dataFolder, 'applied.sha256'))).toBe(false);
  });

  it('ends while they are applied, and leaves no process', async () => {
    const dataFolder = temporaryFolder();
    const started = run(dataFolder, writeSettings(settingsOf('one')));
    await started.isUp();
    const below = descendantsOf(started.pid);
    expect(await started.stop()).toBe(0);
    await expect.poll(() => stillRunning(below)).toEqual([]);
    expect(started.printed()).not.toContain('aborted');
  });

  it('applies them where its output, warnings included, goes to a disk that is full', async () => {
    const started = run(temporaryFolder(), writeSettings(settingsOf('full')), openSync('/dev/full', 'w'));
    await started.isUp();
    await expect.poll(async () => (await started.hello()).text).toBe('full Hello');
    expect(await started.stop()).toBe(0);
  });
});
