// Each delivered entry counts once: repeats, conflicts, failures, and batches that exceed one transaction.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seal, SealReader } from '../../../core/ports/seals.ts';
import type { AddUsageOutcome, UsageLedger, UsageMark, UsageRow } from '../../../core/ports/usage.ts';
import { countAndSeal } from '../../../core/usage/count-and-seal.ts';
import { type MarkedEntry, markKeyOf } from '../../../core/usage/mark.ts';
import { type DeliveredEntry, planTransactions } from '../../../core/usage/plan-transactions.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryUsage } from '../../support/memory/usage.ts';
import { FACTS, NOON_MS } from '../logs/entries.ts';
import { by, countingPorts, delivered } from './deliveries.ts';

const DAY = { organizationId: 'org-1', fromDay: '2026-11-21', toDay: '2026-11-21' };

function memory() {
  return createMemoryUsage(createMemoryClock(NOON_MS));
}

async function requestsOf(usage: ReturnType<typeof memory>, kind = 'neuron'): Promise<number> {
  let requests = 0;
  for await (const { subject, amounts } of usage.list(DAY)) {
    if (subject.kind === kind) requests += amounts.success + amounts.refused;
  }
  return requests;
}

/** A ledger that follows the script first, and then works normally. */
function scripted(
  usage: UsageLedger & SealReader,
  script: (AddUsageOutcome['outcome'] | 'lost' | 'broken')[],
) {
  const additions: { marks: readonly UsageMark[]; changes: readonly UsageRow[]; seals: readonly Seal[] }[] =
    [];
  const ledger: UsageLedger = {
    async add(marks, changes, seals) {
      additions.push({ marks, changes, seals });
      const next = script.shift();
      if (next === 'broken') throw new Error('no answer');
      if (next === 'conflict') return { outcome: 'conflict' };
      const addition = await usage.add(marks, changes, seals);
      // Written, and nobody learned of it.
      if (next === 'lost') throw new Error('no answer');
      return addition;
    },
  };
  return { ledger, additions, ports: countingPorts(usage, ledger) };
}

const some = (count: number, prefix = 'e') =>
  Array.from({ length: count }, (_, n) => delivered(`${prefix}${n}`));

describe('counting a batch', () => {
  it('adds the entries of one neuron and day in one row, whatever their number', async () => {
    const usage = memory();
    const { ports, additions } = scripted(usage, []);
    expect(await countAndSeal(some(40), ports)).toEqual({ outcome: 'counted' });
    expect(additions).toHaveLength(1);
    expect(additions[0]?.marks).toHaveLength(40);
    // By the clock of the function, two seconds past noon.
    expect(additions[0]?.marks[0]?.expiresAt).toBe(NOON_MS / 1000 + 2 + 172_800);
    expect(additions[0]?.changes.map(({ subject }) => subject.kind)).toEqual([
      'neuron',
      'model',
      'user',
      'version',
      'organization',
    ]);
    expect(await requestsOf(usage)).toBe(40);
  });

  it('counts an entry once that is delivered twice in a batch and again in the next', async () => {
    const usage = memory();
    const ports = countingPorts(usage, usage);
    await countAndSeal([delivered('a'), delivered('a'), delivered('b')], ports);
    await countAndSeal([delivered('b'), delivered('c')], ports);
    await countAndSeal([delivered('a'), delivered('b'), delivered('c')], ports);
    expect(await requestsOf(usage)).toBe(3);
  });

  it('counts an entry once when the response to its write was lost', async () => {
    const usage = memory();
    const { ports } = scripted(usage, ['lost']);
    expect(await countAndSeal(some(5), ports)).toMatchObject({ outcome: 'failed', sequenceNumber: 'at-e0' });
    expect(await countAndSeal(some(6), ports)).toEqual({ outcome: 'counted' });
    expect(await requestsOf(usage)).toBe(6);
  });

  it('returns the first record that is not counted, and counts those before it', async () => {
    const usage = memory();
    const { ports } = scripted(usage, ['added', 'broken']);
    // A condition names a hundred marks at most.
    expect(await countAndSeal(some(120), ports)).toMatchObject({
      outcome: 'failed',
      sequenceNumber: 'at-e100',
    });
    expect(await requestsOf(usage)).toBe(100);
  });

  it('backs off on conflicts, and fails after eight retries', async () => {
    const usage = memory();
    const waits: number[] = [];
    const clock = {
      now: () => NOON_MS,
      sleep: async (milliseconds: number) => void waits.push(milliseconds),
    };
    const twice = scripted(usage, ['conflict', 'conflict']).ledger;
    const waiting = countingPorts(usage, twice, { clock, random: { fraction: () => 1 } });
    expect(await countAndSeal(some(1), waiting)).toEqual({
      outcome: 'counted',
    });
    expect(waits).toEqual([100, 200]);
    const busy = scripted(usage, Array(20).fill('conflict')).ledger;
    expect(await countAndSeal(some(1, 'x'), countingPorts(usage, busy, { clock }))).toMatchObject({
      outcome: 'failed',
      sequenceNumber: 'at-x0',
    });
    expect(waits).toHaveLength(2 + 8);
  });

  it('leaves out an entry that had expired when it was put', async () => {
    const usage = memory();
    const subject = { ...FACTS.subject, retentionMs: 500 };
    await countAndSeal([delivered('late', { subject }), delivered('a')], countingPorts(usage, usage));
    expect(await requestsOf(usage)).toBe(1);
  });
});

