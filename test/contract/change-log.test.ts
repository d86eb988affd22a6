// What every log of changes does, held against the one in memory and the one in DynamoDB alike.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { type ChangeEntry, type RecordedChange, toChangeId } from '../../core/contract/change-entry.ts';
import type { ChangeLog } from '../../core/ports/change-log.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryChangeLog } from '../support/memory/change-log.ts';
import { createMemoryClock } from '../support/memory/clock.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const clock = createMemoryClock(NOON_MS);
let tests = 0;
let organization = '';
beforeEach(() => {
  tests += 1;
  organization = `acme-${tests}`;
});

function change(offsetMs: number, changes: Partial<ChangeEntry> = {}): ChangeEntry {
  const timeMs = NOON_MS + offsetMs;
  return {
    id: toChangeId(timeMs, new Uint8Array(8).fill(tests)),
    timeMs,
    by: 'arn:aws:iam::123456789012:user/ada',
    actions: ['update_neuron', 'deploy'],
    organization,
    organizationId: 'org-1',
    neuron: 'hello',
    neuronId: 'neu-1',
    before: { document: { a: 1 } },
    after: { document: { a: 2 } },
    expiresAt: NOON_MS / 1000 + 86_400,
    ...changes,
  };
}

async function all(changes: AsyncIterable<RecordedChange>): Promise<RecordedChange[]> {
  const listed: RecordedChange[] = [];
  for await (const one of changes) listed.push(one);
  return listed;
}

const logs: [string, () => ChangeLog][] = [
  ['memory', createMemoryChangeLog],
  ['DynamoDB', () => createChangeLog(dynamoDb.client, dynamoDb.tables.logs, clock)],
];

describe.each(logs)('a log of changes in %s', (_name, create) => {
  let log: ChangeLog;
  beforeEach(() => {
    log = create();
  });
  const list = (fromMs = NOON_MS - 10_000, toMs = NOON_MS + 10_000) =>
    all(log.list(organization, fromMs, toMs));

  it('gives back a change in full, with what came of it', async () => {
    const made = change(0);
    await log.begin(made);
    await log.end(made, 'made');
    expect(await list()).toEqual([{ ...made, outcome: 'made' }]);
    expect(await log.find(organization, made.id)).toEqual({ ...made, outcome: 'made' });
  });

  it('does not know what came of a change whose command was ended', async () => {
    const [first, second] = [change(0), change(1)];
    await log.begin(first);
    await log.begin(second);
    await log.end(second, 'failed');
    expect((await list()).map(({ outcome }) => outcome)).toEqual(['failed', 'unknown']);
  });

  it('lists newest first, within the time, of one organization and of the service', async () => {
    const service = { organization: undefined, actions: ['maintenance_on'] as const };
    for (const one of [change(1), change(3), change(5), change(2, service)]) {
      await log.begin(one);
      await log.end(one, 'made');
    }
    await log.begin(change(4, { organization: `${organization}-other` }));
    const times = (await list(NOON_MS + 1, NOON_MS + 5)).map(({ timeMs }) => timeMs - NOON_MS);
    expect(times).toEqual([3, 2, 1]);
  });

  it('keeps documents that nest deeper than an item may, and large ones', async () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 60; level += 1) deep = { level: [deep] };
    const made = change(0, { before: { flow: deep }, after: { text: 'word '.repeat(100_000) } });
    await log.begin(made);
    expect(await log.find(organization, made.id)).toEqual({ ...made, outcome: 'unknown' });
  });

  it('finds nothing under what is no id of its own', async () => {
    for (const id of ['chg-0-0000000000000000', 'chg-zzzzzzzzz-0000000000000000', 'other']) {
      expect(await log.find(organization, id)).toBeUndefined();
    }
  });
});

it('a change that is too large is kept without its texts, with a mark', async () => {
  const log = createChangeLog(dynamoDb.client, dynamoDb.tables.logs, clock);
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
    .toString('base64')
    .repeat(1);
  const blocks = Array.from({ length: 8 }, () =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64'),
  );
  const made = change(0, { before: blocks, after: noise });
  await log.begin(made);
  expect(await log.find(organization, made.id)).toEqual({
    ...made,
    before: null,
    after: null,
    cut: true,
    outcome: 'unknown',
  });
});

describe('the items of a change', () => {
  it('both name the organization into whose chain they are sealed, and have a salt', async () => {
    const made = change(0);
    const log = createChangeLog(dynamoDb.client, dynamoDb.tables.logs, clock);
    await log.begin(made);
    await log.end(made, 'made');
    const { Items = [] } = await dynamoDb.client.send(
      new QueryCommand({
        TableName: dynamoDb.tables.logs,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': `CHANGES#${organization}` },
      }),
    );
    expect(Items.map(({ organizationId }) => organizationId)).toEqual(['org-1', 'org-1']);
    expect(Items.map(({ salt }) => (salt as Uint8Array).byteLength)).toEqual([16, 16]);
  });
});
