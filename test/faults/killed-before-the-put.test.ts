// Killed between the answer and what follows it, or before: the next start works, and no answered call is unaccounted for.
import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyAssembly } from '../e2e/support/assembly.ts';
import type { Answer } from '../e2e/support/call.ts';
import { expectError, expectRaw } from '../e2e/support/expect-answer.ts';
import { descendantsOf, type Process, stillRunning } from '../e2e/support/processes.ts';
import { applySettings, scenarioSettings } from '../e2e/support/settings.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from '../e2e/support/stack.ts';
import { dumpTable, openTables, outputOf, readOutputs } from '../e2e/support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FaultyService, type ServiceCall, startFaultyService } from './faulty-service.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';

/** What a run does once its line is written, by the first call that belongs to it: a kill there falls into the gap before. */
const GAPS = {
  'line and settle': ({ body }: ServiceCall) =>
    body.includes(tableName('CountersTable')) && !body.includes('expiresAt'),
  // Of this call, and not of one before whose answer was here earlier than its put.
  'settle and put': (call: ServiceCall) => isPut(call) && call.body.includes('"whole"'),
  'put and cache write': ({ operation, body }: ServiceCall) =>
    operation === 'PutItem' && body.includes(tableName('CacheTable')),
};
type Gap = keyof typeof GAPS;

/** The steps of the function that seals and counts: by its first call of that kind, which is never answered. */
const READER_STEPS: Readonly<Record<string, readonly [(call: ServiceCall) => boolean, 'hang' | 'lose']>> = {
  'before it knows the head': [({ body }) => isOfUsage(body) && body.includes('"SEALS"'), 'hang'],
  'before its transaction': [isSealing, 'hang'],
  'after its transaction, whose answer it never saw': [isSealing, 'lose'],
};

function isOfUsage(body: string): boolean {
  return body.includes(tableName('UsageTable'));
}

function isSealing({ operation, body }: ServiceCall): boolean {
  return operation === 'TransactWriteItems' && isOfUsage(body);
}

/** Everything after the answer has something to do: a reservation to settle, an entry, an answer to be cached. */
const SETTINGS = `${scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE })}
---
neuron: acme/whole
access: { public: true }
caching: { exact: true }
rateLimits: [{ metric: tokens, scope: total, limit: 1000000, period: 1d }]
flow: [{ callModel: { provider: demo, model: echo-1, maxTokens: 30 } }]`;

let dataFolder: string;
let proxy: FaultyService;
let client: DynamoDBDocumentClient | undefined;
let stack: Stack;

const tableNames = new Map<string, string>();

/** Kept, since functions still call while a stack stops, when its outputs are gone. */
function tableName(output: string): string {
  const known = tableNames.get(dataFolder + output);
  const name = known ?? JSON.stringify(outputOf(dataFolder, output));
  tableNames.set(dataFolder + output, name);
  return name;
}

function isPut({ operation, body }: ServiceCall): boolean {
  return operation === 'PutItem' && body.includes(tableName('LogsTable'));
}

/** Kills without warning, and waits until they are gone. */
async function kill(processes: readonly Process[]): Promise<void> {
  expect(processes).not.toEqual([]);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  await expect.poll(() => stillRunning(processes)).toEqual([]);
}

const functionsOf = () => descendantsOf(stack.pid).filter(({ command }) => /boot\.ts/.test(command));
const databasesOf = () =>
  descendantsOf(stack.pid).filter(
    ({ command }) => /^\S*dynoxide /.test(command) || /dynalite-main/.test(command),
  );
const idOf = ({ headers }: Answer) => String(headers['x-execution-id']);

const callAgain = () => stack.call('/acme/hello?rawOutput=1', { json: { input: 'again' } });

/** A process that was killed may still be taken for an idle one by the very next call, which fails with it. */
async function expectToGoOn(): Promise<void> {
  await expect.poll(async () => (await callAgain()).status).toBe(200);
  expectRaw(await callAgain(), 'You said: again');
}

