// Tests of the engine's process: that it answers, keeps what was written, and never outlives its runner.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCaller } from '../../dynamodb/call.ts';
import { type Engine, startEngine } from '../../dynamodb/engine.ts';
import { isRunning } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODULE = new URL('../../dynamodb/engine.ts', import.meta.url).href;

async function start(kind: 'dynoxide' | 'dynalite', dataFolder: string, endpoint?: string): Promise<Engine> {
  const log = () => undefined;
  const engine = await startEngine({ kind, dataFolder, endpoint, region: 'eu-west-1', onSpawn: log, log });
  onTestFinished(() => engine.stop());
  return engine;
}

const TABLE = {
  TableName: 'kept',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
};

// A runner of its own process: it starts the engine, prints its process id and endpoint, and waits.
async function startRunner(
  kind: string,
  folder: string,
): Promise<{ runner: ChildProcess; pid: number; endpoint: string }> {
  const program = `
    const { startEngine } = await import(${JSON.stringify(MODULE)});
    const log = () => undefined;
    const engine = await startEngine({ kind: '${kind}', dataFolder: '${folder}', region: 'eu-west-1', onSpawn: log, log });
    console.log(JSON.stringify({ pid: engine.pid, endpoint: engine.endpoint }));`;
  const runner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void runner.kill('SIGKILL'));
  return { runner, ...(JSON.parse(await firstChunk(runner)) as { pid: number; endpoint: string }) };
}

async function firstChunk(runner: ChildProcess): Promise<string> {
  for await (const chunk of runner.stdout ?? []) return String(chunk);
  return '';
}

describe.each(['dynoxide', 'dynalite'] as const)('%s', (kind) => {
  it('keeps its data over a stop, and leaves no process', async () => {
    const folder = temporaryFolder();
    const first = await start(kind, folder);
    await createCaller(first.endpoint, 'eu-west-1')('CreateTable', TABLE);
    await first.stop();
    expect(isRunning(first.pid ?? 0)).toBe(false);
    const second = await start(kind, folder);
    expect(await createCaller(second.endpoint, 'eu-west-1')('ListTables', {})).toMatchObject({
      TableNames: ['kept'],
    });
  });

  it('ends when its runner is killed, and keeps its data', async () => {
    const folder = temporaryFolder();
    const { runner, pid, endpoint } = await startRunner(kind, folder);
    await createCaller(endpoint, 'eu-west-1')('CreateTable', TABLE);
    expect(isRunning(pid)).toBe(true);
    runner.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), { timeout: 10_000, interval: 10 }).toBe(false);
    const next = await start(kind, folder);
    expect(await createCaller(next.endpoint, 'eu-west-1')('ListTables', {})).toMatchObject({
      TableNames: ['kept'],
    });
  });

  it('reports that it was killed, and keeps its data', async () => {
    const folder = temporaryFolder();
    const lines: string[] = [];
    const engine = await startEngine({
      kind,
      dataFolder: folder,
      region: 'eu-west-1',
      onSpawn: () => undefined,
      log: (line) => lines.push(line),
    });
    await createCaller(engine.endpoint, 'eu-west-1')('CreateTable', TABLE);
    process.kill(engine.pid ?? 0, 'SIGKILL');
    await expect
      .poll(() => lines, { timeout: 10_000, interval: 10 })
      .toEqual(['the database has ended: calls fail until the next start, which finds all that was written']);
    await engine.stop();
    const next = await start(kind, folder);
    expect(await createCaller(next.endpoint, 'eu-west-1')('ListTables', {})).toMatchObject({
      TableNames: ['kept'],
    });
  });
});

describe('startEngine', () => {
  it('starts nothing for an endpoint that runs already', async () => {
    const server = createServer((_request, response) => response.end('{"TableNames":[]}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const engine = await start('dynoxide', temporaryFolder(), endpoint);
    expect(engine).toMatchObject({ kind: 'external', endpoint, pid: undefined });
  });

  it('uses dynalite, with a notice, where dynoxide is not installed', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch');
    onTestFinished(() => void Object.defineProperty(process, 'arch', arch ?? {}));
    Object.defineProperty(process, 'arch', { ...arch, value: 'sparc' });
    const lines: string[] = [];
    const engine = await startEngine({
      kind: 'dynoxide',
      dataFolder: temporaryFolder(),
      region: 'eu-west-1',
      onSpawn: () => undefined,
      log: (line) => lines.push(line),
    });
    onTestFinished(() => engine.stop());
    expect(engine.kind).toBe('dynalite');
    expect(lines).toEqual([expect.stringContaining('dynoxide is not installed for linux sparc')]);
  });

  it('fails with the output of the engine when it cannot start', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'dynamodb.sqlite'));
    await expect(start('dynoxide', folder)).rejects.toThrow(
      expect.objectContaining({
        code: 'ENGINE_FAILED',
        message: expect.stringContaining('unable to open database file'),
      }),
    );
  });
});
