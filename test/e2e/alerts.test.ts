// Alerts of usage limits end to end: from a call over the log's stream to the event, the notification and the command.
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { killRollups } from './support/processes.ts';
import { untilReleased } from './support/served.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';
import { dumpTable, openTables, outputOf } from './support/tables.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
usageLimits: [{ metric: requests, limit: 4, period: month, alertAt: [50, 100] }]
---
neuron: acme/hello
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 1000, period: 1m }]
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
organization: many
providers: { demo: { type: echo } }
prices: { demo/echo-1: { input: 1, output: 1 } }
usageLimits:
${['requests', 'tokens', 'cost']
  .flatMap((metric) => [
    [metric, 'day', 90],
    [metric, 'month', 100],
  ])
  .map(
    ([metric, period, limit]) =>
      // A call has 6 tokens, for as many millionths of a dollar; of 79 that it may have.
      `  - { metric: ${metric}, period: ${period}, limit: ${limitOf(String(metric), Number(limit))}, alertAt: [1, 2, 3, 5, 8, 13, 21, 34, 42, 50] }`,
  )
  .join('\n')}
---
neuron: many/hello
access: { public: true }
rateLimits: [{ metric: requests, scope: ip, limit: 1000, period: 1m }]
flow: [{ callModel: { provider: demo, model: echo-1, maxTokens: 10, retries: 0 } }]`;
const MANY = 60;

function limitOf(metric: string, calls: number): number {
  return metric === 'requests' ? calls : (6 * calls) / (metric === 'cost' ? 1_000_000 : 1);
}

interface EventDetail {
  readonly id: string;
  readonly organization: string;
  readonly share: number;
}

interface ShownAlert {
  readonly id: string;
  readonly share: number;
  readonly used: number;
  readonly eventBusAt: string | null;
}

// dynalite has no streams, and events of a deployment go elsewhere.
describe.runIf(isLocal && ENGINE === 'dynoxide')('alerts', () => {
  let stack: Stack;
  const dataFolder = isLocal ? temporaryFolder() : '';
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, dataFolder });
  });
  afterAll(() => stack?.stop());

  const call = (neuron = 'acme/hello') =>
    untilReleased(() => stack.call(`/${neuron}`, { json: { input: 'Hello' } }));
  const alerts = async (organization = 'acme'): Promise<ShownAlert[]> =>
    (await stack.operate(['alerts', organization, '--json']))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ShownAlert);
  const events = (): { readonly detail: EventDetail }[] => {
    const file = join(dataFolder, 'events.jsonl');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const sent = async (count: number): Promise<ShownAlert[]> => {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = await alerts();
      if (found.filter(({ eventBusAt }) => eventBusAt !== null).length >= count) return found;
      await sleep(200);
    }
    throw new Error(`there are not ${count} alerts that were sent`);
  };

  it('come once for each share, with what was used, to the event bus and to the command', async () => {
    await call();
    await call();
    expect(await sent(1)).toMatchObject([{ share: 50, used: 2 }]);
    await call();
    await call();
    // The limit is used up: a refused call is an entry too, and no reason for another alert.
    expect((await call()).status).toBe(429);
    const all = await sent(2);
    expect(all).toMatchObject([
      { share: 100, used: 4 },
      { share: 50, used: 2 },
    ]);
    expect(events().map(({ detail }) => [detail.id, detail.share])).toEqual(
      all.toReversed().map(({ id, share }) => [id, share]),
    );
    expect(events()[0]).toMatchObject({
      source: 'neuron-execution-service',
      'detail-type': 'Usage Limit Share Reached',
      eventBus: 'default',
      detail: { version: 1, stage: 'local', organization: 'acme', keyId: null, unit: 'requests', limit: 4 },
    });
  });

  it('come once for each share while nobody takes them, the rollup is killed and the stream comes again', async () => {
    const [taken, eventFile] = [events().length, join(dataFolder, 'events.jsonl')];
    rmSync(eventFile, { recursive: true, force: true });
    // Nothing can be written to a folder: EventBridge refuses every event.
    mkdirSync(eventFile);
    const killing = killRollups(stack.pid);
    for (let round = 0; round < 15; round += 1) {
      const calls = await Promise.all(Array.from({ length: 4 }, () => call('many/hello')));
      expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
    expect(await killing.stop()).toBeGreaterThan(0);
    await expect
      .poll(async () => (await alerts('many')).length, { timeout: 60_000, interval: 1_000 })
      .toBe(MANY);
    await stack.stop();
    // Where the mapping had come to: without it the stream is read from its beginning.
    rmSync(join(dataFolder, 'stream-positions.json'));
    stack = await startStack({ settings: SETTINGS, dataFolder });
    await call('many/hello');
    rmdirSync(eventFile);
    await endLeases(dataFolder);
    await expect
      .poll(async () => (await alerts('many')).filter(({ eventBusAt }) => eventBusAt !== null).length, {
        timeout: 120_000,
        interval: 1_000,
      })
      .toBe(MANY);
    const ids = (await alerts('many')).map(({ id }) => id);
    expect(taken).toBe(2);
    expect(
      events()
        .map(({ detail }) => detail.id)
        .toSorted(),
    ).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(MANY);
  }, 240_000);
});

/** As two minutes would: who had leased an alert and was killed is gone. */
async function endLeases(dataFolder: string): Promise<void> {
  const client = openTables(dataFolder);
  const table = outputOf(dataFolder, 'UsageTable');
  const items = (await dumpTable(client, table)).map((item) => JSON.parse(item) as Record<string, unknown>);
  for (const { pk, sk } of items.filter(({ leasedUntilMs }) => leasedUntilMs !== undefined)) {
    await client.send(
      new UpdateCommand({
        ...{ TableName: table, Key: { pk, sk }, UpdateExpression: 'SET leasedUntilMs = :gone' },
        ...{ ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: { ':gone': 0 } },
      }),
    );
  }
  client.destroy();
}
