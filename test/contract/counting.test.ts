// Counting and sealing in the embedded DynamoDB: entries in any batches, delivered again, by two environments at once, with answers lost.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealReader } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import { hashOf } from '../../core/logs/seals/seal.ts';
import { parseSealedEntries } from '../../core/logs/seals/sealed-entry.ts';
import type { UsageLedger } from '../../core/ports/usage.ts';
import { countAndSeal } from '../../core/usage/count-and-seal.ts';
import { markKeyOf } from '../../core/usage/mark.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { countingPorts, deliver } from '../core/usage/deliveries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const ENTRIES = 24;
/** One delivery: which records, to which environments, and which answers to their writes nobody gets. */
const delivery = fc.record({
  from: fc.nat(ENTRIES - 1),
  size: fc.integer({ min: 1, max: ENTRIES }),
  to: fc.constantFrom<readonly number[]>([0], [1], [0, 1]),
  lost: fc.array(fc.boolean(), { maxLength: 2 }),
});

/** The records of an organization: of two neurons, in three slots. */
function recordsOf(organizationId: string) {
  return Array.from({ length: ENTRIES }, (_, n) => {
    const subject = { ...FACTS.subject, organizationId, neuronId: `neuron-${organizationId}-${n % 2}` };
    const entry = entryOf({ executionId: `e${n}`, timeMs: NOON_MS + (n % 3) * 2_000, subject });
    return deliver(entry, NOON_MS + 10_000, `at-${n}`);
  });
}

/** The same table; of its writes, those that `lost` says are made without an answer. */
function withoutAnswers(ledger: UsageLedger, lost: readonly boolean[]): UsageLedger {
  const left = [...lost];
  return {
    async add(...input) {
      const added = await ledger.add(...input);
      if (left.shift() === true) throw new Error('no answer');
      return added;
    },
  };
}

/** The table, two environments that write to it, and what can be read there of an organization. */
function open(organizationId: string) {
  const { client, tables } = dynamoDb;
  const seals = createSealReader(client, tables.usage);
  const ledger = createUsageLedger(client, tables.usage);
  const usage = createUsageReader(client, tables.usage, createMemoryClock(NOON_MS));
  return {
    ledger,
    usage,
    environments: [countingPorts(seals, ledger), countingPorts(seals, ledger)] as const,
    async countRequests(): Promise<number> {
      let requests = 0;
      const query = { organizationId, fromDay: '2026-11-21', toDay: '2026-11-21' };
      for await (const { subject, amounts } of usage.list(query))
        if (subject.kind === 'neuron') requests += amounts.success;
      return requests;
    },
    /** The ids that the chain has sealed; fails where one link does not follow the one before. */
    async sealed(): Promise<readonly string[]> {
      const ids: string[] = [];
      let previous: string | undefined;
      for await (const { seal } of seals.seals(organizationId)) {
        if (seal === undefined) throw new Error('an item that is no seal');
        expect(seal.hash).toBe(hashOf(seal));
        if (previous !== undefined) expect(seal.previous).toBe(previous);
        previous = seal.hash;
        ids.push(...(parseSealedEntries(seal.lines) ?? []).map(({ sk }) => sk.split('#')[1] ?? ''));
      }
      return ids;
    },
  };
}

describe('counting and sealing in DynamoDB', () => {
  it('happens once for each entry, whatever was delivered how often and to whom', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 4 }), async (deliveries) => {
        runs += 1;
        const records = recordsOf(`org-${runs}`);
        const { ledger, usage, environments, countRequests, sealed } = open(`org-${runs}`);
        for (const { from, size, to, lost } of deliveries) {
          const batch = records.slice(from, from + size);
          const receivers = environments.filter((_, index) => to.includes(index));
          await Promise.all(
            receivers.map((ports) => countAndSeal(batch, { ...ports, ledger: withoutAnswers(ledger, lost) })),
          );
        }
        expect(await countAndSeal(records, environments[1])).toEqual({ outcome: 'counted' });
        expect(await countRequests()).toBe(ENTRIES);
        const ids = records.map(({ entry }) => entry.executionId);
        expect((await sealed()).toSorted()).toEqual(ids.toSorted());
        for (const { entry } of records) expect(await usage.isCounted(markKeyOf(entry))).toBe(true);
      }),
      { numRuns: 6 },
    );
  });
});
