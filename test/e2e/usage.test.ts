// Usage is what the log entries say, whatever happens to the function that adds it up.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type FlakyModels, startFlakyModels } from './support/flaky-models.ts';
import { killRollups } from './support/processes.ts';
import { scenarioSettings } from './support/settings.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';
import { dumpTable, openTables, outputOf } from './support/tables.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
/** Neurons that ask again, and that ask another model. */
const PATIENT = [
  ['patient', 'model: flaky, retries: 1'],
  ['spare', 'model: gone, retries: 0, fallbacks: [{ provider: demo, model: echo-1 }]'],
].map(
  ([slug, call]) =>
    `neuron: acme/${slug}\naccess: { public: true }\nflow:\n  - callModel: { provider: dead, ${call} }`,
);

interface Totals {
  readonly requests: number;
  readonly [amount: string]: number;
}

// dynalite has no streams, and a deployment no processes to kill and no positions to forget.
describe.runIf(isLocal && ENGINE === 'dynoxide')('usage', () => {
  let stack: Stack;
  const dataFolder = isLocal ? temporaryFolder() : '';
  let models: FlakyModels;
  let settings = '';
  beforeAll(async () => {
    models = await startFlakyModels();
    settings = [scenarioSettings({ openaiUrl: NOWHERE, deadUrl: models.baseUrl }), ...PATIENT].join(
      '\n---\n',
    );
    stack = await startStack({ settings, dataFolder });
  });
  afterAll(async () => {
    await stack?.stop();
    await models?.stop();
  });

  const call = (neuron: string) => stack.call(`/acme/${neuron}`, { json: { input: 'Hello' } });
  const report = async () =>
    JSON.parse(await stack.operate(['usage', 'acme', '--json'])) as {
      readonly totals: Totals;
      readonly neurons: readonly { readonly neuron: string; readonly requests: number }[];
      readonly models: readonly { readonly model: string; readonly modelCalls: number }[];
    };
  const itemsOf = async (table: 'LogsTable' | 'UsageTable') => {
    const client = openTables(stack.dataFolder);
    const items = await dumpTable(client, outputOf(stack.dataFolder, table));
    client.destroy();
    return items.map((item) => JSON.parse(item) as Readonly<Record<string, unknown>>);
  };
  const entries = async () =>
    (await itemsOf('LogsTable')).filter(({ executionId }) => executionId !== undefined).length;
  const marks = async () =>
    (await itemsOf('UsageTable'))
      .filter(({ sk }) => sk === 'ENTRIES')
      .reduce((sum, { ids }) => sum + (ids as readonly string[]).length, 0);

  it('shows calls within seconds, by outcome, neuron and model', async () => {
    const calls = ['hello', 'hello', 'hello', 'stopped', 'dead', 'closed', 'closed', 'undeployed'];
    for (const neuron of calls) await call(neuron);
    await expect.poll(marks).toBe(8);
    const { totals, neurons, models } = await report();
    expect(totals).toMatchObject({ requests: 8, success: 3, stopped: 1, failed: 1, refused: 3 });
    expect(Object.fromEntries(neurons.map(({ neuron, requests }) => [neuron, requests]))).toEqual({
      ...{ hello: 3, stopped: 1, dead: 1, closed: 2, undeployed: 1 },
    });
    expect(models).toContainEqual(expect.objectContaining({ model: 'demo/echo-1', modelCalls: 3 }));
    expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
  });

  it('counts what retries and fallbacks came to, a call once however often it was tried', async () => {
    const before = await entries();
    const statuses = [];
    for (const neuron of ['patient', 'spare', 'patient']) statuses.push((await call(neuron)).status);
    expect(statuses).toEqual([200, 200, 200]);
    await expect.poll(marks).toBe(before + 3);
    const { models: used } = await report();
    expect(used).toContainEqual(
      expect.objectContaining({ model: 'dead/flaky', modelCalls: 2, tokensInput: 22, tokensOutput: 14 }),
    );
    expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
  });

  it('is exact when the function that adds it up is killed again and again', async () => {
    const before = await entries();
    const killing = killRollups(stack.pid);
    for (let round = 0; round < 15; round += 1) {
      await Promise.all(['hello', 'stopped', 'closed', 'hello'].map(call));
    }
    await expect.poll(entries).toBe(before + 60);
    expect(await killing.stop()).toBeGreaterThan(0);
    await expect.poll(marks).toBe(before + 60);
    expect((await report()).totals.requests).toBe(before + 60);
    expect(await stack.operate(['logs', 'verify', 'acme', '--since', '2h'])).toContain('acme is intact');
    expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
  });

  it('is the same when the whole stream is delivered once more', async () => {
    const before = await report();
    const all = (await entries()) + 1;
    await stack.stop();
    // Where the mapping had come to: without it the stream is read from its beginning.
    rmSync(join(dataFolder, 'stream-positions.json'));
    stack = await startStack({ settings, dataFolder });
    await call('hello');
    // Records come in order: what came before the new one has been delivered again when that is counted.
    await expect.poll(entries).toBe(all);
    await expect.poll(marks).toBe(all);
    const after = await report();
    expect(after.totals.requests).toBe(before.totals.requests + 1);
    expect(await stack.operate(['logs', 'verify', 'acme', '--since', '2h'])).toContain('acme is intact');
    expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
  });

  it('counts an entry once that was deleted by hand and restored from its line', async () => {
    const before = await report();
    const client = openTables(dataFolder);
    const logged = await itemsOf('LogsTable');
    const { pk, sk } = logged.find(({ outcome }) => outcome === 'success') ?? {};
    await client.send(new DeleteCommand({ TableName: outputOf(dataFolder, 'LogsTable'), Key: { pk, sk } }));
    client.destroy();
    const restored = JSON.parse(await stack.operate(['logs', 'restore', '--json'])) as object;
    expect(restored).toMatchObject({ restored: 1, failed: 0 });
    // It was put before the entry of this call, and so delivered before it.
    const all = (await entries()) + 1;
    await call('hello');
    await expect.poll(entries).toBe(all);
    await expect.poll(marks).toBe(all);
    expect((await report()).totals.requests).toBe(before.totals.requests + 1);
    expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
  });

  it('that is not what the entries say is found out', async () => {
    const client = openTables(dataFolder);
    const table = outputOf(dataFolder, 'UsageTable');
    const rows = (await dumpTable(client, table)).map((item) => JSON.parse(item) as Record<string, string>);
    const row = rows.find(({ sk }) => sk?.startsWith('NEURON#'));
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk: row?.['pk'], sk: row?.['sk'] },
        UpdateExpression: 'ADD tokensInput :more',
        ExpressionAttributeValues: { ':more': 1 },
      }),
    );
    client.destroy();
    const { exitCode, stdout, stderr } = await stack.neuron(['usage', 'acme', '--verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('tokensInput');
    expect(stderr).toContain('differs from its log entries');
  });
});
