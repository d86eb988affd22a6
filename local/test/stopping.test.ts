// Tests of how a local run ends, by request and by force, and of the start after it.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { get, lockOf, notes, post, prepare, processesOf, setSecret, start } from './notes-run.ts';
import { isRunning } from './support/processes.ts';

const MODULE = new URL('../index.ts', import.meta.url).href;

describe('stopping', () => {
  it('leaves no process, and the data is there at the next start', async () => {
    const { root, data } = prepare();
    const first = await start(root, data);
    await post(first.local, 'tea', 'green');
    await setSecret(first.local, 'green tea');
    const { pid } = lockOf(data).engine;
    await first.local.stop();
    expect(isRunning(pid)).toBe(false);
    expect(processesOf(data)).toEqual([]);
    const second = await start(root, data);
    expect(await get(second.local, 'tea')).toMatchObject({
      body: { notes: ['green'], secret: 'green tea' },
    });
  });

  it('deletes the data of an ephemeral run', async () => {
    const { root, data } = prepare();
    const { local } = await start(root, data, { ephemeral: true });
    expect(local.dataFolder).not.toBe(data);
    await local.stop();
    expect(existsSync(local.dataFolder)).toBe(false);
    expect(readdirSync(data)).toEqual([]);
  });

  it('ends all processes when the runner is killed, and the next start finds what was answered', async () => {
    const { root, data } = prepare();
    const { runner, url } = await startRunner(root, data);
    expect((await post({ url }, 'tea', 'green')).status).toBe(201);
    const { pid } = lockOf(data).engine;
    runner.kill('SIGKILL');
    const { local } = await start(root, data);
    expect(isRunning(pid)).toBe(false);
    expect(await notes(local, 'tea')).toEqual(['green']);
    await local.stop();
    await expect.poll(() => processesOf(data), { timeout: 10_000 }).toEqual([]);
  });

  it('lets the next start work after the database was killed', async () => {
    const { root, data } = prepare();
    const first = await start(root, data);
    await post(first.local, 'tea', 'green');
    process.kill(lockOf(data).engine.pid, 'SIGKILL');
    await expect
      .poll(() => first.lines, { timeout: 10_000 })
      .toContainEqual(expect.stringContaining('the database has ended'));
    expect((await get(first.local, 'tea')).status).toBe(502);
    await first.local.stop();
    const second = await start(root, data);
    expect(await notes(second.local, 'tea')).toEqual(['green']);
  });
});

async function startRunner(root: string, data: string): Promise<{ runner: ChildProcess; url: string }> {
  const options = JSON.stringify({ assembly: root, data, port: 0 });
  const program = `
    const { startLocal } = await import(${JSON.stringify(MODULE)});
    const local = await startLocal({ ...${options}, log: () => undefined });
    console.log(local.url);`;
  const args = ['--input-type=module', '-e', program];
  const runner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void runner.kill('SIGKILL'));
  for await (const chunk of runner.stdout) return { runner, url: String(chunk).trim() };
  throw new Error('the runner did not start');
}
