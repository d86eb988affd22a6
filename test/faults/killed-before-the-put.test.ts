// Killed between the answer and the put of its entry: the next start works, and no answered call is unaccounted for.
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyAssembly } from '../e2e/support/assembly.ts';
import { expectError, expectRaw } from '../e2e/support/expect-answer.ts';
import { descendantsOf, type Process, stillRunning } from '../e2e/support/processes.ts';
import { applySettings, scenarioSettings } from '../e2e/support/settings.ts';
import { isLocal, makeFolder, type Stack, startStack, type TransferMode } from '../e2e/support/stack.ts';
import { outputOf, readOutputs } from '../e2e/support/tables.ts';
import { type FaultyService, startFaultyService } from './faulty-service.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
const HOLD_MS = 2_000;
const CALLS = 4;

let dataFolder: string;
let proxy: FaultyService;
let stack: Stack | undefined;

beforeEach(async () => {
  dataFolder = makeFolder('neuron-faults-');
  proxy = await startFaultyService(() => readOutputs(dataFolder).endpoints.dynamodb);
});
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  await proxy.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

async function start(transferMode: TransferMode): Promise<Stack> {
  const assembly = await copyAssembly(transferMode);
  const running = await startStack({
    assembly,
    dataFolder,
    concurrency: CALLS,
    functionEndpoints: { dynamodb: proxy.endpoint },
  });
  stack = running;
  const logTable = JSON.stringify(outputOf(dataFolder, 'LogsTable'));
  proxy.judge(({ operation, body }) =>
    operation === 'PutItem' && body.includes(logTable) ? { holdMs: HOLD_MS } : undefined,
  );
  await applySettings(running, scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE }));
  return running;
}

/** Calls side by side; gives the ids of those that were answered, all of whose puts are on hold. */
async function callAndHold(running: Stack): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () =>
      running.call('/acme/hello?rawOutput=1', { json: { input: 'Hello' } }),
    ),
  );
  const ids = answers.map((answer) => expectRaw(answer, 'You said: Hello'));
  expect(proxy.faults()).toBeGreaterThan(0);
  return ids;
}

/** Kills without warning, and waits until they are gone. */
async function kill(processes: readonly Process[]): Promise<void> {
  expect(processes).not.toEqual([]);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  await expect.poll(() => stillRunning(processes)).toEqual([]);
}

/** A process that was killed may still be taken for an idle one by the very next call, which fails with it. */
async function expectToGoOn(running: Stack): Promise<void> {
  const again = () => running.call('/acme/hello?rawOutput=1', { json: { input: 'again' } });
  await expect.poll(async () => (await again()).status).toBe(200);
  expectRaw(await again(), 'You said: again');
}

const functionsOf = (running: Stack) =>
  descendantsOf(running.pid).filter(({ command }) => /boot\.ts/.test(command));
const databasesOf = (running: Stack) =>
  descendantsOf(running.pid).filter(
    ({ command }) => /^\S*dynoxide /.test(command) || /dynalite-main/.test(command),
  );

/** Each id has an entry, and some of the entries are there only because they were restored. */
async function expectAccountedFor(running: Stack, ids: readonly string[]): Promise<void> {
  await running.operate(['logs', 'restore']);
  const lines = (await running.operate(['logs', 'acme', '--json'])).split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line) as { executionId: string; restored: boolean });
  for (const id of ids) expect(entries.filter(({ executionId }) => executionId === id)).toHaveLength(1);
  expect(entries.filter(({ restored }) => restored).length).toBeGreaterThan(0);
  // Once more changes nothing.
  const again = await running.operate(['logs', 'restore', '--json']);
  expect(JSON.parse(again)).toMatchObject({ restored: 0 });
}

describe.runIf(isLocal)('killed while the entry waits to be stored:', () => {
  it.each(['STREAM', 'BUFFERED'] as const)(
    'the function, in %s transfer: the stack goes on',
    async (transferMode) => {
      const running = await start(transferMode);
      const ids = await callAndHold(running);
      await kill(functionsOf(running));
      await expectToGoOn(running);
      await expectAccountedFor(running, ids);
    },
  );

  it('the runner: all its processes end, and the next start works', async () => {
    const running = await start('STREAM');
    const below = descendantsOf(running.pid);
    const ids = await callAndHold(running);
    process.kill(running.pid, 'SIGKILL');
    expect(await running.ended).toBe('SIGKILL');
    await expect.poll(() => stillRunning(below), { timeout: 10_000 }).toEqual([]);
    stack = await startStack({ dataFolder });
    expectRaw(await stack.call('/acme/hello?rawOutput=1', { json: { input: 'again' } }), 'You said: again');
    await expectAccountedFor(stack, ids);
  });

  it('the store: what needs it is refused without a word of why, the stack stops, and the next start works', async () => {
    const running = await start('STREAM');
    const ids = await callAndHold(running);
    await kill(databasesOf(running));
    // Settings that nobody has read yet cannot be read now; those that were read before serve on for a while.
    const unread = await running.call('/acme/served', { json: { input: 'Hello' } });
    expectError(unread, 503, 'dependency_unavailable');
    await running.stop();
    stack = await startStack({ dataFolder });
    expectRaw(await stack.call('/acme/hello?rawOutput=1', { json: { input: 'again' } }), 'You said: again');
    await expectAccountedFor(stack, ids);
  });

  it('the function, before it has answered: the caller gets an error of the contract, and the stack goes on', async () => {
    const running = await start('STREAM');
    expectRaw(await running.call('/acme/hello?rawOutput=1', { json: { input: 'Hello' } }), 'You said: Hello');
    const calling = running.call('/acme/slow', { json: { input: 'Hello' } });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await kill(functionsOf(running));
    expectError(await calling, 500, 'internal');
    await expectToGoOn(running);
  });
});
