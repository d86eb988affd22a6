// Sealing exactly once: kills at every step, redelivery in other batches, and several environments that append to one chain.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../core/logs/seals/seal.ts';
import { parseSealedEntries, toEntryToSeal } from '../../../core/logs/seals/sealed-entry.ts';
import type { Seal, SealReader } from '../../../core/ports/seals.ts';
import type { UsageLedger } from '../../../core/ports/usage.ts';
import { type CountingPorts, countAndSeal } from '../../../core/usage/count-and-seal.ts';
import type { DeliveredEntry } from '../../../core/usage/plan-transactions.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryUsage } from '../../support/memory/usage.ts';
import { FACTS, NOON_MS } from '../logs/entries.ts';
import { countingPorts, delivered } from './deliveries.ts';

const DAY = { organizationId: 'org-1', fromDay: '2026-11-21', toDay: '2026-11-21' };
const memory = () => createMemoryUsage(createMemoryClock(NOON_MS));

/** A change by an operator, as the stream delivers it. */
function change(id: string, organizationId: string | undefined = 'org-1'): DeliveredEntry {
  const keys = { pk: 'CHANGES#acme', sk: `2026-11-21T12:30:00.000Z#chg-${id}` };
  const record = organizationId === undefined ? keys : { ...keys, organizationId };
  return {
    ...{ sequenceNumber: `at-${id}`, putAtMs: NOON_MS + 1_000, key: JSON.stringify(keys), entry: undefined },
    toSeal: toEntryToSeal(record, NOON_MS / 1000 + 1),
  };
}

async function chainOf(usage: SealReader, chain = 'org-1'): Promise<Seal[]> {
  const seals: Seal[] = [];
  for await (const { seal } of usage.seals(chain)) if (seal !== undefined) seals.push(seal);
  return seals;
}

/** The ids that a chain has sealed, in its order; fails where one link does not follow the one before. */
async function sealedIn(usage: SealReader, chain?: string): Promise<string[]> {
  const seals = await chainOf(usage, chain);
  for (const [index, seal] of seals.entries()) {
    expect(seal.sequence).toBe(index + 1);
    expect(seal.hash).toBe(hashOf(seal));
    if (index > 0) expect(seal.previous).toBe(seals[index - 1]?.hash);
  }
  const entries = seals.flatMap(({ lines }) => parseSealedEntries(lines) ?? []);
  return entries.map(({ sk }) => sk.slice(sk.indexOf('#') + 1));
}

async function counted(usage: ReturnType<typeof memory>): Promise<number> {
  let requests = 0;
  for await (const { subject, amounts } of usage.list(DAY))
    if (subject.kind === 'neuron') requests += amounts.success;
  return requests;
}

