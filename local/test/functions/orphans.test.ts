// No process outlives the runner, however the runner ends.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isRunning } from '../support/processes.ts';

const RUNNER = join(import.meta.dirname, '../fixtures/http-runner.ts');

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'ends the processes, idle or at work, when the runner gets %s',
  async (signal) => {
    const runner = spawn(process.execPath, [RUNNER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await new Promise<string[]>((resolve) =>
      runner.stdout.once('data', (data: Buffer) => resolve([String(data)])),
    );
    const { pids, logFolder } = JSON.parse(line ?? '') as { pids: number[]; logFolder: string };
    expect(pids.filter(isRunning)).toHaveLength(2);
    runner.kill(signal);
    while (pids.some(isRunning)) await sleep(20);
    rmSync(logFolder, { recursive: true, force: true });
  },
);

it('lets a run end when a terminal sends Ctrl-C to the group of the runner', async () => {
  const runner = spawn(process.execPath, [RUNNER, 'finish'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let text = '';
  runner.stdout.on('data', (data: Buffer) => {
    text += String(data);
  });
  while (!text.includes('\n')) await sleep(20);
  const { logFolder } = JSON.parse(text) as { logFolder: string };
  process.kill(-Number(runner.pid), 'SIGINT');
  await new Promise((resolve) => runner.on('close', resolve));
  expect(text.split('\n')[1]).toBe('succeeded');
  rmSync(logFolder, { recursive: true, force: true });
});
