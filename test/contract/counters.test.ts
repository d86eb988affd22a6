// The contract of counter stores, for the memory store and the embedded DynamoDB.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import type { CounterStore, LimitedChange, LimitMetric } from '../../core/ports/counters.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryCounters } from '../support/memory/counters.ts';

let database: TestDynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database.stop());

let made = 0;
/** A key that no other test of this file uses: they share one table. */
function freshKey(): string {
  made += 1;
  return `neuron-${made}#user#1m#hash#2026-11-21T12:00:00Z`;
}

function change(metric: LimitMetric, taken: number, held: number, limit: number): LimitedChange {
  return { metric, taken, held, limit };
}

const request = (limit: number) => change('requests', 1, 0, limit);

describe.each([
  ['in memory', (): CounterStore => createMemoryCounters()],
  ['in DynamoDB', (): CounterStore => createCounterStore(database.client, database.tables.counters)],
])('a counter store %s', (_where, open) => {
  it('reserves up to the limit and no more, and returns the counts', async () => {
    const store = open();
    const key = freshKey();
    const reserve = (atMs: number) =>
      store.reserve({ key, changes: [request(2)], atMs, expiresAt: 2_000_000_000 });
    expect(await reserve(7)).toEqual({
      reserved: true,
      state: { counts: { requests: { taken: 1, held: 0 } }, atMs: 7 },
    });
    expect(await reserve(8)).toEqual({
      reserved: true,
      state: { counts: { requests: { taken: 2, held: 0 } }, atMs: 8 },
    });
    expect(await reserve(9)).toEqual({
      reserved: false,
      state: { counts: { requests: { taken: 2, held: 0 } }, atMs: 8 },
    });
  });

  it('reserves the last unit, and denies one more, for each metric', async () => {
    const store = open();
    for (const metric of ['requests', 'tokens', 'cost'] as const) {
      const key = freshKey();
      const reserve = (amount: number) =>
        store.reserve({ key, changes: [change(metric, amount, 0, 10)], atMs: 0, expiresAt: 2_000_000_000 });
      expect((await reserve(11)).reserved).toBe(false);
      expect((await reserve(9)).reserved).toBe(true);
      expect((await reserve(2)).reserved).toBe(false);
      expect((await reserve(1)).reserved).toBe(true);
      expect((await store.read([key])).get(key)?.counts[metric]).toEqual({ taken: 10, held: 0 });
    }
  });

  it('reserves all metrics or none', async () => {
    const store = open();
    const key = freshKey();
    const reserve = (tokens: number) => {
      const changes = [request(5), change('tokens', tokens, tokens, 100), change('cost', 3, 3, 50)];
      return store.reserve({ key, changes, atMs: 4, expiresAt: 2_000_000_000 });
    };
    await reserve(60);
    expect((await reserve(41)).reserved).toBe(false);
    expect((await store.read([key])).get(key)).toEqual({
      counts: {
        requests: { taken: 1, held: 0 },
        tokens: { taken: 60, held: 60 },
        cost: { taken: 3, held: 3 },
      },
      atMs: 4,
    });
  });

  it('needs no room for a metric that it does not add to', async () => {
    const store = open();
    const key = freshKey();
    const over = [change('tokens', 10, 10, 10)];
    await store.reserve({ key, changes: over, atMs: 0, expiresAt: 2_000_000_000 });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: 5, held: -10 }] });
    const changes = [request(1), change('tokens', -2, 0, 10)];
    expect((await store.reserve({ key, changes, atMs: 0, expiresAt: 2_000_000_000 })).reserved).toBe(true);
    expect((await store.read([key])).get(key)?.counts).toEqual({
      requests: { taken: 1, held: 0 },
      tokens: { taken: 13, held: 0 },
    });
  });

  it('settles held amounts to used ones, even above the reservation', async () => {
    const store = open();
    const key = freshKey();
    await store.reserve({
      key,
      changes: [change('tokens', 100, 100, 200)],
      atMs: 0,
      expiresAt: 2_000_000_000,
    });
    await store.reserve({ key, changes: [change('tokens', 50, 50, 200)], atMs: 0, expiresAt: 2_000_000_000 });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: -70, held: -100 }] });
    expect((await store.read([key])).get(key)?.counts.tokens).toEqual({ taken: 80, held: 50 });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: 400, held: -50 }] });
    expect((await store.read([key])).get(key)?.counts.tokens).toEqual({ taken: 480, held: 0 });
  });

  it('ignores a settlement when the counter no longer exists', async () => {
    const store = open();
    const key = freshKey();
    await store.settle({ key, changes: [{ metric: 'tokens', taken: -70, held: -100 }] });
    expect(await store.read([key])).toEqual(new Map());
  });

  it('reads several counters, and leaves out those that do not exist', async () => {
    const store = open();
    const [first, second, neither] = [freshKey(), freshKey(), freshKey()];
    for (const key of [first, second]) {
      await store.reserve({ key, changes: [request(9)], atMs: 5, expiresAt: 2_000_000_000 });
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

  it('reserves exactly up to the limit under concurrency', async () => {
    const store = open();
    const key = freshKey();
    const reserveRequest = {
      key,
      changes: [request(7), change('tokens', 3, 3, 1_000)],
      atMs: 0,
      expiresAt: 2_000_000_000,
    };
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => store.reserve(reserveRequest)));
    expect(outcomes.filter(({ reserved }) => reserved)).toHaveLength(7);
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
    await store.reserve({
      key,
      changes: [change('cost', most - 1, 0, most)],
      atMs: 0,
      expiresAt: 2_000_000_000,
    });
    expect(
      (await store.reserve({ key, changes: [change('cost', 2, 0, most)], atMs: 0, expiresAt: 2_000_000_000 }))
        .reserved,
    ).toBe(false);
    expect(
      (await store.reserve({ key, changes: [change('cost', 1, 0, most)], atMs: 0, expiresAt: 2_000_000_000 }))
        .reserved,
    ).toBe(true);
  });
});
