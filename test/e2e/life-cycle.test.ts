// Start, stop and start again: nothing is left running, nothing that was written is gone, and what cannot start says why.
import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ROOT, runNode } from './support/command.ts';
import { expectRaw } from './support/expect-answer.ts';
import { descendantsOf, stillRunning } from './support/processes.ts';
import { scenarioSettings } from './support/settings.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
const SETTINGS = scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE });

let dataFolder: string;
let stack: Stack | undefined;
beforeEach(() => {
  dataFolder = temporaryFolder();
});
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const start = (options: Parameters<typeof startStack>[0] = {}) => startStack({ dataFolder, ...options });
const hello = (running: Stack) => running.call('/acme/hello?rawOutput=1', { json: { input: 'Hello' } });
const startAgain = (words: readonly string[]) =>
  runNode(['bin/start.js', '--apply=none', `--engine=${ENGINE}`, ...words]);

describe.runIf(isLocal)('a stack', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with %s, leaves no process, and closes its port',
    async (signal) => {
      stack = await start({ settings: SETTINGS });
      expectRaw(await hello(stack), 'You said: Hello');
      // The database, its watcher and both functions: else there would be nothing to leave behind.
      expect(descendantsOf(stack.pid).length).toBeGreaterThanOrEqual(3);
      await stack.stop(signal);
      await expect(hello(stack)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      expect(existsSync(join(dataFolder, 'outputs.json'))).toBe(false);
    },
  );

  // npm 11 neither hands a signal on nor waits: the runner has to notice.
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with the npm that started it, which %s ended',
    async (signal) => {
      const words = ['start', '--', `--data=${dataFolder}`, '--port=0', '--apply=none', `--engine=${ENGINE}`];
      const npm = spawn('npm', words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void npm.kill('SIGKILL'));
      let output = '';
      for await (const text of npm.stdout.setEncoding('utf8')) {
        output += text;
        if (/^ready http/m.test(output)) break;
      }
      const below = descendantsOf(npm.pid ?? 0);
      expect(below.length).toBeGreaterThanOrEqual(3);
      npm.kill(signal);
      await expect.poll(() => stillRunning(below), { timeout: 10_000 }).toEqual([]);
      expect(existsSync(join(dataFolder, 'outputs.json'))).toBe(false);
    },
  );

  it('goes on where its output goes to a disk that is full', async () => {
    const full = openSync('/dev/full', 'w');
    const words = [`--data=${dataFolder}`, '--port=0', '--apply=none', `--engine=${ENGINE}`];
    const child = spawn(process.execPath, ['bin/start.js', ...words], {
      cwd: ROOT,
      stdio: ['ignore', full, full],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const outputs = join(dataFolder, 'outputs.json');
    await expect.poll(() => existsSync(outputs), { timeout: 20_000 }).toBe(true);
    const { endpoints } = JSON.parse(readFileSync(outputs, 'utf8')) as { endpoints: { url: string } };
    // What follows the file: the lines for the person who started it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await fetch(`${endpoints.url}/acme/hello`, { method: 'POST' })).status).toBe(404);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends while calls are in progress, and the one that is running is answered', async () => {
    stack = await start({ settings: SETTINGS });
    expectRaw(await hello(stack), 'You said: Hello');
    const running = stack.call('/acme/slow?rawOutput=1', { json: { input: 'Hello' } });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await stack.stop();
    expectRaw(await running, 'You said: Hello');
  });

  it('has its settings, versions and entries again after a start with the same data', async () => {
    stack = await start({ settings: SETTINGS });
    const { headers } = await hello(stack);
    const id = String(headers['x-execution-id']);
    await expect.poll(() => stack?.operate(['logs', 'acme', '--json'])).toContain(id);
    const before = await stack.operate(['show', 'acme']);
    await stack.stop();
    stack = await start();
    expectRaw(await hello(stack), 'You said: Hello');
    expect(await stack.operate(['logs', 'acme', '--json'])).toContain(id);
    expect(await stack.operate(['show', 'acme'])).toBe(before);
  });

  it('refuses to start on a port that is taken: exit 1, a message that says what to do, and nothing left', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { exitCode, stdout, stderr } = await startAgain([`--data=${dataFolder}`, `--port=${port}`]);
    await new Promise((resolve) => other.close(resolve));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Port ${port} is in use`);
    expect(`${stdout}${stderr}`).not.toMatch(/\bat .+:\d+:\d+/);
    expect(stdout).not.toContain('ready');
    stack = await start();
  });

  it('refuses to start on data that another stack uses, which goes on undisturbed', async () => {
    stack = await start({ settings: SETTINGS });
    const { exitCode, stderr } = await startAgain([`--data=${dataFolder}`, '--port=0']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(dataFolder);
    expectRaw(await hello(stack), 'You said: Hello');
  });

  it.each([
    ['--port=http'],
    ['--engine=postgres'],
    ['--concurrency=0'],
    ['--stage=nope'],
    ['--ca=/no/such.pem'],
    ['--nonsense'],
  ])('refuses %s: exit 2', async (word) => {
    const { exitCode, stderr } = await startAgain([`--data=${dataFolder}`, word]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(word.split('=')[0]);
  });
});
