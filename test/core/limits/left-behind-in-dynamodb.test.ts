// However many callers there are, no item of theirs is left after their windows.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { createCounterStore } from '../../../adapters/dynamodb/counters.ts';
import { TABLES } from '../../../core/contract/tables.ts';
import { applyTables } from '../../../local/dynamodb/tables.ts';
import { startTtlSweep } from '../../../local/dynamodb/ttl.ts';
import { startTestEngine, tableDefinition } from '../../local/dynamodb/start-test-engine.ts';
import { budgetOf, caller, limited } from './limited.ts';

/** `LIMIT_SUBJECTS=100000` for the long proof. */
const SUBJECTS = Number(process.env['LIMIT_SUBJECTS'] ?? 200);
const AT_ONCE = 50;
const HOUR_MS = 3_600_000;

it(`nothing is left of ${SUBJECTS} users after their windows`, { timeout: 600_000 }, async () => {
  const { engine, call } = await startTestEngine();
  const { key, timeToLive } = TABLES.counters;
  const table = tableDefinition('counters', {
    AttributeDefinitions: [{ AttributeName: key.partition, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key.partition, KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: timeToLive, Enabled: true },
  });
  const log = () => undefined;
  await applyTables([table], { call, features: engine.features, log, detail: log });
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: engine.endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  onTestFinished(() => client.destroy());
  const counters = createCounterStore(client, table.name);
  const count = async () =>
    (await client.send(new ScanCommand({ TableName: table.name, Select: 'COUNT' }))).Count;

  // Their windows ended two hours ago but for the last user's.
  const admit = (user: number, timeMs: number) => {
    const rateLimits = [{ metric: 'requests', scope: 'user', limit: 9, period: '1m' } as const];
    const request = limited({ rateLimits, caller: caller(`user-${user}`), timeMs });
    return budgetOf(request, counters).admit(undefined);
  };
  const past = Date.now() - 3 * HOUR_MS;
  for (let first = 0; first < SUBJECTS; first += AT_ONCE) {
    const users = Array.from({ length: Math.min(AT_ONCE, SUBJECTS - first) }, (_, index) => first + index);
    await Promise.all(users.map((user) => admit(user, past)));
  }
  await admit(SUBJECTS, Date.now());

  const sweep = startTtlSweep({ tables: [table], call, intervalMs: 3_600_000, log });
  onTestFinished(() => sweep.stop());
  expect(await sweep.sweep()).toBe(SUBJECTS);
  expect(await count()).toBe(1);
});
