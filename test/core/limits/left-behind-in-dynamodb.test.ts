// However many callers there are, no item of theirs is left after their windows.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startTables } from 'run-template-locally';
import { expect, it, onTestFinished } from 'vitest';
import { createCounterStore } from '../../../adapters/dynamodb/counters.ts';
import { TABLES } from '../../../core/contract/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { budgetOf, caller, limited } from './limited.ts';

/** `LIMIT_SUBJECTS=100000` for the long proof. */
const SUBJECTS = Number(process.env['LIMIT_SUBJECTS'] ?? 200);
const AT_ONCE = 50;
const HOUR_MS = 3_600_000;

it(`nothing is left of ${SUBJECTS} users after their windows`, { timeout: 600_000 }, async () => {
  const { key, timeToLive } = TABLES.counters;
  const table = {
    stack: 'Stack',
    logicalId: 'Counters',
    physicalId: 'counters',
    arn: undefined,
    metadata: {},
  };
  const properties = {
    AttributeDefinitions: [{ AttributeName: key.partition, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key.partition, KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: timeToLive, Enabled: true },
  };
  const resources = [{ ...table, type: 'AWS::DynamoDB::Table', properties }];
  const stack = { name: 'Stack', folder: '', outputs: {}, resources };
  const engine = await startTables([stack], temporaryFolder(), true);
  onTestFinished(() => engine.stop());
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: engine.endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  onTestFinished(() => client.destroy());
  const counters = createCounterStore(client, table.physicalId);
  const count = async () =>
    (await client.send(new ScanCommand({ TableName: table.physicalId, Select: 'COUNT' }))).Count;

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

  expect(await engine.sweepExpired()).toBe(SUBJECTS);
  expect(await count()).toBe(1);
});
