// What every counter store does: one suite over the memory store and the embedded DynamoDB.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import type { CounterStore, LimitedChange, Metric } from '../../core/ports/counters.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryCounters } from '../support/memory/counters.ts';

let database: TestDynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database.stop());

let made = 0;
/** A counter that no other test of the file uses: the table is the same for all. */
function freshKey(): string {
  made += 1;
  return `neuron-${made}#user#1m#hash#2026-11-21T12:00:00Z`;
}

function change(metric: Metric, taken: number, held: number, limit: number): LimitedChange {
  return { metric, taken, held, limit };
}

const request = (limit: number) => change('requests', 1, 0, limit);

describe.each([
  ['in memory', (): CounterStore => createMemoryCounters()],
  ['in DynamoDB', (): CounterStore => createCounterStore(database.client, database.tables.counters)],
])('a counter store %s', (_where, open) => {
  it('takes up to the limit and no more, and says what is taken', async () => {
    const store = open();
    const key = freshKey();
    const take = (atMs: number) => store.take({ key, changes: [request(2)], atMs, expiresAt: 2_000_000_000 });
    expect(await take(7)).toEqual({
      taken: true,
      state: { counts: { requests: { taken: 1, held: 0 } }, atMs: 7 },
    });
    expect(await take(8)).toEqual({
      taken: true,
      state: { counts: { requests: { taken: 2, held: 0 } }, atMs: 8 },
    });
    expect(await take(9)).toEqual({
      taken: false,
      state: { counts: { requests: { taken: 2, held: 0 } }, atMs: 8 },
    });
  });

  it('fills the last unit, and refuses one more, in each metric', async () => {
    const store = open();
    for (const metric of ['requests', 'tokens', 'cost'] as const) {
      const key = freshKey();
      const take = (amount: number) =>
        store.take({ key, changes: [change(metric, amount, 0, 10)], atMs: 0, expiresAt: 2_000_000_000 });
      expect((await take(11)).taken).toBe(false);
      expect((await take(9)).taken).toBe(true);
      expect((await take(2)).taken).toBe(false);
      expect((await take(1)).taken).toBe(true);
      expect((await store.read([key])).get(key)?.counts[metric]).toEqual({ taken: 10, held: 0 });
    }
  });

  it('takes of every metric or of none', async () => {
    const store = open();
    const key = freshKey();
    const take = (tokens: number) => {
      const changes = [request(5), change('tokens', tokens, tokens, 100), change('cost', 3, 3, 50)];
      return store.take({ key, changes, atMs: 4, expiresAt: 2_000_000_000 });
    };
    await take(60);
    expect((await take(41)).taken).toBe(false);
    expect((await store.read([key])).get(key)).toEqual({
      counts: {
        requests: { taken: 1, held: 0 },
        tokens: { taken: 60, held: 60 },
        cost: { taken: 3, held: 3 },
      },
      atMs: 4,
    });
  });

  it('needs no room for a metric that it takes nothing of', async () => {
    const store = open();
    const key = freshKey();
    const over = [change('tokens', 10, 10, 10)];
    await store.take({ key, changes: over, atMs: 0, expiresAt: 2_000_000_000 });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: 5, held: -10 }] });
    const changes = [request(1), change('tokens', -2, 0, 10)];
    expect((await store.take({ key, changes, atMs: 0, expiresAt: 2_000_000_000 })).taken).toBe(true);
    expect((await store.read([key])).get(key)?.counts).toEqual({
      requests: { taken: 1, held: 0 },
      tokens: { taken: 13, held: 0 },
    });
  });

  it('settles what was held to what was used, above what was reserved too', async () => {
    const store = open();
    const key = freshKey();
    await store.take({ key, changes: [change('tokens', 100, 100, 200)], atMs: 0, expiresAt: 2_000_000_000 });
    await store.take({ key, changes: [change('tokens', 50, 50, 200)], atMs: 0, expiresAt: 2_000_000_000 });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: -70, held: -100 }] });
    expect((await store.read([key])).get(key)?.counts.tokens).toEqual({ taken: 80, held: 50 });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: 400, held: -50 }] });
    expect((await store.read([key])).get(key)?.counts.tokens).toEqual({ taken: 480, held: 0 });
  });

  it('makes nothing of a settlement whose counter is gone', async () => {
    const store = open();
    const key = freshKey();
    await store.settle({ key, changes: [{ metric: 'tokens', taken: -70, held: -100 }] });
    expect(await store.read([key])).toEqual(new Map());
  });

  it('reads several counters, and leaves out those that nobody took of', async () => {
    const store = open();
    const [first, second, neither] = [freshKey(), freshKey(), freshKey()];
    for (const key of [first, second]) {
      await store.take({ key, changes: [request(9)], atMs: 5, expiresAt: 2_000_000_000 });
    }
    const state = { counts: { requests: { taken: 1, held: 0 } }, atMs: 5 };
    expect(await store.read([first, second, neither])).toEqual(
      new Map([
        [first, state],
        [second, state],
      ]),
    );
    expect(await store.read([])).toEqual(new Map());
  });

  it('lets exactly as many in as the limit says when all come at once', async () => {
    const store = open();
    const key = freshKey();
    const take = {
      key,
      changes: [request(7), change('tokens', 3, 3, 1_000)],
      atMs: 0,
      expiresAt: 2_000_000_000,
    };
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => store.take(take)));
    expect(outcomes.filter(({ taken }) => taken)).toHaveLength(7);
    await Promise.all(
      Array.from({ length: 7 }, () =>
        store.settle({ key, changes: [{ metric: 'tokens', taken: -1, held: -3 }] }),
      ),
    );
    expect((await store.read([key])).get(key)?.counts).toEqual({
      requests: { taken: 7, held: 0 },
      tokens: { taken: 14, held: 0 },
    });
  });

  it('counts beyond 2^32 without losing a unit', async () => {
    const store = open();
    const key = freshKey();
    const most = 999_999_999_000_000;
    await store.take({
      key,
      changes: [change('cost', most - 1, 0, most)],
      atMs: 0,
      expiresAt: 2_000_000_000,
    });
    expect(
      (await store.take({ key, changes: [change('cost', 2, 0, most)], atMs: 0, expiresAt: 2_000_000_000 }))
        .taken,
    ).toBe(false);
    expect(
      (await store.take({ key, changes: [change('cost', 1, 0, most)], atMs: 0, expiresAt: 2_000_000_000 }))
        .taken,
    ).toBe(true);
  });
});
