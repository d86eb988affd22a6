// The contract of counter stores, for the memory store and the embedded DynamoDB.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import type { CounterStore, Lease, LimitedChange, LimitMetric } from '../../core/ports/counters.ts';
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
      state: { counts: { requests: { taken: 1, held: 0 } }, atMs: 7, leases: [] },
    });
    expect(await reserve(8)).toEqual({
      reserved: true,
      state: { counts: { requests: { taken: 2, held: 0 } }, atMs: 8, leases: [] },
    });
    expect(await reserve(9)).toEqual({
      reserved: false,
      state: { counts: { requests: { taken: 2, held: 0 } }, atMs: 8, leases: [] },
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

  it('reserves all metrics or none, and keeps the time of the last request', async () => {
    const store = open();
    const key = freshKey();
    const reserve = (tokens: number) => {
      const changes = [request(5), change('tokens', tokens, tokens, 100), change('cost', 3, 3, 50)];
      return store.reserve({ key, changes, atMs: 4, expiresAt: 2_000_000_000 });
    };
    await reserve(60);
    expect((await reserve(41)).reserved).toBe(false);
    await store.reserve({ key, changes: [change('tokens', 1, 1, 100)], atMs: 2, expiresAt: 2_000_000_000 });
    expect((await store.read([key])).get(key)).toEqual({
      counts: {
        requests: { taken: 1, held: 0 },
        tokens: { taken: 61, held: 61 },
        cost: { taken: 3, held: 3 },
      },
      atMs: 4,
      leases: [],
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
    const state = { counts: { requests: { taken: 1, held: 0 } }, atMs: 5, leases: [] };
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

  describe('of runs at once', () => {
    /** Places for two, with a lease. */
    const take = (
      store: CounterStore,
      key: string,
      endsAt: number,
      ended: readonly Lease[] = [],
      limit = 2,
    ) =>
      store.reserve({
        ...{ key, changes: [change('concurrent', 1, 1, limit)], atMs: 5, expiresAt: 2_000_000_000 },
        lease: { endsAt, ended },
      });
    const leave = (store: CounterStore, key: string, lease: number) =>
      store.settle({ key, changes: [{ metric: 'concurrent', taken: -1, held: -1 }], lease });
    const stateOf = async (store: CounterStore, key: string) => {
      const state = (await store.read([key])).get(key);
      const leases = state?.leases.toSorted((one, other) => one.endsAt - other.endsAt);
      return [state?.counts.concurrent, leases?.map(({ endsAt, runs }) => [endsAt, runs])];
    };

    it('takes places up to the limit, each with its lease', async () => {
      const store = open();
      const key = freshKey();
      expect(await take(store, key, 1_795_000_005)).toEqual({
        reserved: true,
        state: {
          counts: { concurrent: { taken: 1, held: 1 } },
          atMs: 0,
          leases: [{ endsAt: 1_795_000_005, runs: 1 }],
        },
      });
      expect((await take(store, key, 1_795_000_005)).reserved).toBe(true);
      expect((await take(store, key, 1_795_000_010)).reserved).toBe(false);
      expect(await stateOf(store, key)).toEqual([{ taken: 2, held: 2 }, [[1_795_000_005, 2]]]);
      expect((await take(store, key, 1_795_000_010, [], 3)).reserved).toBe(true);
      expect(await stateOf(store, key)).toEqual([
        { taken: 3, held: 3 },
        [
          [1_795_000_005, 2],
          [1_795_000_010, 1],
        ],
      ]);
    });

    it('frees a place once, whatever becomes of its lease', async () => {
      const store = open();
      const key = freshKey();
      await take(store, key, 1_795_000_005);
      await leave(store, key, 1_795_000_005);
      expect(await stateOf(store, key)).toEqual([{ taken: 0, held: 0 }, [[1_795_000_005, 0]]]);
      await leave(store, key, 1_795_000_005);
      await leave(store, key, 1_795_000_010);
      expect(await stateOf(store, key)).toEqual([{ taken: 0, held: 0 }, [[1_795_000_005, 0]]]);
      await leave(store, `${key}-none`, 1_795_000_005);
      expect((await store.read([`${key}-none`])).size).toBe(0);
    });

    it('takes the place of runs that died, with the write that removes their lease', async () => {
      const store = open();
      const key = freshKey();
      await take(store, key, 1_795_000_005);
      await take(store, key, 1_795_000_005);
      const died = { endsAt: 1_795_000_005, runs: 2 };
      expect((await take(store, key, 1_795_000_020, [died])).reserved).toBe(true);
      expect(await stateOf(store, key)).toEqual([{ taken: 1, held: 1 }, [[1_795_000_020, 1]]]);
      await leave(store, key, 1_795_000_005);
      expect(await stateOf(store, key)).toEqual([{ taken: 1, held: 1 }, [[1_795_000_020, 1]]]);
      expect((await take(store, key, 1_795_000_020)).reserved).toBe(true);
      expect((await take(store, key, 1_795_000_020)).reserved).toBe(false);
    });

    it('refuses to remove a lease that has changed, or is gone', async () => {
      const store = open();
      const key = freshKey();
      await take(store, key, 1_795_000_005);
      await take(store, key, 1_795_000_010);
      const [one, two] = [1, 2].map((runs) => ({ endsAt: 1_795_000_005, runs }));
      const gone = { endsAt: 1_795_000_000, runs: 1 };
      for (const ended of [[two!], [one!, gone]]) {
        expect((await take(store, key, 1_795_000_020, ended)).reserved).toBe(false);
        await store.settle({ key, changes: [], ended });
      }
      expect(await stateOf(store, key)).toEqual([
        { taken: 2, held: 2 },
        [
          [1_795_000_005, 1],
          [1_795_000_010, 1],
        ],
      ]);
    });

    it('removes ended leases with the runs that they still count', async () => {
      const store = open();
      const key = freshKey();
      await take(store, key, 1_795_000_005);
      await take(store, key, 1_795_000_010);
      await leave(store, key, 1_795_000_005);
      const ended = [
        { endsAt: 1_795_000_005, runs: 0 },
        { endsAt: 1_795_000_010, runs: 1 },
      ];
      await store.settle({ key, changes: [], ended });
      expect(await stateOf(store, key)).toEqual([{ taken: 0, held: 0 }, []]);
    });

    it('never takes more than the limit under concurrency, while places are freed and runs die', async () => {
      const store = open();
      const key = freshKey();
      await take(store, key, 1_795_000_005, [], 7);
      await take(store, key, 1_795_000_005, [], 7);
      const died = [{ endsAt: 1_795_000_005, runs: 2 }];
      const takes = Array.from({ length: 30 }, (_, index) =>
        take(store, key, 1_795_000_020, index % 2 === 0 ? died : [], 7),
      );
      const outcomes = await Promise.all(takes);
      expect(outcomes.filter(({ reserved }) => reserved)).toHaveLength(7);
      expect((await stateOf(store, key))[0]).toEqual({ taken: 7, held: 7 });
    });
  });
});