describe('transactions', () => {
  const plan = (entries: readonly DeliveredEntry[], nowMs = NOON_MS) => planTransactions(entries, nowMs);

  it('have at most a hundred groups of marks, rows and items of seals together', () => {
    const entries = Array.from({ length: 200 }, (_, n) => delivered(`e${n}`, by(`user-${n}`)));
    // 93 users, the organization, the neuron, its model and version, a seal and its head, and the one group of them all.
    expect(plan(entries).map((parts) => parts.length)).toEqual([93, 93, 14]);
    // 19 entries with five items each of their own (a group, a neuron, its model, user and version), the organization, a seal and its head.
    const apart = Array.from({ length: 50 }, (_, n) =>
      delivered(`e${n}`, {
        timeMs: NOON_MS + n * 2_000,
        subject: { ...FACTS.subject, neuronId: `neu-${n}` },
      }),
    );
    expect(plan(apart).map((parts) => parts.length)).toEqual([19, 19, 12]);
  });

  it('have at most a hundred marks of a group, whose condition names each', () => {
    const entries = [...some(150), delivered('apart', { timeMs: NOON_MS + 60_000 })];
    expect(plan(entries).map((parts) => parts.length)).toEqual([100, 51]);
  });

  it('split an entry with too many models into parts, each with its own mark', () => {
    const [call] = FACTS.run!.modelCalls;
    const modelCalls = Array.from({ length: 120 }, (_, n) => ({ ...call!, model: `m-${n}` }));
    const wide = delivered('wide', { run: { ...FACTS.run!, modelCalls } });
    const parts = plan([wide]).flat();
    expect(parts.map(({ rows }) => rows.length)).toEqual([50, 50, 24]);
    expect(parts.map(({ mark }) => mark)).toEqual(
      [1, 2, 3].map((part) => expect.objectContaining(markKeyOf(wide.entry, part))),
    );
    expect(new Set(parts.map(({ mark }) => mark.id)).size).toBe(3);
  });

  it('keep marks for two days after they were written, by any clock', () => {
    const marks = (nowMs: number) =>
      plan([delivered('a'), change], nowMs)[0]?.map(({ mark }) => mark.expiresAt);
    const change = { ...delivered('b'), entry: undefined };
    expect(marks(NOON_MS + 3_600_500)).toEqual(Array(2).fill(NOON_MS / 1000 + 3_601 + 172_800));
    // The function's clock is an hour late: the stream's time of the put.
    expect(marks(NOON_MS - 3_600_000)).toEqual(Array(2).fill(NOON_MS / 1000 + 1 + 172_800));
  });
});