type Stored = Readonly<Record<string, unknown>>;

async function entriesOf(id: string): Promise<Stored[]> {
  client ??= openTables(dataFolder);
  const items = await dumpTable(client, outputOf(dataFolder, 'LogsTable'));
  return items.map((item) => JSON.parse(item)).filter(({ executionId }) => executionId === id);
}

/** Each has an entry that is there only because it was restored, exactly once, without texts. */
async function expectRestored(ids: readonly string[]): Promise<void> {
  await stack.operate(['logs', 'restore']);
  for (const id of ids) {
    const [entry, ...others] = await entriesOf(id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ restored: true, outcome: 'success', status: 200, version: 'v1' });
    expect(entry).not.toHaveProperty('input');
  }
  // Once more changes nothing.
  expect(JSON.parse(await stack.operate(['logs', 'restore', '--json']))).toMatchObject({ restored: 0 });
}

/** Answered calls, none of whose entries is ever stored. */
async function callUnstored(): Promise<string[]> {
  proxy.injectFaults((call) => (isPut(call) ? 'hang' : undefined));
  const answers = await Promise.all(
    [0, 1].map(() => stack.call('/acme/hello?rawOutput=1', { json: { input: 'Hello' } })),
  );
  const ids = answers.map((answer) => expectRaw(answer, 'You said: Hello'));
  // The answer may be here before the put is tried: in STREAM always, in BUFFERED when the log's key took longer than the answer waits.
  await expect.poll(() => proxy.faults()).toBeGreaterThan(0);
  return ids;
}

