// What every outbox of alerts does, held against the one in memory and the one in DynamoDB alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAlertOutbox } from '../../adapters/dynamodb/alerts/outbox.ts';
import { createAlertReader } from '../../adapters/dynamodb/alerts/reader.ts';
import { createAlertWatch } from '../../adapters/dynamodb/alerts/watch.ts';
import type { Alert, AlertOutbox, AlertReader, AlertRecord, AlertWatch } from '../../core/ports/alerts.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryAlerts } from '../support/memory/alerts.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const stores: [string, () => AlertOutbox & AlertReader & AlertWatch][] = [
  ['memory', () => createMemoryAlerts()],
  [
    'DynamoDB',
    () => ({
      ...createAlertOutbox(dynamoDb.client, dynamoDb.tables.usage),
      ...createAlertReader(dynamoDb.client, dynamoDb.tables.usage),
      ...createAlertWatch(dynamoDb.client, dynamoDb.tables.usage),
    }),
  ],
];

let tests = 0;
const alert = (name: string, changes: Partial<Alert> = {}): Alert => ({
  ...{ id: `${tests}-${name}`, organization: 'acme', organizationId: `org-${tests}`, keyId: undefined },
  ...{ metric: 'cost', period: 'month', share: 80, limit: 500_000_000, used: 401_000_000, atMs: NOON_MS },
  ...{ windowStartMs: Date.UTC(2026, 10), windowEndMs: Date.UTC(2026, 11) },
  ...changes,
});
const LATER_MS = NOON_MS + 120_000;

describe.each(stores)('an outbox of alerts in %s', (_name, create) => {
  let store: AlertOutbox & AlertReader & AlertWatch;
  beforeEach(async () => {
    tests += 1;
    store = create();
  });

  async function list(): Promise<AlertRecord[]> {
    const found: AlertRecord[] = [];
    for await (const record of store.list(`org-${tests}`)) found.push(record);
    return found;
  }
  /** Of this test: the tables are shared. */
  const due = async (nowMs: number) =>
    (await store.listDue(nowMs, 100)).flatMap(({ id, organizationId }) =>
      organizationId === `org-${tests}` ? [id.split('-')[1]] : [],
    );

  it('gives an alert back as it was added, and adds none twice', async () => {
    const input = alert('a', { keyId: 'k1' });
    expect(await store.add(input, LATER_MS)).toBe('added');
    expect(await store.add({ ...input, atMs: LATER_MS, used: 1 }, LATER_MS)).toBe('known');
    expect(await list()).toEqual([{ alert: input, sentAtMs: {} }]);
  });

  it('adds an alert once for a hundred that find it at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => store.add(alert('a', { used: index }), LATER_MS)),
    );
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect(await list()).toHaveLength(1);
  });

  it('names what is unsent and not leased, the longest waiting first', async () => {
    await store.add(alert('b', { atMs: NOON_MS + 1 }), LATER_MS);
    await store.add(alert('a'), LATER_MS);
    await store.add(alert('c', { atMs: NOON_MS + 2 }), LATER_MS + 1);
    expect(await due(LATER_MS - 1)).toEqual([]);
    expect(await due(LATER_MS)).toEqual(['a', 'b']);
    expect(await due(LATER_MS + 1)).toEqual(['a', 'b', 'c']);
    await store.settle(alert('a'));
    expect(await due(LATER_MS)).toEqual(['b']);
  });

  it('lets one of many lease an alert, until its lease expires or is released', async () => {
    const input = alert('a');
    await store.add(input, LATER_MS);
    expect(await store.lease(input, LATER_MS - 1, LATER_MS + 60)).toBeUndefined();
    const leases = await Promise.all(
      Array.from({ length: 20 }, () => store.lease(input, LATER_MS, LATER_MS + 60)),
    );
    expect(leases.filter((lease) => lease !== undefined)).toEqual([{ alert: input, sentAtMs: {} }]);
    expect(await due(LATER_MS + 59)).toEqual([]);
    await store.release(input);
    expect(await due(LATER_MS)).toEqual(['a']);
    expect(await store.lease(input, LATER_MS, LATER_MS + 60)).toBeDefined();
    expect(await store.lease(input, LATER_MS + 60, LATER_MS + 120)).toBeDefined();
  });

  it('keeps what each channel took, and the record of what is settled', async () => {
    const input = alert('a');
    await store.add(input, LATER_MS);
    await store.markSent(input, 'topic', NOON_MS + 5);
    expect(await store.lease(input, LATER_MS, LATER_MS)).toEqual({
      alert: input,
      sentAtMs: { topic: NOON_MS + 5 },
    });
    await store.markSent(input, 'eventBus', NOON_MS + 6);
    await store.settle(input);
    await store.settle(input);
    expect(await store.lease(input, LATER_MS, LATER_MS)).toBeUndefined();
    expect(await list()).toEqual([{ alert: input, sentAtMs: { topic: NOON_MS + 5, eventBus: NOON_MS + 6 } }]);
  });

  it('makes nothing of an alert that was settled and is released late', async () => {
    const input = alert('a');
    await store.add(input, LATER_MS);
    await store.settle(input);
    await store.release(input).catch(() => undefined);
    expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([]);
  });

  it('names who is watched until then, each once, and nobody among what is unsent', async () => {
    const organizationId = `org-${tests}`;
    const owner = { organization: 'acme', organizationId, keyId: undefined };
    const watched = async (nowMs: number) =>
      (await store.listWatched(nowMs, { maximum: 1000 })).owners.filter(
        (one) => one.organizationId === organizationId,
      );
    await store.watch(owner, NOON_MS / 1000);
    await store.watch(owner, NOON_MS / 1000 + 60);
    await store.watch({ ...owner, keyId: 'k1' }, NOON_MS / 1000 + 120);
    const keyed = { ...owner, keyId: 'k1' };
    expect(new Set(await watched(NOON_MS))).toEqual(new Set([owner, keyed]));
    expect(await watched(NOON_MS + 60_000)).toEqual([keyed]);
    expect(await watched(NOON_MS + 120_000)).toEqual([]);
    await store.add(alert('a'), LATER_MS);
    expect(await due(LATER_MS)).toEqual(['a']);
    const names = new Set<string>();
    let after: string | undefined;
    do {
      const page = await store.listWatched(NOON_MS, { maximum: 1, after });
      expect(page.owners.length).toBeLessThanOrEqual(1);
      for (const one of page.owners) names.add(JSON.stringify(one));
      after = page.next;
    } while (after !== undefined);
    expect(names).toContain(JSON.stringify(owner));
    expect(names).toContain(JSON.stringify(keyed));
    // A page that takes all of them is the last, even when it is full: an empty one would be a minute in which nobody is looked at.
    expect(await store.listWatched(NOON_MS, { maximum: names.size })).toMatchObject({ next: undefined });
  });
});
