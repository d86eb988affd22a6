// The sample queries for auditors: every one is run as written, and finds what the text above it says.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { METRICS } from '../../core/contract/metrics.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { awsCommands, type Items, runAws } from './aws-commands.ts';

const DOCUMENT = readFileSync(new URL('../../docs/logs.md', import.meta.url), 'utf8');
const TABLE = 'NeuronData-LogsTable';

const commands = awsCommands(DOCUMENT);

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  const store = createLogStore(dynamoDb.client, dynamoDb.tables.logs, 1);
  const subject = {
    ...FACTS.subject,
    organizationId: 'a1b2c3d4e5f60718293a4b5c',
    neuronId: '0b5e1f2a3c4d5e6f70819203',
  };
  const caller = { ...FACTS.caller, username: 'ann@example.com' };
  await store.put(
    entryOf({ subject, caller, executionId: 'KyLvZGJ6oAMEabc=', input: 'long '.repeat(1_000) }),
  );
  await store.put(entryOf({ subject, executionId: 'limited', code: 'rate_limited', run: undefined }));
  await store.put(entryOf({ subject, executionId: 'broken', code: 'internal', run: undefined }));
  const changes = createChangeLog(dynamoDb.client, dynamoDb.tables.logs, createMemoryClock(NOON_MS));
  const change = {
    ...{ id: 'chg-mi9000-0000000000000000', timeMs: NOON_MS, by: 'local', actions: ['deploy'] as const },
    ...{ organization: 'acme', organizationId: 'o', neuron: 'hello', neuronId: 'n', before: 1, after: 2 },
    expiresAt: NOON_MS / 1000 + 60,
  };
  await changes.begin(change);
  await changes.end(change, 'made');
});
afterAll(() => dynamoDb.stop());

const run = (command: string): Promise<Items> =>
  runAws(command.replaceAll(TABLE, dynamoDb.tables.logs), dynamoDb.client);

describe('the sample queries', () => {
  // What each finds, in the order of the document.
  const EXPECTED = [3, 3, 1, 1, 1, 1, 1, 2, 3, 1, 2];

  it('are all there', () => {
    expect(commands).toHaveLength(EXPECTED.length);
    for (const command of commands) expect(command).not.toContain('scan ');
  });

  it.each(EXPECTED.map((count, index) => [index, count] as const))(
    'number %i finds %i items',
    async (index, count) => {
      expect(await run(commands[index]!)).toHaveLength(count);
    },
  );

  it('get the texts of a packed entry, as gunzip gives them', async () => {
    const [item] = await run(commands[6]!);
    const { B: bytes } = item!['packed'] as { B: Uint8Array };
    expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({
      input: { kind: 'full', bytes: 5_000 },
      output: { text: 'secret output' },
    });
  });
});

it('every metric is described', () => {
  for (const { name } of Object.values(METRICS)) expect(DOCUMENT).toContain(`\`${name}\``);
});

it('every field of an entry is described', () => {
  for (const name of Object.keys(entryOf())) expect(DOCUMENT).toContain(`\`${name}\``);
});