describe.runIf(isLocal).each(SOME_MODES)('killed in %s transfer,', (transferMode) => {
  let assembly: string;
  const start = () =>
    startStack({ assembly, dataFolder, concurrency: 2, functionEndpoints: { dynamodb: proxy.endpoint } });

  // The assembly and the first calls take longest, on a busy machine longer than a test may.
  beforeAll(async () => {
    dataFolder = temporaryFolder();
    proxy = await startFaultyService(() => readOutputs(dataFolder).endpoints.dynamodb);
    assembly = await copyAssembly(transferMode);
    stack = await start();
    await applySettings(stack, SETTINGS);
    expectRaw(await callAgain(), 'You said: again');
  });
  afterAll(async () => {
    client?.destroy();
    client = undefined;
    await stack?.stop();
    await proxy?.stop();
  });

  /** Calls, and kills every function when the first call of a store is made that is meant; it is never answered. */
  async function callAndKillAt(
    isMeant: (call: ServiceCall) => boolean,
    path: string,
    input: string,
    fault: 'hang' | 'lose' = 'hang',
  ): Promise<Answer> {
    let killed: readonly Process[] = [];
    proxy.injectFaults((call) => {
      if (killed.length > 0 || !isMeant(call)) return undefined;
      killed = functionsOf();
      for (const { pid } of killed) process.kill(pid, 'SIGKILL');
      return fault;
    });
    const answer = await stack.call(path, { json: { input } });
    await expect.poll(() => killed.length).toBeGreaterThan(0);
    await expect.poll(() => stillRunning(killed)).toEqual([]);
    proxy.injectFaults(() => undefined);
    await expectToGoOn();
    return answer;
  }

  async function killIn(gap: Gap, input: string): Promise<Answer> {
    const answer = await callAndKillAt(GAPS[gap], '/acme/whole', input);
    // In BUFFERED the answer is not out yet, and the caller learns that there is none; what was done is in the log all the same.
    if (transferMode === 'BUFFERED') expectError(answer, 500, 'internal');
    else expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    return answer;
  }

  it('the function, at each gap after its line: there is an entry or a line, and a line brings its entry back', async () => {
    const inputs = { settle: randomUUID(), put: randomUUID(), cache: randomUUID() };
    const unsettled = await killIn('line and settle', inputs.settle);
    const unput = await killIn('settle and put', inputs.put);
    const uncached = await killIn('put and cache write', inputs.cache);
    const [entry] = await entriesOf(idOf(uncached));
    expect(entry).toMatchObject({ restored: false, cache: 'miss', input: { kind: 'hash' } });
    await expectRestored([unsettled, unput].map(idOf));
    for (const answer of [unsettled, unput])
      expect(await entriesOf(idOf(answer))).toMatchObject([{ cache: 'miss', modelCalls: [{ attempts: 1 }] }]);
    expect(await entriesOf(idOf(uncached))).toEqual([entry]);
    // None of the three was cached.
    for (const input of Object.values(inputs)) {
      const again = await stack.call('/acme/whole', { json: { input } });
      expect(again.headers['x-cache']).toBe('miss');
    }
    // Every function starts anew after each of three kills, and a busy machine takes its time.
  }, 120_000);

  it('the function, when its answer has left and its entry cannot be stored: the line brings it back', async () => {
    const ids = await callUnstored();
    await kill(functionsOf());
    proxy.injectFaults(() => undefined);
    await expectToGoOn();
    await expectRestored(ids);
  });

  it('the function, before it has answered: the caller gets an error of the contract, and no line is promised', async () => {
    const isVersionRead = ({ body }: ServiceCall) => body.includes('"VERSION#');
    const answer = await callAndKillAt(isVersionRead, '/acme/stopped', 'Hello');
    expect(await entriesOf(expectError(answer, 500, 'internal'))).toEqual([]);
  });

  // What follows has nothing to do with how an answer is handed over.
  it.runIf(transferMode === 'STREAM')(
    'the reader of the log, at each of its steps: no entry is sealed or counted twice, and none is left out',
    async () => {
      for (const [isMeant, fault] of Object.values(READER_STEPS))
        await callAndKillAt(isMeant, '/acme/hello?rawOutput=1', 'sealed', fault);
      const verify = async () => {
        const { stdout } = await stack.neuron(['logs', 'verify', 'acme', '--since', '2h', '--json']);
        return JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Readonly<Record<string, unknown>>;
      };
      await expect.poll(verify, { interval: 2_000, timeout: 60_000 }).toMatchObject({
        ...{ intact: true, unsealed: 0, changed: 0, missing: 0, chainProblems: 0 },
      });
      const { sealed, whole } = await verify();
      expect([sealed, whole]).toEqual([expect.any(Number), sealed]);
      expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
    },
    180_000,
  );

  it.runIf(transferMode === 'STREAM')(
    'the store: what needs it is refused without a word of why, the stack stops, and the next start works',
    async () => {
      const ids = await callUnstored();
      await kill(databasesOf());
      // Settings that nobody has read yet cannot be read now; those that were read before serve on for a while.
      const unread = await stack.call('/acme/served', { json: { input: 'Hello' } });
      expectError(unread, 503, 'dependency_unavailable');
      await restart(() => stack.stop());
      await expectRestored(ids);
    },
  );

  it.runIf(transferMode === 'STREAM')(
    'the runner: all its processes end, and the next start works',
    async () => {
      const below = descendantsOf(stack.pid);
      const ids = await callUnstored();
      process.kill(stack.pid, 'SIGKILL');
      expect(await stack.ended).toBe('SIGKILL');
      await expect.poll(() => stillRunning(below), { timeout: 10_000 }).toEqual([]);
      await restart(async () => {});
      await expectRestored(ids);
    },
  );

  /** Another run on the same data, whose engine has another address. */
  async function restart(stop: () => Promise<void>): Promise<void> {
    client?.destroy();
    client = undefined;
    await stop();
    await proxy.stop();
    proxy = await startFaultyService(() => readOutputs(dataFolder).endpoints.dynamodb);
    stack = await start();
    await expectToGoOn();
  }
});