describe('the mark of an entry', () => {
  const entry = { ...delivered('a').entry, timeMs: NOON_MS, latencyMs: 1_999.9 };
  const toMark = (changes: Partial<MarkedEntry> = {}) => markKeyOf({ ...entry, ...changes });

  it('is the same for every copy of it, whenever it was put', () => {
    const [first, later] = [delivered('a'), { ...delivered('a'), putAtMs: NOON_MS + 86_400_000 }];
    const marks = [first, later].map((one) => planTransactions([one], one.putAtMs)[0]?.[0]?.mark);
    expect(marks[0]).toMatchObject(markKeyOf(first.entry));
    expect(marks[1]).toMatchObject(markKeyOf(first.entry));
  });

  it('is kept with those of its organization and shard that ended in the same two seconds', () => {
    const start = NOON_MS / 1000;
    expect(toMark().group).toBe(`ENTRIES#org-1#0#${start}`);
    expect(toMark({ latencyMs: 0, neuronId: 'neu-2', executionId: 'b' }).group).toBe(toMark().group);
    expect(toMark({ latencyMs: 2_000 }).group).toBe(`ENTRIES#org-1#0#${start + 2}`);
    expect(toMark({ timeMs: NOON_MS - 1, latencyMs: 0 }).group).toBe(`ENTRIES#org-1#0#${start - 2}`);
    expect(toMark({ logShard: 3 }).group).toBe(`ENTRIES#org-1#3#${start}`);
    expect(toMark({ organizationId: 'org-2' }).group).toBe(`ENTRIES#org-2#0#${start}`);
  });

  it('is a digest of 16 bytes, another one for each neuron, time, execution and part', () => {
    const ids = [
      toMark().id,
      toMark({ neuronId: 'neu-2' }).id,
      toMark({ timeMs: NOON_MS + 1 }).id,
      toMark({ executionId: 'b' }).id,
      markKeyOf(entry, 2).id,
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map((id) => Buffer.from(id, 'base64url').byteLength)).toEqual(Array(5).fill(16));
    expect(Buffer.from(toMark().id, 'base64url').toString('hex')).toBe(
      createHash('sha256').update('neu-1#2026-11-21T12:30:00.000Z#a').digest('hex').slice(0, 32),
    );
  });

  it('has a group for whatever someone put by hand', () => {
    const odd = { latencyMs: undefined as unknown as number, organizationId: `#${'x'.repeat(3_000)}` };
    expect(toMark(odd).group).toBe(`ENTRIES##0#${NOON_MS / 1000}`);
    const long = { ...delivered('b'), key: 'k'.repeat(3_000), entry: undefined };
    const [mark] = planTransactions([long], NOON_MS)
      .flat()
      .map((part) => part.mark);
    expect(mark?.group).toMatch(/^ITEM#[\w-]{43}$/);
  });
});

describe('entries in any batches, with repeats and lost responses', () => {
  const user = fc.constantFrom('ann', 'bob', 'eve', undefined);
  const delivery = fc.record({ id: fc.integer({ min: 0, max: 12 }), user });
  const batch = fc.record({
    deliveries: fc.array(delivery, { maxLength: 15 }),
    script: fc.array(
      fc.constantFrom('added', 'lost', 'broken', 'conflict') as fc.Arbitrary<'added' | 'lost'>,
      {
        maxLength: 2,
      },
    ),
  });

  it('count exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 6 }), async (batches) => {
        const usage = memory();
        const seen = new Map<number, ReturnType<typeof delivered>>();
        for (const { deliveries, script } of batches) {
          // An entry never changes: it is the first one of its id each time.
          // Three slots, so that transactions have marks of several groups.
          const entries = deliveries.map(({ id, user }) => {
            const timeMs = NOON_MS + (id % 3) * 2_000;
            const known = seen.get(id) ?? delivered(String(id), { ...by(user), timeMs });
            seen.set(id, known);
            return known;
          });
          await countAndSeal(entries, scripted(usage, [...script]).ports);
          await countAndSeal(entries, countingPorts(usage, usage));
        }
        const named = [...seen.values()].filter(({ entry }) => entry.username !== undefined);
        expect(await requestsOf(usage)).toBe(seen.size);
        expect(await requestsOf(usage, 'user')).toBe(named.length);
      }),
    );
  });
});
