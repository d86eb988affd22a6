// What every usage table does, held against the one in memory and the one in DynamoDB alike.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSealReader } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import { makeSeal } from '../../core/logs/seals/seal.ts';
import type { Seal, SealHead, SealReader, StoredSeal } from '../../core/ports/seals.ts';
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
/** In the group of the organization, where no other is named. */
const mark = (key: string, group = ''): UsageMark => ({
  group: `ENTRIES#${organizationId}#${group}`,
  id: createHash('sha256').update(key).digest().subarray(0, 16).toString('base64url'),
  expiresAt: NOON_S + 172_800,
});
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
const stores: [string, () => UsageLedger & UsageReader & SealReader][] = [
  ['memory', () => createMemoryUsage(clock)],
  [
    'DynamoDB',
    () => ({
      ...createUsageLedger(dynamoDb.client, dynamoDb.tables.usage),
      ...createUsageReader(dynamoDb.client, dynamoDb.tables.usage, clock),
      ...createSealReader(dynamoDb.client, dynamoDb.tables.usage),
    }),
  ],
];

describe.each(stores)('a usage table in %s', (_name, create) => {
  let usage: UsageLedger & UsageReader & SealReader;
  beforeEach(() => {
    usage = create();
  });

  const add = (marks: readonly UsageMark[], changes: readonly UsageRow[], seals: readonly Seal[] = []) =>
    usage.add(marks, changes, seals);

  async function rows(changes: Partial<UsageQuery> = {}): Promise<UsageRow[]> {
    const found: UsageRow[] = [];
    const query = { organizationId, fromDay: '2026-11-21', toDay: '2026-11-21', ...changes };
    for await (const one of usage.list(query)) found.push(one);
    return found;
  }

  it('gives a row back as it was added', async () => {
    const put = row({ entriesEnd: { '2027-02-19': 1 } });
    expect(await add([mark('a')], [put])).toEqual({ outcome: 'added' });
    expect(await rows()).toEqual([put]);
  });

  it('adds up what belongs to the same row, under the latest name of the neuron', async () => {
    await add([mark('a')], [row({ entriesEnd: { '2027-02-19': 1 } })]);
    const amounts = { ...NO_USAGE, refused: 2, tokensInput: 4, unknownCosts: 1 };
    await add(
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
    await add([mark('a'), mark('b')], [row()]);
    const repeated = await add([mark('c'), mark('b'), mark('d')], [row(), userRow('ann')]);
    expect(repeated).toEqual({ outcome: 'repeated', marks: [mark('b')] });
    expect(await rows()).toEqual([row()]);
    expect(await add([mark('c'), mark('d')], [row()])).toEqual({ outcome: 'added' });
  });

  it('knows what has been counted', async () => {
    await add([mark('a')], [row()]);
    expect(await usage.isCounted(mark('a'))).toBe(true);
    expect(await usage.isCounted(mark('b'))).toBe(false);
    expect(await usage.isCounted(mark('a', 'other'))).toBe(false);
  });

  it('names the repeated marks of every group, and of no other', async () => {
    await add([mark('a', '1'), mark('b', '1'), mark('c', '2')], [row()]);
    const tried = [mark('x', '3'), mark('c', '2'), mark('x', '1'), mark('b', '1'), mark('c', '1')];
    const rejected = await add([...tried, mark('a', '2')], [row()]);
    expect(rejected.outcome).toBe('repeated');
    const repeated = rejected.outcome === 'repeated' ? rejected.marks : [];
    expect(new Set(repeated)).toEqual(new Set([mark('c', '2'), mark('b', '1')]));
    expect(await rows()).toEqual([row()]);
    expect(await add([mark('x', '3'), mark('x', '1'), mark('c', '1'), mark('a', '2')], [])).toEqual({
      outcome: 'added',
    });
    for (const one of tried) expect(await usage.isCounted(one)).toBe(true);
  });

  it('takes a hundred marks of one group, and finds each of them again', async () => {
    const marks = Array.from({ length: 100 }, (_, n) => mark(`m${n}`));
    expect(await add(marks, [row()])).toEqual({ outcome: 'added' });
    expect(await add([mark('new'), ...marks.slice(1)], [row()])).toEqual({
      outcome: 'repeated',
      marks: marks.slice(1),
    });
    expect(await rows()).toEqual([row()]);
  });

  it('keeps neurons, models, users, days and organizations apart', async () => {
    const others: Partial<UsageRow>[] = [
      { neuronId: 'neu-2' },
      { subject: { kind: 'model', provider: 'demo', model: 'm' } },
      { subject: { kind: 'model', provider: 'other', model: 'm' } },
      { subject: { kind: 'user', username: 'ann' } },
      { subject: { kind: 'user', username: 'Ann' } },
      { subject: { kind: 'key', keyId: 'k1' } },
      { subject: { kind: 'key', keyId: 'Ann' } },
      { day: '2026-11-22' },
    ];
    const all = [row(), ...others.map(row)];
    await add([mark('a')], all);
    await add([mark('b')], [row({ organizationId: `${organizationId}-other` })]);
    const found = await rows({ toDay: '2026-11-22' });
    expect(found).toHaveLength(all.length);
    expect(found).toEqual(expect.arrayContaining(all));
    expect(await rows({ neuronId: 'neu-2' })).toEqual([row({ neuronId: 'neu-2' })]);
    expect(await rows({ fromDay: '2026-11-22', toDay: '2026-11-23' })).toEqual([row({ day: '2026-11-22' })]);
    expect(await rows({ fromDay: '2026-11-22', toDay: '2026-11-21' })).toEqual([]);
  });

  it('shows the row of a user for as long as the entries that name the user', async () => {
    await add([mark('a')], [userRow('ann', NOON_S + 1), userRow('bob', NOON_S)]);
    expect(await rows()).toEqual([userRow('ann', NOON_S + 1)]);
  });

  it('takes the longest username there is', async () => {
    const longest = '😀'.repeat(256);
    await add([mark('a')], [userRow(longest)]);
    expect(await rows()).toEqual([userRow(longest)]);
  });

  it('takes a hundred groups and rows at once', async () => {
    const users = Array.from({ length: 50 }, (_, n) => userRow(`user-${n}`));
    expect(
      await add(
        Array.from({ length: 50 }, (_, n) => mark('a', String(n))),
        users,
      ),
    ).toEqual({
      outcome: 'added',
    });
    expect(await rows()).toHaveLength(50);
  });

  it('loses nothing of additions that are made side by side', async () => {
    const additions = Array.from({ length: 20 }, (_, n) => add([mark(`m${n}`)], [row()]));
    const added = (await Promise.all(additions)).filter(({ outcome }) => outcome === 'added');
    expect((await rows())[0]?.amounts.success).toBe(added.length);
  });

  describe('with seals', () => {
    const chain = () => organizationId;
    const follow = (head: SealHead | undefined, ...lines: string[]) =>
      makeSeal(chain(), head, lines, NOON_MS + 1_000);
    const seals = async () => {
      const found: StoredSeal[] = [];
      for await (const one of usage.seals(chain())) found.push(one);
      return found;
    };

    it('gives a chain back as it was sealed, and its head', async () => {
      const first = follow(undefined, 'a', 'b');
      const second = follow(first, 'c');
      expect(await usage.read(chain())).toBeUndefined();
      await add([mark('a')], [row()], [first]);
      await add([mark('c')], [], [second]);
      expect(await seals()).toEqual([
        { sequence: 1, seal: first },
        { sequence: 2, seal: second },
      ]);
      const { sequence, hash, sealedAtMs } = second;
      expect(await usage.read(chain())).toEqual({ chain: chain(), sequence, hash, sealedAtMs });
    });

    it('adds nothing when another seal has the number already, and names the chain', async () => {
      const first = follow(undefined, 'a');
      await add([mark('a')], [], [first]);
      const other = { ...follow(undefined, 'b'), chain: `${chain()}-other` };
      const marks = [mark('b'), mark('c'), mark('d'), mark('e', '2')];
      const rejected = await add(marks, [row()], [other, follow(undefined, 'b')]);
      expect(rejected).toEqual({ outcome: 'outdated', chains: [chain()] });
      expect(await rows()).toEqual([]);
      expect(await usage.read(other.chain)).toBeUndefined();
      expect(await seals()).toEqual([{ sequence: 1, seal: first }]);
    });

    it('names repeated marks first, since their entries are sealed already', async () => {
      const first = follow(undefined, 'a');
      await add([mark('a')], [], [first]);
      expect(await add([mark('a')], [], [first])).toEqual({ outcome: 'repeated', marks: [mark('a')] });
    });

    it('keeps chains in the order of their numbers', async () => {
      let head = follow(undefined, '1');
      await add([mark('1')], [], [head]);
      for (let number = 2; number <= 11; number += 1) {
        head = follow(head, String(number));
        await add([mark(String(number))], [], [head]);
      }
      expect((await seals()).map(({ seal }) => seal?.lines)).toEqual(
        Array.from({ length: 11 }, (_, index) => String(index + 1)),
      );
    });
  });
});
