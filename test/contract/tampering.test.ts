// Tampering by hand in the tables: each is found and named for what it is.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toChangeId } from '../../core/contract/change-entry.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createSealedLog, type RawItem, slugOf } from '../support/sealed-log.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let organizationId = '';
let tests = 0;
let log: ReturnType<typeof createSealedLog>;
beforeEach(async () => {
  tests += 1;
  organizationId = `org-${tests}`;
  log = createSealedLog(dynamoDb, organizationId, NOON_MS);
  // What earlier tests put was delivered to them.
  await log.seal({ skip: true });
});

describe('a log that nobody touched', () => {
  it('is whole, calls and changes alike', async () => {
    await log.fill(['a', 'b', 'c']);
    const timeMs = log.clock.now();
    const change = {
      id: toChangeId(timeMs, new Uint8Array(8).fill(tests)),
      ...{
        timeMs,
        by: 'local',
        actions: ['pause'] as const,
        organization: slugOf(organizationId),
        organizationId,
      },
      ...{ neuron: undefined, neuronId: undefined, before: undefined, after: { paused: true } },
      expiresAt: timeMs / 1000 + 86_400,
    };
    await log.changes.begin(change);
    await log.changes.end(change, 'made');
    await log.seal();
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toEqual([]);
    expect(summary).toMatchObject({ seals: 3, sealed: 5, whole: 5, expired: 0, intact: true });
    expect(summary.head?.sequence).toBe(3);
  });

  it('names what waits for its seal, which is no sign of tampering', async () => {
    await log.fill(['a', 'b']);
    await log.store.put(log.entry('new', { timeMs: log.clock.now() }));
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toMatchObject([{ kind: 'unsealed', id: 'new' }]);
    expect(summary).toMatchObject({ whole: 2, unsealed: 1, intact: true });
  });

  it('misses nothing that has reached the end of its retention', async () => {
    await log.store.put(
      log.entry('short', {
        timeMs: NOON_MS,
        subject: { ...log.subject, retentionMs: DAY_MS },
      }),
    );
    await log.fill(['a']);
    const short = (await log.items()).find(({ sk }) => sk?.S?.endsWith('#short')) ?? {};
    const nowMs = NOON_MS + DAY_MS + 1_000;
    // Still there, since DynamoDB deletes late.
    expect((await log.verify({ nowMs })).summary).toMatchObject({ whole: 2, expired: 0, intact: true });
    await log.remove(short);
    expect((await log.verify({ nowMs })).summary).toMatchObject({ whole: 1, expired: 1, intact: true });
  });

  it('verifies a part of it alone', async () => {
    await log.fill(['a', 'b', 'c', 'd']);
    await log.remove(await log.itemOf('a'));
    const second = { fromMs: NOON_MS + MINUTE_MS, toMs: NOON_MS + 3 * MINUTE_MS };
    expect((await log.verify(second)).summary).toMatchObject({ seals: 2, sealed: 4, whole: 2, intact: true });
  });

  it('still begins where it may when its oldest seals have expired', async () => {
    await log.fill(['a', 'b', 'c', 'd']);
    const [oldest] = await log.findSeals();
    await log.remove(oldest ?? {}, dynamoDb.tables.usage);
    expect(await log.describe()).toContain('seals 1–1 missing');
    expect(await log.describe({ nowMs: NOON_MS + 401 * DAY_MS })).not.toContain('seals 1–1 missing');
  });
});