describe('sealing a batch', () => {
  it('appends one link with the entries in the order of the stream, changes included', async () => {
    const usage = memory();
    await countAndSeal([delivered('b'), change('1'), delivered('a')], countingPorts(usage, usage));
    expect(await sealedIn(usage)).toEqual(['b', 'chg-1', 'a']);
    expect(await chainOf(usage)).toHaveLength(1);
    expect(await counted(usage)).toBe(2);
  });

  it('goes on from its own link without reading the head again', async () => {
    const usage = memory();
    let reads = 0;
    const heads = {
      read: (chain: string) => {
        reads += 1;
        return usage.read(chain);
      },
    };
    const ports = countingPorts(heads, usage);
    for (const id of ['a', 'b', 'c']) await countAndSeal([delivered(id)], ports);
    expect(await sealedIn(usage)).toEqual(['a', 'b', 'c']);
    expect(reads).toBe(1);
  });

  it('keeps what belongs to no organization in the chain of the service', async () => {
    const usage = memory();
    await countAndSeal([change('1'), change('2', '')], countingPorts(usage, usage));
    expect(await sealedIn(usage)).toEqual(['chg-1']);
    expect(await sealedIn(usage, 'SERVICE')).toEqual(['chg-2']);
  });

  it('seals an entry that had expired when it was put, and that no usage counts', async () => {
    const usage = memory();
    const late = delivered('late');
    const expired = { ...late, entry: { ...late.entry, expiresAt: 1 } };
    await countAndSeal([expired, delivered('a')], countingPorts(usage, usage));
    expect(await sealedIn(usage)).toEqual(['late', 'a']);
    expect(await counted(usage)).toBe(1);
  });

  it('splits a seal whose keys are very long, so that it fits into an item', async () => {
    const usage = memory();
    const long = Array.from({ length: 60 }, (_, index) => {
      const one = change(String(index));
      return {
        ...one,
        toSeal: { ...one.toSeal, line: one.toSeal.line.replace('#acme', `#${'x'.repeat(2_000)}`) },
      };
    });
    await countAndSeal(long, countingPorts(usage, usage));
    const seals = await chainOf(usage);
    expect(seals.length).toBeGreaterThan(1);
    for (const { lines } of seals) expect(lines.length).toBeLessThanOrEqual(100_100);
    expect(await sealedIn(usage)).toHaveLength(60);
  });

  it('follows the link of another environment that was faster', async () => {
    const usage = memory();
    const [one, other] = [countingPorts(usage, usage), countingPorts(usage, usage)];
    await countAndSeal([delivered('a')], one);
    await countAndSeal([delivered('b')], other);
    // It remembers the first link as its head, and the second one is there already.
    await countAndSeal([delivered('c')], one);
    await countAndSeal([delivered('d')], other);
    expect(await sealedIn(usage)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('reads the head again after a write of unknown outcome', async () => {
    const usage = memory();
    const answers = ['lost', 'added'];
    const ledger: UsageLedger = {
      async add(...input) {
        const added = await usage.add(...input);
        if (answers.shift() === 'lost') throw new Error('no answer');
        return added;
      },
    };
    const ports = countingPorts(usage, ledger);
    expect(await countAndSeal([delivered('a')], ports)).toMatchObject({ outcome: 'failed' });
    expect(await countAndSeal([delivered('a'), delivered('b')], ports)).toEqual({ outcome: 'counted' });
    expect(await sealedIn(usage)).toEqual(['a', 'b']);
  });
});

/** Where an environment is killed within a batch. */
type Kill = 'before head' | 'after head' | 'before write' | 'after write';
class Killed extends Error {}

/** The ports of an environment that is killed at a step of its n-th transaction; `turn` lets other environments run in between. */
function mortal(
  usage: ReturnType<typeof memory>,
  kill: Kill | undefined,
  nth: number,
  turn: () => Promise<void>,
): CountingPorts {
  let transactions = 0;
  const die = (step: Kill) => {
    if (kill === step && transactions === nth) throw new Killed(step);
  };
  return countingPorts(
    {
      async read(chain) {
        die('before head');
        const head = await usage.read(chain);
        await turn();
        die('after head');
        return head;
      },
    },
    {
      async add(...input) {
        await turn();
        die('before write');
        const added = await usage.add(...input);
        die('after write');
        transactions += 1;
        return added;
      },
    },
  );
}

const step = fc.constantFrom<Kill | undefined>(
  undefined,
  'before head',
  'after head',
  'before write',
  'after write',
);
const delivery = fc.record({
  from: fc.nat(19),
  size: fc.integer({ min: 1, max: 12 }),
  kill: step,
  nth: fc.nat(1),
  besides: fc.boolean(),
  again: fc.constantFrom(0, 3_600_000),
});

describe('an entry whose usage the ledger takes at no time', () => {
  /** Rejects transactions with rows of this neuron, or all of them. */
  const strict = (usage: ReturnType<typeof memory>, neuronId: string, isSealable = true) =>
    countingPorts(usage, {
      add: async (marks, rows, seals) => {
        const isRejected = rows.some((row) => row.neuronId === neuronId) || !isSealable;
        return isRejected
          ? { outcome: 'rejected', error: new Error('too large') }
          : usage.add(marks, rows, seals);
      },
    });
  const bad = () => delivered('bad', { subject: { ...FACTS.subject, neuronId: 'bad' } });

  it('is sealed without being counted, and the others are sealed and counted', async () => {
    const usage = memory();
    const batch = [delivered('a'), bad(), delivered('b')];
    expect(await countAndSeal(batch, strict(usage, 'bad'))).toEqual({ outcome: 'sealed', uncounted: 1 });
    expect(await sealedIn(usage)).toHaveLength(3);
    expect(await counted(usage)).toBe(2);
    await countAndSeal(batch, strict(usage, 'bad'));
    expect(await sealedIn(usage)).toHaveLength(3);
    expect(await counted(usage)).toBe(2);
  });

  it('comes again where not even its seal is taken', async () => {
    const outcome = await countAndSeal([delivered('a')], strict(memory(), 'none', false));
    expect(outcome).toMatchObject({ outcome: 'failed', sequenceNumber: 'at-a' });
  });
});

describe('entries delivered in any batches, by environments that are killed at any step, two at once', () => {
  it('are each sealed and counted exactly once', async () => {
    // In four slots, so that transactions have marks of several groups.
    const all = Array.from({ length: 20 }, (_, n) =>
      n % 5 === 4 ? change(String(n)) : delivered(`e${n}`, { timeMs: NOON_MS + (n % 4) * 2_000 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 10 }), async (deliveries) => {
        const usage = memory();
        for (const { from, size, kill, nth, besides, again } of deliveries) {
          // What was deleted by hand and put again comes with another time.
          const batch = all.slice(from, from + size).map((one) => ({ ...one, putAtMs: one.putAtMs + again }));
          const other = mortal(usage, undefined, 0, async () => undefined);
          let turns = 0;
          const turn = async () => {
            turns += 1;
            // The other environment has the same records, and wins.
            if (besides && turns === 1) await countAndSeal(all.slice(from, from + 3), other);
          };
          await countAndSeal(batch, mortal(usage, kill, nth, turn)).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          });
        }
        // The stream goes on until everything was delivered.
        expect(await countAndSeal(all, countingPorts(usage, usage))).toEqual({ outcome: 'counted' });
        const sealed = await sealedIn(usage);
        expect(sealed).toHaveLength(20);
        expect(new Set(sealed).size).toBe(20);
        expect(await counted(usage)).toBe(16);
      }),
    );
  });
});
