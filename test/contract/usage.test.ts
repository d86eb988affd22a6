// What every usage table does, held against the one in memory and the one in DynamoDB alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import type { UsageLedger, UsageMark, UsageQuery, UsageReader, UsageRow } from '../../core/ports/usage.ts';
import { NO_USAGE } from '../../core/usage/entry-usage.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryUsage } from '../support/memory/usage.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

let organizationId = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  organizationId = `org-${tests}`;
});

const NOON_S = NOON_MS / 1000;
const mark = (key: string): UsageMark => ({ key: `${organizationId}#${key}`, expiresAt: NOON_S + 172_800 });
const row = (changes: Partial<UsageRow> = {}): UsageRow => ({
  organizationId,
  day: '2026-11-21',
  neuronId: 'neu-1',
  neuron: 'hello',
  subject: { kind: 'neuron' },
  amounts: { ...NO_USAGE, success: 1, tokensInput: 3, costMicrodollars: 17 },
  entriesEnd: {},
  expiresAt: undefined,
  ...changes,
});
const userRow = (username: string, expiresAt = NOON_S + 60): UsageRow =>
  row({ subject: { kind: 'user', username }, expiresAt });

const clock = createMemoryClock(NOON_MS);
const stores: [string, () => UsageLedger & UsageReader][] = [
  ['memory', () => createMemoryUsage(clock)],
  [
    'DynamoDB',
    () => ({
      ...createUsageLedger(dynamoDb.client, dynamoDb.tables.usage),
      ...createUsageReader(dynamoDb.client, dynamoDb.tables.usage, clock),
    }),
  ],
];

describe.each(stores)('a usage table in %s', (_name, create) => {
  let usage: UsageLedger & UsageReader;
  beforeEach(() => {
    usage = create();
  });

  async function rows(changes: Partial<UsageQuery> = {}): Promise<UsageRow[]> {
    const found: UsageRow[] = [];
    const query = { organizationId, fromDay: '2026-11-21', toDay: '2026-11-21', ...changes };
    for await (const one of usage.list(query)) found.push(one);
    return found;
  }

  it('gives a row back as it was added', async () => {
    const put = row({ entriesEnd: { '2027-02-19': 1 } });
    expect(await usage.add([mark('a')], [put])).toEqual({ outcome: 'added' });
    expect(await rows()).toEqual([put]);
  });

  it('adds up what belongs to the same row, under the latest name of the neuron', async () => {
    await usage.add([mark('a')], [row({ entriesEnd: { '2027-02-19': 1 } })]);
    const amounts = { ...NO_USAGE, refused: 2, tokensInput: 4, unknownCosts: 1 };
    await usage.add(
      [mark('b'), mark('c')],
      [row({ amounts, neuron: 'renamed', entriesEnd: { '2027-02-19': 1, '2026-11-22': 5 } })],
    );
    expect(await rows()).toEqual([
      row({
        neuron: 'renamed',
        amounts: { ...amounts, success: 1, tokensInput: 7, costMicrodollars: 17 },
        entriesEnd: { '2027-02-19': 2, '2026-11-22': 5 },
      }),
    ]);
  });

  it('adds nothing when one of the marks is there already, and names those', async () => {
    await usage.add([mark('a'), mark('b')], [row()]);
    const repeated = await usage.add([mark('c'), mark('b'), mark('d')], [row(), userRow('ann')]);
    expect(repeated).toEqual({ outcome: 'repeated', marks: [mark('b')] });
    expect(await rows()).toEqual([row()]);
    expect(await usage.add([mark('c'), mark('d')], [row()])).toEqual({ outcome: 'added' });
  });

  it('knows what has been counted', async () => {
    await usage.add([mark('a')], [row()]);
    expect(await usage.isCounted(mark('a').key)).toBe(true);
    expect(await usage.isCounted(mark('b').key)).toBe(false);
  });

  it('keeps neurons, models, users, days and organizations apart', async () => {
    const others: Partial<UsageRow>[] = [
      { neuronId: 'neu-2' },
      { subject: { kind: 'model', provider: 'demo', model: 'm' } },
      { subject: { kind: 'model', provider: 'other', model: 'm' } },
      { subject: { kind: 'user', username: 'ann' } },
      { subject: { kind: 'user', username: 'Ann' } },
      { day: '2026-11-22' },
    ];
    const all = [row(), ...others.map(row)];
    await usage.add([mark('a')], all);
    await usage.add([mark('b')], [row({ organizationId: `${organizationId}-other` })]);
    const found = await rows({ toDay: '2026-11-22' });
    expect(found).toHaveLength(all.length);
    expect(found).toEqual(expect.arrayContaining(all));
    expect(await rows({ neuronId: 'neu-2' })).toEqual([row({ neuronId: 'neu-2' })]);
    expect(await rows({ fromDay: '2026-11-22', toDay: '2026-11-23' })).toEqual([row({ day: '2026-11-22' })]);
    expect(await rows({ fromDay: '2026-11-22', toDay: '2026-11-21' })).toEqual([]);
  });

  it('shows the row of a user for as long as the entries that name the user', async () => {
    await usage.add([mark('a')], [userRow('ann', NOON_S + 1), userRow('bob', NOON_S)]);
    expect(await rows()).toEqual([userRow('ann', NOON_S + 1)]);
  });

  it('takes the longest username there is', async () => {
    const longest = '😀'.repeat(256);
    await usage.add([mark('a')], [userRow(longest)]);
    expect(await rows()).toEqual([userRow(longest)]);
  });

  it('takes a hundred marks and rows at once', async () => {
    const users = Array.from({ length: 50 }, (_, n) => userRow(`user-${n}`));
    expect(
      await usage.add(
        Array.from({ length: 50 }, (_, n) => mark(`m${n}`)),
        users,
      ),
    ).toEqual({
      outcome: 'added',
    });
    expect(await rows()).toHaveLength(50);
  });

  it('loses nothing of additions that are made side by side', async () => {
    const additions = Array.from({ length: 20 }, (_, n) => usage.add([mark(`m${n}`)], [row()]));
    const added = (await Promise.all(additions)).filter(({ outcome }) => outcome === 'added');
    expect((await rows())[0]?.amounts.success).toBe(added.length);
  });
});