describe('tampering by hand is found', () => {
  it('when one character of one attribute is changed, and names the attribute', async () => {
    await log.fill(['a', 'b', 'c']);
    const item = await log.itemOf('b');
    await log.put({ ...item, sourceIp: { S: '203.0.113.8' } });
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toMatchObject([
      {
        kind: 'changed',
        id: 'b',
        time: '2026-11-21T12:31:00.000Z',
        sequence: 1,
        differences: { changed: ['sourceIp'], added: [], removed: 0 },
      },
    ]);
    expect(summary).toMatchObject({ whole: 2, changed: 1, intact: false });
  });

  it('when a number is changed in its last digit, an attribute is removed, or one is added', async () => {
    await log.fill(['a', 'b', 'c', 'd']);
    const { username: _username, ...anonymous } = await log.itemOf('c');
    await log.put({ ...(await log.itemOf('b')), costMicrodollars: { N: '18' } });
    await log.put(anonymous);
    await log.put({ ...(await log.itemOf('d')), restored2: { BOOL: true } });
    const { discrepancies: found } = await log.verify();
    expect(found).toMatchObject([
      { id: 'b', differences: { changed: ['costMicrodollars'] } },
      { id: 'c', differences: { removed: 1 } },
      { id: 'd', differences: { added: ['restored2'] } },
    ]);
  });

  it('when the end of the retention is moved, so that DynamoDB deletes the entry', async () => {
    await log.fill(['a', 'b']);
    await log.put({ ...(await log.itemOf('b')), expiresAt: { N: String(NOON_MS / 1000) } });
    expect(await log.describe()).toEqual(['changed b: expiresAt']);
    await log.remove(await log.itemOf('b'));
    expect(await log.describe()).toEqual(['missing b']);
  });

  it('when an entry is taken out of the index that lists it', async () => {
    await log.fill(['a', 'b']);
    const { organizationHour: _hour, ...hidden } = await log.itemOf('b');
    await log.put(hidden);
    expect((await log.verify()).discrepancies).toMatchObject([
      { kind: 'changed', id: 'b', differences: { removed: 1 } },
    ]);
  });

  it('when an entry is deleted', async () => {
    await log.fill(['a', 'b', 'c']);
    await log.remove(await log.itemOf('b'));
    expect((await log.verify()).discrepancies).toMatchObject([
      {
        kind: 'missing',
        id: 'b',
        time: '2026-11-21T12:31:00.000Z',
        retainedUntil: '2027-02-19T12:31:00.000Z',
      },
    ]);
  });

  it('when the contents of two are swapped', async () => {
    await log.fill(['a', 'b', 'c']);
    const [one, other] = [await log.itemOf('a'), await log.itemOf('c')];
    const keysOf = ({ pk, sk }: RawItem) => ({ ...(pk && { pk }), ...(sk && { sk }) });
    await log.put({ ...other, ...keysOf(one) });
    await log.put({ ...one, ...keysOf(other) });
    const found = await log.describe();
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^changed a: /);
    expect(found[1]).toMatch(/^changed c: /);
  });

  it('when one is added with an old time, since its seal says when it was put', async () => {
    await log.fill(['a', 'b']);
    await log.clock.advance(3 * HOUR_MS);
    await log.store.put(log.entry('forged', { timeMs: NOON_MS + 30_000 }));
    await log.seal();
    await log.fill(['c']);
    expect((await log.verify()).discrepancies).toMatchObject([
      { kind: 'late', id: 'forged', putAt: '2026-11-21T15:32:00.000Z', restoredBy: null },
    ]);
    expect((await log.verify()).summary.intact).toBe(false);
  });

  it('when one is added with an old time behind the back of the reader', async () => {
    await log.fill(['a', 'b']);
    await log.store.put(log.entry('forged', { timeMs: NOON_MS - 30 * HOUR_MS }));
    expect((await log.verify()).discrepancies).toMatchObject([
      { kind: 'late', id: 'forged', sequence: null, putAt: null },
    ]);
  });

  it('when one is deleted and put again with another content', async () => {
    await log.fill(['a', 'b']);
    const item = await log.itemOf('b');
    await log.remove(item);
    await log.put({ ...item, status: { N: '403' } });
    await log.seal();
    expect(await log.describe()).toEqual(['changed b: status']);
  });

  it('when the lines of a seal are edited', async () => {
    await log.fill(['a', 'b', 'c', 'd']);
    const [first] = await log.findSeals();
    const lines = first?.['lines']?.S?.split('\n') ?? [];
    await log.put({ ...first, lines: { S: lines.slice(1).join('\n') } }, dynamoDb.tables.usage);
    expect(await log.describe()).toEqual(expect.arrayContaining(['seal 1 edited']));
  });

  it('when two entries of a seal are swapped', async () => {
    await log.fill(['a', 'b']);
    const [first] = await log.findSeals();
    const lines = first?.['lines']?.S?.split('\n') ?? [];
    await log.put({ ...first, lines: { S: lines.toReversed().join('\n') } }, dynamoDb.tables.usage);
    expect(await log.describe()).toEqual(['seal 1 edited']);
  });

  it('when a seal is edited and given a hash that fits, since the next one does not follow it', async () => {
    await log.fill(['a', 'b', 'c', 'd']);
    await log.remove(await log.itemOf('a'));
    await log.reseal(0, (lines) => lines.slice(1));
    expect(await log.describe()).toEqual(['seal 2 detached']);
  });

  it('when a seal is taken out, or is no seal any more', async () => {
    await log.fill(['a', 'b', 'c', 'd', 'e', 'f']);
    const [, second, third] = await log.findSeals();
    await log.remove(second ?? {}, dynamoDb.tables.usage);
    expect(await log.describe()).toContain('seals 2–2 missing');
    const { hash: _hash, ...broken } = third ?? {};
    await log.put(broken, dynamoDb.tables.usage);
    expect(await log.describe()).toContain('seal 3 unreadable');
  });

  it('when the end of the chain is cut off, by the head beside it', async () => {
    await log.fill(['a', 'b', 'c', 'd']);
    await log.remove(await log.itemOf('c'));
    await log.remove(await log.itemOf('d'));
    const [, second] = await log.findSeals();
    await log.remove(second ?? {}, dynamoDb.tables.usage);
    expect(await log.describe()).toEqual(['table head absent']);
  });
});

