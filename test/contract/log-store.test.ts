// What every log store does, held against the one in memory and the one in DynamoDB alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { createKeepText, TEXT_BUDGET_BYTES } from '../../core/logs/bodies.ts';
import { buildEntry, type EntryFacts } from '../../core/logs/build-entry.ts';
import { parseLine, renderLine } from '../../core/logs/line.ts';
import type { ListedEntry, LogQuery, LogReader } from '../../core/ports/log-reader.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLog } from '../support/memory/log-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

/** Every test writes for an organization of its own, so that none sees another's entries. */
let organizationId = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  organizationId = `org-${tests}`;
});

function entry(changes: Partial<EntryFacts> = {}, neuronId = 'neu-1'): LogEntry {
  const subject = { ...FACTS.subject, organizationId, neuronId: `${organizationId}-${neuronId}` };
  return entryOf({ executionId: `${organizationId}-exec`, subject, ...changes });
}

/** An entry as JSON keeps it: a member that is undefined is not there. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

async function all(entries: AsyncIterable<ListedEntry>): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  for await (const one of entries) listed.push(one);
  return listed;
}

async function ids(entries: AsyncIterable<ListedEntry>): Promise<string[]> {
  return (await all(entries)).map(({ executionId }) => executionId);
}

const clock = createMemoryClock(NOON_MS);
const stores: [string, () => LogStore & LogReader][] = [
  ['memory', () => createMemoryLog(clock)],
  [
    'DynamoDB',
    () => ({
      ...createLogStore(dynamoDb.client, dynamoDb.tables.logs, 3),
      ...createLogReader(dynamoDb.client, dynamoDb.tables.logs, { clock, shards: 3 }),
    }),
  ],
];

describe.each(stores)('a log store in %s', (_name, create) => {
  let store: LogStore & LogReader;
  beforeEach(() => {
    store = create();
  });

  /** The hour around noon of the organization of this test. */
  const query = (changes: Partial<LogQuery> = {}): LogQuery => ({
    organizationId,
    fromMs: NOON_MS - HOUR_MS,
    toMs: NOON_MS + HOUR_MS,
    ...changes,
  });

  it('gives back an entry in full as it was put', async () => {
    const put = entry();
    await store.put(put);
    expect(plain(await store.find(put.executionId))).toEqual(plain(put));
  });

  it('finds nothing under an id that was never put', async () => {
    expect(await store.find('never')).toBeUndefined();
  });

  it('keeps the first of two entries of one execution at one time, and tells which one that was', async () => {
    expect(await store.put(entry())).toBe(true);
    expect(await store.put(entry({ code: 'internal', run: undefined }))).toBe(false);
    expect(await store.find(entry().executionId)).toMatchObject({ outcome: 'success' });
    expect(await ids(store.list(query()))).toHaveLength(1);
  });

  it('takes the same entry back from its line without changing the one that is there', async () => {
    const put = entry();
    await store.put(put);
    const restored = parseLine(renderLine(put, { stage: 'test' }));
    if (restored === undefined) throw new Error('the line was not read');
    await store.put(restored);
    expect(await store.find(put.executionId)).toMatchObject({
      restored: false,
      input: { text: 'secret input' },
    });
  });

  it('takes an entry from its line where there is none', async () => {
    const lost = entry();
    const restored = parseLine(renderLine(lost, { stage: 'test' }));
    if (restored === undefined) throw new Error('the line was not read');
    await store.put(restored);
    expect(plain(await store.find(lost.executionId))).toEqual(plain(restored));
    expect(await all(store.list(query()))).toMatchObject([{ restored: true, tokensInput: 3 }]);
  });

  it('lists newest first, also across hours and days, and entries of one millisecond all the same', async () => {
    const times = { a: 0, b: 1, c: HOUR_MS, d: -HOUR_MS, e: DAY_MS, f: 0 };
    for (const [id, offset] of Object.entries(times)) {
      await store.put(entry({ executionId: `${organizationId}-${id}`, timeMs: NOON_MS + offset }));
    }
    const days = query({ fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + 2 * DAY_MS });
    const listed = (await ids(store.list(days))).map((id) => id.at(-1));
    expect(listed).toEqual(['e', 'c', 'b', 'f', 'a', 'd']);
  });

  it('lists from the first millisecond on, up to but without the last', async () => {
    for (const offset of [-1, 0, 1, 2]) {
      await store.put(entry({ executionId: `${organizationId}-${offset}`, timeMs: NOON_MS + offset }));
    }
    const listed = await ids(store.list(query({ fromMs: NOON_MS, toMs: NOON_MS + 2 })));
    expect(listed).toEqual([`${organizationId}-1`, `${organizationId}-0`]);
    expect(await ids(store.list(query({ fromMs: NOON_MS, toMs: NOON_MS })))).toEqual([]);
    expect(await ids(store.list(query({ fromMs: NOON_MS + 1, toMs: NOON_MS })))).toEqual([]);
  });

  it('lists one neuron, or every neuron of the organization, and no other organization', async () => {
    await store.put(entry({ executionId: `${organizationId}-1` }, 'neu-1'));
    await store.put(entry({ executionId: `${organizationId}-2`, timeMs: NOON_MS + 1 }, 'neu-2'));
    expect(await ids(store.list(query({ neuronId: `${organizationId}-neu-1` })))).toEqual([
      `${organizationId}-1`,
    ]);
    expect(await ids(store.list(query()))).toEqual([`${organizationId}-2`, `${organizationId}-1`]);
    expect(await ids(store.list(query({ organizationId: `${organizationId}-other` })))).toEqual([]);
  });

  it('shows in a list what happened and why, and no text or trace', async () => {
    await store.put(entry({ reason: 'for the operator' }));
    const [listed] = await all(store.list(query()));
    expect(plain(listed)).toEqual({
      executionId: `${organizationId}-exec`,
      timeMs: NOON_MS,
      organization: 'acme',
      neuron: 'hello',
      version: 'v3',
      outcome: 'success',
      status: 200,
      reason: 'for the operator',
      sourceIp: '203.0.113.7',
      username: 'ann',
      cache: 'off',
      latencyMs: 120,
      tokensInput: 3,
      tokensOutput: 5,
      costMicrodollars: 17,
      count: 1,
      restored: false,
    });
  });

  it.each(['a#b', 'org-1#2026-11-21T12#0#ann', '😀', '名前', '"', 'x'.repeat(256), '😀'.repeat(128)])(
    'keeps the username %s as it is',
    async (username) => {
      await store.put(entry({ caller: { ...FACTS.caller, username } }));
      const [listed] = await all(store.list(query()));
      expect(listed?.username).toBe(username);
      expect((await store.find(`${organizationId}-exec`))?.username).toBe(username);
    },
  );

  it('keeps a refusal without username, version and texts', async () => {
    await store.put(
      entry({
        caller: { sourceIp: '203.0.113.7', refererHost: undefined },
        code: 'access_closed',
        run: undefined,
        count: 9,
      }),
    );
    const [listed] = await all(store.list(query()));
    expect(listed).toMatchObject({ outcome: 'refused', code: 'access_closed', count: 9 });
    expect(listed?.username).toBeUndefined();
  });

  it('does not show an entry whose retention has ended, though it may still be stored', async () => {
    const subject = { ...FACTS.subject, organizationId, retentionMs: DAY_MS };
    await store.put(
      entry({ executionId: `${organizationId}-old`, subject, timeMs: NOON_MS - DAY_MS - 1000 }),
    );
    await store.put(
      entry({ executionId: `${organizationId}-new`, subject, timeMs: NOON_MS - DAY_MS + 1000 }),
    );
    expect(await ids(store.list(query({ fromMs: NOON_MS - 2 * DAY_MS })))).toEqual([`${organizationId}-new`]);
    expect(await store.find(`${organizationId}-old`)).toBeUndefined();
    expect(await store.find(`${organizationId}-new`)).toBeDefined();
  });

  it('takes an entry whose texts use up the whole budget', async () => {
    const facts = {
      ...FACTS,
      executionId: `${organizationId}-big`,
      subject: { ...FACTS.subject, organizationId },
    };
    const big = buildEntry(
      { ...facts, input: 'ä'.repeat(TEXT_BUDGET_BYTES) },
      createKeepText('full', undefined),
    );
    await store.put(big);
    const found = await store.find(`${organizationId}-big`);
    expect(found?.input).toMatchObject({ kind: 'full', bytes: 2 * TEXT_BUDGET_BYTES, cut: true });
  });

  it('takes the entry of a run of a hundred model calls whose texts use up the budget', async () => {
    const name = 'm'.repeat(200);
    const modelCalls = Array.from({ length: 100 }, () => ({
      ...FACTS.run!.modelCalls[0]!,
      model: name,
      modelVersion: name,
    }));
    const trace = modelCalls.map(() => ({
      type: 'callModel',
      atMs: 239_999,
      input: 'i'.repeat(1_500),
      output: 'o'.repeat(2_000),
    }));
    const subject = { ...FACTS.subject, organizationId };
    const facts = {
      ...FACTS,
      executionId: `${organizationId}-long`,
      subject,
      run: { ...FACTS.run!, modelCalls, trace },
    };
    await store.put(buildEntry(facts, createKeepText('full', undefined)));
    const found = await store.find(`${organizationId}-long`);
    expect(found?.trace).toHaveLength(100);
    expect(found?.trace.at(-1)?.output).toMatchObject({ kind: 'full', bytes: 2_000, cut: true });
  });

  it('lists only what is asked for: a user, an outcome, a status, a key, an address, of one neuron or of all', async () => {
    const calls: [string, Partial<EntryFacts>, string?][] = [
      ['ok', {}],
      ['bob', { caller: { ...FACTS.caller, username: 'bob' } }],
      ['limited', { code: 'rate_limited', run: undefined }],
      ['keyed', { caller: { ...FACTS.caller, username: 'eve', keyId: 'keyA', sourceIp: '192.0.2.1' } }],
      ['closed', { code: 'access_closed', run: undefined }, 'neu-2'],
      ['broken', { code: 'internal', run: undefined, caller: { ...FACTS.caller, username: 'bob' } }, 'neu-2'],
      ['stopped', { run: { ...FACTS.run!, executionStopped: true } }],
    ];
    for (const [id, changes, neuron] of calls)
      await store.put(entry({ ...changes, executionId: `${organizationId}-${id}` }, neuron));
    const neuronId = `${organizationId}-neu-2`;
    const namesOf = async (changes: Partial<LogQuery>) =>
      (await ids(store.list(query(changes)))).map((id) => id.split('-').at(-1)).sort();
    expect(await namesOf({ username: 'bob' })).toEqual(['bob', 'broken']);
    expect(await namesOf({ username: 'bob', neuronId })).toEqual(['broken']);
    expect(await namesOf({ username: 'bob', outcome: 'success' })).toEqual(['bob']);
    expect(await namesOf({ username: 'nobody' })).toEqual([]);
    expect(await namesOf({ outcome: 'refused' })).toEqual(['closed', 'limited']);
    expect(await namesOf({ outcome: 'refused', neuronId })).toEqual(['closed']);
    expect(await namesOf({ outcome: 'failed' })).toEqual(['broken']);
    expect(await namesOf({ outcome: 'stopped' })).toEqual(['stopped']);
    expect(await namesOf({ status: 429 })).toEqual(['limited']);
    expect(await namesOf({ status: 200 })).toEqual(['bob', 'keyed', 'ok', 'stopped']);
    expect(await namesOf({ status: 429, outcome: 'success' })).toEqual([]);
    expect(await namesOf({ keyId: 'keyA' })).toEqual(['keyed']);
    expect(await namesOf({ sourceIp: '192.0.2.1' })).toEqual(['keyed']);
  });

  it('lists newest first whatever shard an entry is in', async () => {
    const offsets = Array.from({ length: 40 }, (_, index) => (index * 7) % 40);
    for (const offset of offsets)
      await store.put(entry({ executionId: `${organizationId}-${offset}`, timeMs: NOON_MS + offset }));
    const newestFirst = Array.from({ length: 40 }, (_, index) => `${organizationId}-${39 - index}`);
    expect(await ids(store.list(query()))).toEqual(newestFirst);
    expect(await ids(store.list(query({ neuronId: `${organizationId}-neu-1`, username: 'ann' })))).toEqual(
      newestFirst,
    );
  });

  it('lists more than one page of a query', async () => {
    const text = 'x'.repeat(250_000);
    for (let index = 0; index < 6; index += 1) {
      await store.put(
        entry({ executionId: `${organizationId}-${index}`, timeMs: NOON_MS + index, input: text }),
      );
    }
    const neuronId = `${organizationId}-neu-1`;
    const expected = [5, 4, 3, 2, 1, 0].map((index) => `${organizationId}-${index}`);
    expect(await ids(store.list(query({ neuronId })))).toEqual(expected);
  });
});
