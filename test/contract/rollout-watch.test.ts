// What the function that watches rollouts reads and writes, on the embedded database: slots as the rollup adds them, and one member of a neuron.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createRepeatableChanges } from '../../adapters/dynamodb/rollouts/repeatable-changes.ts';
import { createSlotReader } from '../../adapters/dynamodb/rollouts/slot-reader.ts';
import { createWatchedRollouts } from '../../adapters/dynamodb/rollouts/watched-rollouts.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import type { RecordedRollout } from '../../core/ports/administration.ts';
import type { CountedEntry } from '../../core/ports/usage.ts';
import { slotsOf } from '../../core/rollouts/read-slots.ts';
import { slotRows } from '../../core/usage/slot-row.ts';
import { entryOf, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { undeployed } from './records.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
}, 60_000);
afterAll(() => dynamoDb?.stop());

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

let neurons = 0;
beforeEach(() => {
  neurons += 1;
});

const ROLLOUT: RecordedRollout = {
  id: 'r1',
  candidate: 'v2',
  basisPoints: 500,
  by: 'user',
  stages: [{ share: 500, for: 0, runs: 0 }],
  stage: 0,
  stageSince: '2026-11-21T12:00:00.000Z',
  since: '2026-11-21T12:00:00.000Z',
  startedBy: 'ada',
  guards: ['failed', 'helpful'],
  guardedSince: '2026-11-21T12:00:00.000Z',
};
const STOP = {
  at: '2026-11-21T12:30:00.000Z',
  guard: 'failed',
  evidence: 47,
  counts: { control: { count: 7, bad: 0 }, candidate: { count: 7, bad: 7 } },
  isTold: false,
};

async function createNeuron(rollout: RecordedRollout | undefined = ROLLOUT) {
  const { client, tables } = dynamoDb;
  const store = createAdminStore(client, tables.config);
  const slug = `hello-${neurons}`;
  const neuron = {
    ...undeployed,
    id: `id-${slug}`,
    organizationId: 'id-acme',
    slug,
    document: { neuron: `acme/${slug}`, secretOfOurs: true },
    deployment: { version: 'v1', number: 1 },
    rollout,
  };
  const written = await store.writeNeuron('acme', neuron, 'absent');
  return { store, written, slug, watched: createWatchedRollouts(client, tables.config) };
}

describe('watched rollouts', () => {
  it('are read without settings, and not there where no rollout is', async () => {
    const { watched, slug, written } = await createNeuron();
    const read = await watched.read('acme', slug);
    expect(read).toEqual({
      organization: 'acme',
      organizationId: 'id-acme',
      slug,
      id: `id-${slug}`,
      control: 'v1',
      rollout: ROLLOUT,
      write: written.write,
    });
    expect(await watched.read('acme', 'unknown')).toBeUndefined();
    neurons += 1;
    const other = await createNeuron({ ...ROLLOUT, guards: undefined, guardedSince: undefined });
    expect((await other.watched.read('acme', other.slug))?.rollout).not.toHaveProperty('guards');
  });

  it('are written alone, and count the writes of the neuron up', async () => {
    const { watched, slug, store, written } = await createNeuron();
    const neuron = (await watched.read('acme', slug))!;
    const next = { ...ROLLOUT, basisPoints: 0, paused: 'stopped by itself', stop: STOP };
    expect(await watched.write(neuron, next)).toMatchObject({ rollout: next, write: written.write + 1 });
    const organization = { slug: 'acme', id: 'id-acme' } as Parameters<typeof store.readNeuron>[0];
    expect(await store.readNeuron(organization, slug)).toEqual({
      ...written,
      rollout: next,
      write: written.write + 1,
    });
  });

  it('are not written over what someone else wrote meanwhile, and a command begun before has to look again', async () => {
    const { watched, slug, store, written } = await createNeuron();
    const neuron = (await watched.read('acme', slug))!;
    await store.writeNeuron('acme', { ...written, rollout: undefined }, written.write);
    expect(await watched.write(neuron, { ...ROLLOUT, basisPoints: 0 })).toBeUndefined();
    neurons += 1;
    const other = await createNeuron();
    await other.watched.write((await other.watched.read('acme', other.slug))!, { ...ROLLOUT, stop: STOP });
    await expect(other.store.writeNeuron('acme', other.written, other.written.write)).rejects.toThrow(
      /changed/,
    );
  });
});

