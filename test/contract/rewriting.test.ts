// Whoever rewrites everything: what only a head that is kept elsewhere shows. And what is late without anybody's doing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toStoredRecord } from '../../adapters/dynamodb/seals/stored-record.ts';
import { toChangeId } from '../../core/contract/change-entry.ts';
import { toEntryToSeal } from '../../core/logs/seals/sealed-entry.ts';
import type { SealHead } from '../../core/ports/seals.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createSealedLog, slugOf } from '../support/sealed-log.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const HOUR_MS = 3_600_000;

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

describe('whoever rewrites everything', () => {
  /** Cuts off the last hour: entries, seals and the head beside the chain. */
  async function cutOff(): Promise<SealHead> {
    await log.fill(['a', 'b', 'c', 'd']);
    const kept = await log.seals.read(organizationId);
    for (const id of ['c', 'd']) await log.remove(await log.itemOf(id));
    const [first, second] = await log.findSeals();
    await log.remove(second ?? {}, dynamoDb.tables.usage);
    await log.moveHead({
      ...{ chain: organizationId, sequence: 1, hash: first?.['hash']?.S ?? '' },
      sealedAtMs: Number(first?.['sealedAtMs']?.N),
    });
    if (kept === undefined) throw new Error('the log was not sealed');
    return kept;
  }

  it('of the last hour is found with a head that was kept elsewhere', async () => {
    const kept = await cutOff();
    expect(await log.describe({ kept })).toEqual(['kept head absent']);
  });

  it('of the last hour is not found without one, as docs/logs.md says', async () => {
    await cutOff();
    expect(await log.describe()).toEqual([]);
  });

  /** Changes an entry, and makes all seals anew, each with a hash that fits. */
  async function rewrite(): Promise<SealHead> {
    await log.fill(['a', 'b', 'c', 'd']);
    const kept = await log.seals.read(organizationId);
    await log.put({ ...(await log.itemOf('a')), sourceIp: { S: '198.51.100.1' } });
    const changed = toEntryToSeal(toStoredRecord(await log.itemOf('a')), NOON_MS / 1000 + 120).line;
    const first = await log.reseal(0, (lines) => [changed, ...lines.slice(1)]);
    await log.moveHead(await log.reseal(1, (lines) => lines, first));
    if (kept === undefined) throw new Error('the log was not sealed');
    return kept;
  }

  it('of the whole chain is found with a head that was kept elsewhere', async () => {
    const kept = await rewrite();
    expect(await log.describe({ kept })).toEqual(['kept head different']);
  });

  it('of the whole chain is not found without one, as docs/logs.md says', async () => {
    await rewrite();
    expect(await log.describe()).toEqual([]);
  });

  it('is told apart from nobody: the chain contains every head that it ever had', async () => {
    await log.fill(['a', 'b']);
    const kept = await log.seals.read(organizationId);
    await log.fill(['c', 'd']);
    expect(await log.describe({ ...(kept && { kept }) })).toEqual([]);
  });
});

describe('what is put late', () => {
  it('explains itself by nothing that it says', async () => {
    await log.fill(['a', 'b']);
    await log.clock.advance(3 * HOUR_MS);
    await log.store.put({ ...log.entry('lost', { timeMs: NOON_MS + 30_000 }), restored: true });
    const flood = log.entry('flood', { timeMs: NOON_MS + 40_000, code: 'rate_limited', run: undefined });
    await log.store.put({ ...flood, count: 40 });
    await log.seal();
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toMatchObject([
      { kind: 'late', id: 'lost', restoredBy: null },
      { kind: 'late', id: 'flood', restoredBy: null },
    ]);
    expect(summary).toMatchObject({ late: 2, intact: false });
  });

  /** A change that names entries as restored, put now, and sealed. */
  async function restoreChange(entries: readonly string[]): Promise<string> {
    const timeMs = log.clock.now();
    const id = toChangeId(timeMs, new Uint8Array(8).fill(entries.length));
    await log.changes.begin({
      ...{ id, timeMs, by: 'local', actions: ['restore_entries'] },
      ...{ organization: slugOf(organizationId), organizationId, neuron: undefined, neuronId: undefined },
      ...{ before: undefined, after: { entries }, expiresAt: timeMs / 1000 + 86_400 },
    });
    await log.seal();
    return id;
  }
  const putLate = (id: string) =>
    log.store.put({ ...log.entry(id, { timeMs: NOON_MS + 30_000 }), restored: true });

  it('is explained by a sealed change that names it and came before it', async () => {
    await log.fill(['a', 'b']);
    await log.clock.advance(3 * HOUR_MS);
    const id = await restoreChange(['lost']);
    await putLate('lost');
    await putLate('other');
    await log.seal();
    const { discrepancies: found, summary } = await log.verify();
    expect(found).toMatchObject([
      { kind: 'late', id: 'lost', restoredBy: id },
      { kind: 'late', id: 'other', restoredBy: null },
    ]);
    expect(summary).toMatchObject({ late: 2, intact: false });
  });

  it('is not explained by a change that came after it, was changed, or was never sealed', async () => {
    await log.fill(['a', 'b']);
    await log.clock.advance(3 * HOUR_MS);
    await putLate('first');
    await log.seal();
    await log.clock.advance(60_000);
    await restoreChange(['first']);
    const edited = await restoreChange(['other', 'x']);
    const item = (await log.items()).find(({ sk }) => sk?.S?.endsWith(edited));
    await log.put({ ...item, after: { S: '{"entries":["edited"]}' } });
    await putLate('edited');
    await log.seal();
    const { discrepancies: found } = await log.verify();
    expect(found).toMatchObject([
      { kind: 'changed', id: edited },
      { kind: 'late', id: 'first', restoredBy: null },
      { kind: 'late', id: 'edited', restoredBy: null },
    ]);
  });
});
