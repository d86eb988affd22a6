// Each delivered entry counts once: repeats, conflicts, failures, and batches that exceed one transaction.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seal, SealReader } from '../../../core/ports/seals.ts';
import type { AddUsageOutcome, UsageLedger, UsageMark, UsageRow } from '../../../core/ports/usage.ts';
import { countEntries } from '../../../core/usage/count-entries.ts';
import { planTransactions } from '../../../core/usage/plan-transactions.ts';
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
    expect(await countEntries(some(40), ports)).toEqual({ outcome: 'counted' });
    expect(additions).toHaveLength(1);
    expect(additions[0]?.marks).toHaveLength(40);
    expect(additions[0]?.changes.map(({ subject }) => subject.kind)).toEqual(['neuron', 'model', 'user']);
    expect(await requestsOf(usage)).toBe(40);
  });

  it('counts an entry once that is delivered twice in a batch and again in the next', async () => {
    const usage = memory();
    const ports = countingPorts(usage, usage);
    await countEntries([delivered('a'), delivered('a'), delivered('b')], ports);
    await countEntries([delivered('b'), delivered('c')], ports);
    await countEntries([delivered('a'), delivered('b'), delivered('c')], ports);
    expect(await requestsOf(usage)).toBe(3);
  });

  it('counts an entry once when the response to its write was lost', async () => {
    const usage = memory();
    const { ports } = scripted(usage, ['lost']);
    expect(await countEntries(some(5), ports)).toMatchObject({ outcome: 'failed', sequenceNumber: 'at-e0' });
    expect(await countEntries(some(6), ports)).toEqual({ outcome: 'counted' });
    expect(await requestsOf(usage)).toBe(6);
  });

  it('returns the first record that is not counted, and counts those before it', async () => {
    const usage = memory();
    const { ports } = scripted(usage, ['added', 'broken']);
    // 95 marks, three rows, a seal and the head of its chain are the hundred items of one transaction.
    expect(await countEntries(some(120), ports)).toMatchObject({
      outcome: 'failed',
      sequenceNumber: 'at-e95',
    });
    expect(await requestsOf(usage)).toBe(95);
  });

  it('backs off on conflicts, and fails after eight retries', async () => {
    const usage = memory();
    const waits: number[] = [];
    const clock = { sleep: async (milliseconds: number) => void waits.push(milliseconds) };
    const twice = scripted(usage, ['conflict', 'conflict']).ledger;
    const waiting = countingPorts(usage, twice, { clock, random: { fraction: () => 1 } });
    expect(await countEntries(some(1), waiting)).toEqual({
      outcome: 'counted',
    });
    expect(waits).toEqual([100, 200]);
    const busy = scripted(usage, Array(20).fill('conflict')).ledger;
    expect(await countEntries(some(1, 'x'), countingPorts(usage, busy, { clock }))).toMatchObject({
      outcome: 'failed',
      sequenceNumber: 'at-x0',
    });
    expect(waits).toHaveLength(2 + 8);
  });

  it('leaves out an entry that had expired when it was put', async () => {
    const usage = memory();
    const subject = { ...FACTS.subject, retentionMs: 500 };
    await countEntries([delivered('late', { subject }), delivered('a')], countingPorts(usage, usage));
    expect(await requestsOf(usage)).toBe(1);
  });
});

describe('transactions', () => {
  it('have at most a hundred marks, rows and items of seals together', () => {
    const entries = Array.from({ length: 200 }, (_, n) => delivered(`e${n}`, by(`user-${n}`)));
    const additions = planTransactions(entries);
    // 48 entries: as many marks and users, the neuron and its model, a seal and its head.
    expect(additions.map((parts) => parts.length)).toEqual([48, 48, 48, 48, 8]);
  });

  it('split an entry with too many models into parts, each with its own mark', () => {
    const [call] = FACTS.run!.modelCalls;
    const modelCalls = Array.from({ length: 120 }, (_, n) => ({ ...call!, model: `m-${n}` }));
    const parts = planTransactions([delivered('wide', { run: { ...FACTS.run!, modelCalls } })]).flat();
    const key = 'neu-1#2026-11-21T12:30:00.000Z#wide';
    expect(parts.map(({ mark, rows }) => [mark.key, rows.length])).toEqual([
      [key, 50],
      [`${key}#2`, 50],
      [`${key}#3`, 22],
    ]);
  });

  it('keep marks for two days after the entry was put', () => {
    const [[part] = []] = planTransactions([delivered('a')]);
    expect(part?.mark.expiresAt).toBe(NOON_MS / 1000 + 1 + 172_800);
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
          const entries = deliveries.map(({ id, user }) => {
            const known = seen.get(id) ?? delivered(String(id), by(user));
            seen.set(id, known);
            return known;
          });
          await countEntries(entries, scripted(usage, [...script]).ports);
          await countEntries(entries, countingPorts(usage, usage));
        }
        const named = [...seen.values()].filter(({ entry }) => entry.username !== undefined);
        expect(await requestsOf(usage)).toBe(seen.size);
        expect(await requestsOf(usage, 'user')).toBe(named.length);
      }),
    );
  });
});
