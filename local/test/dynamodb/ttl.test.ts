// Tests of the sweep of expired items.
import { expect, it } from 'vitest';
import { startTtlSweep } from '../../dynamodb/ttl.ts';
import { applyTable, startTestEngine, tableDefinition } from './start-test-engine.ts';

const testEngine = await startTestEngine();
const { call } = testEngine;

async function prepare(name: string, items: Readonly<Record<string, object>>) {
  const properties = { TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true } };
  await applyTable(name, properties, testEngine);
  for (const [id, expires] of Object.entries(items))
    await call('PutItem', { TableName: name, Item: { id: { S: id }, expires } });
  return tableDefinition(name, properties);
}

const idsIn = async (name: string) => {
  const { Items } = await call<{ Items: readonly { id: { S: string } }[] }>('Scan', { TableName: name });
  return Items.map(({ id }) => id.S).toSorted();
};
const now = Math.floor(Date.now() / 1000);

/** `using`: what the sweep calls the database by. */
const sweepOf = (table: ReturnType<typeof tableDefinition>, { using = call, intervalMs = 60_000 } = {}) =>
  startTtlSweep({ tables: [table], call: using, intervalMs, log: () => undefined });

it('deletes expired items only', async () => {
  const table = await prepare('swept', {
    past: { N: String(now - 1) },
    future: { N: String(now + 3600) },
    'a text, which never expires': { S: '1' },
    'more than five years ago, which DynamoDB takes for a mistake': { N: '1' },
  });
  const sweep = sweepOf(table);
  expect(await sweep.sweep()).toBe(1);
  await sweep.stop();
  expect(await idsIn('swept')).toEqual([
    'a text, which never expires',
    'future',
    'more than five years ago, which DynamoDB takes for a mistake',
  ]);
});

it('reads a large table in small pages, some of it in each sweep, until all of it was read', async () => {
  const table = await prepare('large', {});
  // In the order of their keys, in which the engine reads them: one in each page of a hundred has expired.
  const items = Array.from({ length: 2_250 }, (_, index) => ({
    id: { S: String(index).padStart(4, '0') },
    expires: { N: String(index % 100 === 50 ? now - 1 : now + 3600) },
  }));
  for (let from = 0; from < items.length; from += 25) {
    const puts = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    await call('BatchWriteItem', { RequestItems: { large: puts } });
  }
  const pages: number[] = [];
  const counting: typeof call = async (operation, input) => {
    const answer = await call<{ ScannedCount?: number }>(operation, input);
    if (operation === 'Scan') pages.push(answer.ScannedCount ?? 0);
    return answer as never;
  };
  const sweep = sweepOf(table, { using: counting });
  expect(await sweep.sweep()).toBe(20);
  expect(pages).toEqual(Array.from({ length: 20 }, () => 100));
  expect(await sweep.sweep()).toBe(2);
  expect(pages.slice(20)).toEqual([100, 100, 50]);
  // From the start again.
  const Item = { id: { S: '0000' }, expires: { N: String(now - 1) } };
  await call('PutItem', { TableName: 'large', Item });
  expect(await sweep.sweep()).toBe(1);
  await sweep.stop();
});

it('keeps an item whose expiry was extended during the sweep', async () => {
  const table = await prepare('prolonged', { one: { N: String(now - 1) } });
  const prolonging: typeof call = async (operation, input) => {
    if (operation === 'DeleteItem')
      await call('PutItem', {
        TableName: 'prolonged',
        Item: { id: { S: 'one' }, expires: { N: String(now + 60) } },
      });
    return call(operation, input);
  };
  const sweep = sweepOf(table, { using: prolonging });
  expect(await sweep.sweep()).toBe(0);
  await sweep.stop();
  expect(await idsIn('prolonged')).toEqual(['one']);
});

it('sweeps by itself at every interval', async () => {
  const table = await prepare('interval', { past: { N: String(now - 1) } });
  const sweep = sweepOf(table, { intervalMs: 10 });
  await expect.poll(() => idsIn('interval'), { timeout: 10_000 }).toEqual([]);
  await sweep.stop();
});