describe('slots', () => {
  const entry = (changes: Partial<CountedEntry>): CountedEntry => ({
    ...entryOf(),
    organization: 'acme',
    version: 'v2',
    rollout: { id: 'r1', arm: 'candidate' },
    ...changes,
  });

  it('are added by the rollup, read in order, and in no report', async () => {
    const { client, tables } = dynamoDb;
    const ledger = createUsageLedger(client, tables.usage);
    const rated = { of: 'e', metric: 'helpful', value: false };
    const starred = { of: 'e', metric: 'stars', value: 4.75 };
    const rows = [
      ...slotRows(entry({ outcome: 'failed', cache: 'miss' }), NOON_MS),
      ...slotRows(entry({ rollout: { id: 'r1', arm: 'control' } }), NOON_MS + 5_000),
      ...slotRows(entry({ rollout: { id: 'r2', arm: 'control' } }), NOON_MS + 25_000),
    ];
    await ledger.add([{ group: 'ENTRIES#a#0#1', id: 'AAAAAAAAAAAAAAAAAAAAAA', expiresAt: 4e9 }], rows, []);
    for (const [at, feedback] of [rated, starred, rated].entries()) {
      const id = `AAAAAAAAAAAAAAAAAAAAA${'BCDE'[at]}`;
      await ledger.add(
        [{ group: `ENTRIES#a#0#${at + 2}`, id, expiresAt: 4e9 }],
        slotRows(entry({ feedback }), NOON_MS + at),
        [],
      );
    }
    const reader = createSlotReader(client, tables.usage);
    const read = await collect(reader.slots('2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'));
    expect(
      read.map(({ subject }) => [subject.slot, subject.rollout, subject.arm, subject.organization]),
    ).toEqual([
      ['2026-11-21T12:30:00.000Z', 'r1', 'candidate', 'acme'],
      ['2026-11-21T12:30:00.000Z', 'r1', 'control', 'acme'],
      ['2026-11-21T12:30:20.000Z', 'r2', 'control', 'acme'],
    ]);
    const [slot, ...others] = slotsOf(read, 'r1');
    expect(others).toEqual([]);
    expect(slot).toMatchObject({ control: { runs: 1, failed: 0 }, candidate: { runs: 1, failed: 1 } });
    expect(slot?.candidate.latency).toEqual(new Map([[2, 1]]));
    expect(slot?.candidate.ratings).toEqual(
      new Map([
        ['helpful', new Map([[Number.NEGATIVE_INFINITY, 2]])],
        ['stars', new Map([[4, 1]])],
      ]),
    );
    // Both times are left out.
    const within = await collect(reader.slots('2026-11-21T12:30:00.000Z', '2026-11-21T12:30:20.000Z'));
    expect(within).toEqual([]);
    const report = createUsageReader(client, tables.usage, createMemoryClock(NOON_MS));
    const query = { organizationId: 'org-1', fromDay: '2026-11-21', toDay: '2026-11-21' };
    expect(await collect(report.list(query))).toEqual([]);
  });

  it.each([
    { cache: 'exact' },
    { cache: 'semantic' },
    { outcome: 'refused' },
    { rollout: undefined },
    { organization: 'No Slug' },
  ] as const)('have nothing of %j', (changes) => {
    expect(slotRows({ ...entry({}), ...changes } as CountedEntry, NOON_MS)).toEqual([]);
  });
});

describe('changes that are made again', () => {
  it('are there once, with the outcome that came first', async () => {
    const { client, tables } = dynamoDb;
    const log = createChangeLog(client, tables.logs, createMemoryClock(NOON_MS));
    const changes = createRepeatableChanges(log);
    const change = {
      id: `chg-${NOON_MS.toString(36)}-0011223344556677`,
      timeMs: NOON_MS,
      by: 'service',
      actions: ['rollout' as const],
      organization: 'acme',
      before: { rollout: ROLLOUT },
      after: { rollout: { ...ROLLOUT, basisPoints: 0 } },
      expiresAt: 4e9,
    };
    for (let times = 0; times < 3; times += 1) {
      await changes.begin(change);
      await changes.end(change, times === 0 ? 'made' : 'failed');
    }
    const listed = await collect(log.list('acme', NOON_MS - 1_000, NOON_MS + 1_000));
    expect(listed).toMatchObject([{ id: change.id, by: 'service', outcome: 'made' }]);
  });
});