describe('an item that does not agree with itself is found, though it was put and sealed in its time', () => {
  /** An item like `a`, a minute later, with other attributes. */
  async function forge(changes: RawItem): Promise<void> {
    await log.fill(['a']);
    await log.store.put(log.entry('forged', { timeMs: log.clock.now() }));
    const item = await log.itemOf('forged');
    await log.remove(item);
    const merged = Object.entries({ ...item, ...changes }).filter(([, value]) => value !== ABSENT);
    await log.put(Object.fromEntries(merged));
    await log.seal();
  }
  const ABSENT: RawItem[string] = { S: 'absent' };
  const old = NOON_MS - 10 * DAY_MS;

  it.each<[string, () => RawItem, string]>([
    ['an organization of its own', () => ({ organizationId: { S: 'zzz' } }), 'organizationId'],
    ['no organization', () => ({ organizationId: ABSENT }), 'organizationId'],
    ['an old time', () => ({ timeMs: { N: String(old) } }), 'timeMs'],
    ['a time of no date', () => ({ timeMs: { N: '1e125' } }), 'timeMs'],
    ['another id', () => ({ executionId: { S: 'other' } }), 'executionId'],
    ['another neuron', () => ({ neuronId: { S: 'other' } }), 'neuronId'],
    ['no end of its retention', () => ({ expiresAt: ABSENT }), 'expiresAt'],
    ['an endless retention', () => ({ expiresAt: { N: '9e15' } }), 'expiresAt'],
    ['no key of the index of the organization', () => ({ organizationHour: ABSENT }), 'organizationHour'],
    ['no key of the index of users', () => ({ usernameHour: ABSENT }), 'usernameHour'],
    ['a key of the index of failures', () => ({ failureHour: { S: 'x' } }), 'failureHour'],
  ])('with %s', async (_name, change, attribute) => {
    await forge(change());
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'inconsistent', attributes: expect.arrayContaining([attribute]) }),
    );
    expect(summary.intact).toBe(false);
  });

  it('a change of an organization that never had the slug', async () => {
    await log.fill(['a']);
    const timeMs = log.clock.now();
    const change = {
      id: toChangeId(timeMs, new Uint8Array(8)),
      ...{ timeMs, by: 'local', actions: ['create_key'] as const, organization: slugOf(organizationId) },
      organizationId: 'zzz',
      ...{ neuron: undefined, neuronId: undefined, before: undefined, after: undefined },
      expiresAt: timeMs / 1000 + 86_400,
    };
    await log.changes.begin(change);
    await log.seal();
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'foreign', organizationId: 'zzz', isOtherTime: false }),
    );
    expect(summary.intact).toBe(false);
  });

  it('one with a time to come', async () => {
    await log.fill(['a']);
    await log.store.put(log.entry('soon', { timeMs: log.clock.now() + 2 * HOUR_MS }));
    await log.seal();
    expect(await log.describe()).toContain('early soon');
  });
});
