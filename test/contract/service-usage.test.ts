// Rows of all organizations, and alerts of all of them, held against the stores in memory and in DynamoDB alike.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAlertOutbox } from '../../adapters/dynamodb/alerts/outbox.ts';
import { createAlertReader } from '../../adapters/dynamodb/alerts/reader.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import type { Alert } from '../../core/ports/alerts.ts';
import type { UsageLedger, UsageReader, UsageRow } from '../../core/ports/usage.ts';
import { NO_USAGE } from '../../core/usage/entry-usage.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryAlerts } from '../support/memory/alerts.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryUsage } from '../support/memory/usage.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

/** A client that keeps the names of the commands it sends. */
function watchCommands() {
  const commands: string[] = [];
  const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
  client.send = ((command: object) => {
    commands.push(command.constructor.name);
    return dynamoDb.client.send(command as never);
  }) as never;
  return { client, commands };
}

const clock = createMemoryClock(NOON_MS);
const row = (id: string, day: string, changes: Partial<UsageRow> = {}): UsageRow => ({
  organizationId: id,
  day,
  neuronId: '',
  neuron: '',
  subject: { kind: 'organization', slug: `slug-${id}` },
  amounts: { ...NO_USAGE, success: 1, costMicrodollars: 17 },
  entriesEnd: {},
  expiresAt: undefined,
  ...changes,
});

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

describe.each(stores)('rows of organizations in %s', (_name, create) => {
  it('add up by organization and day, and are listed day by day', async () => {
    const usage = create();
    await usage.add([], [row('a', '2026-11-20'), row('b', '2026-11-21')], []);
    await usage.add([], [row('b', '2026-11-21'), row('c', '2026-11-22'), row('c', '2026-11-19')], []);
    const found: UsageRow[] = [];
    for await (const one of usage.listOrganizations({ fromDay: '2026-11-20', toDay: '2026-11-21' }))
      found.push(one);
    const twice = { ...NO_USAGE, success: 2, costMicrodollars: 34 };
    expect(found).toEqual([row('a', '2026-11-20'), row('b', '2026-11-21', { amounts: twice })]);
  });

  it('add up what guards and rollouts did', async () => {
    const usage = create();
    const day = '2026-11-17';
    await usage.add([], [row('g', day, { buckets: { 'guard#blocked': 2, 'rollout#runs': 1 } })], []);
    await usage.add([], [row('g', day, { buckets: { 'guard#blocked': 1, 'guard#notJudged': 4 } })], []);
    await usage.add([], [row('g', day, { buckets: {} })], []);
    const found: UsageRow[] = [];
    for await (const one of usage.listOrganizations({ fromDay: day, toDay: day })) found.push(one);
    expect(found.map(({ buckets }) => buckets)).toEqual([
      { 'guard#blocked': 3, 'guard#notJudged': 4, 'rollout#runs': 1 },
    ]);
  });

  it('are in no report of the organization itself', async () => {
    const usage = create();
    await usage.add([], [row('own', '2026-11-21')], []);
    const query = { organizationId: 'own', fromDay: '2026-11-21', toDay: '2026-11-21' };
    for await (const one of usage.list(query)) expect(one).toBe('no row');
  });
});

describe('ten thousand organizations in DynamoDB', () => {
  it('are read by queries of their rows alone', async () => {
    const ledger = createUsageLedger(dynamoDb.client, dynamoDb.tables.usage);
    const day = '2026-10-05';
    for (let at = 0; at < 10_000; at += 100)
      await ledger.add(
        [],
        Array.from({ length: 100 }, (_, n) => row(`org-${at + n}`, day)),
        [],
      );
    const { client, commands } = watchCommands();
    const reader = createUsageReader(client, dynamoDb.tables.usage, clock);
    const started = performance.now();
    let found = 0;
    for await (const _row of reader.listOrganizations({ fromDay: day, toDay: day })) found += 1;
    expect(found).toBe(10_000);
    expect(new Set(commands)).toEqual(new Set(['QueryCommand']));
    // 16 partitions, each of which fits into few pages.
    expect(commands.length).toBeLessThanOrEqual(64);
    expect(performance.now() - started).toBeLessThan(10_000);
  }, 60_000);
});

const ALERT: Alert = {
  ...{ id: 'one', organization: 'acme', organizationId: 'id-acme', keyId: undefined },
  ...{ metric: 'cost', period: 'month', share: 80, limit: 100, used: 81, atMs: NOON_MS },
  windowStartMs: Date.UTC(2026, 10),
  windowEndMs: Date.UTC(2026, 11),
};

describe.each([
  ['memory', createMemoryAlerts],
  [
    'DynamoDB',
    () => ({
      ...createAlertOutbox(dynamoDb.client, dynamoDb.tables.usage),
      ...createAlertReader(dynamoDb.client, dynamoDb.tables.usage),
    }),
  ],
] as const)('alerts of all organizations in %s', (_name, create) => {
  it('are those of the windows of the moment', async () => {
    const alerts = create();
    const day = {
      period: 'day',
      windowStartMs: Date.UTC(2026, 10, 21),
      windowEndMs: Date.UTC(2026, 10, 22),
    } as const;
    const others: readonly Partial<Alert>[] = [
      {},
      { id: 'two', organization: 'beta', organizationId: 'id-beta', keyId: 'k', ...day },
      { id: 'old', windowStartMs: Date.UTC(2026, 9), windowEndMs: Date.UTC(2026, 10) },
      {
        id: 'yesterday',
        ...day,
        windowStartMs: day.windowStartMs - 86_400_000,
        windowEndMs: day.windowStartMs,
      },
    ];
    for (const changes of others) expect(await alerts.add({ ...ALERT, ...changes }, 0)).toBe('added');
    expect(await alerts.add(ALERT, 0)).toBe('known');
    const found: Alert[] = [];
    for await (const one of alerts.listCurrent(NOON_MS)) found.push(one);
    expect(found.map(({ id, organization, share }) => [id, organization, share]).sort()).toEqual([
      ['one', 'acme', 80],
      ['two', 'beta', 80],
    ]);
  });
});
