// The sample queries for auditors: every one is run as written, and finds what the text above it says.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ExecuteStatementCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { METRICS } from '../../core/contract/metrics.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';

const DOCUMENT = readFileSync(new URL('../../docs/logs.md', import.meta.url), 'utf8');
const TABLE = 'NeuronData-LogsTable';

/** Every `aws dynamodb …` of the document, lines joined, without what it is piped into. Quotes may span lines. */
const commands = [...DOCUMENT.matchAll(/^aws dynamodb (?:'[^']*'|\\\n|[^'\\\n])*/gm)].map(([text]) =>
  text.replaceAll('\\\n', ' ').replace(/ \| .*/, ''),
);

/** An option's value as the SDK takes it: JSON where it is JSON. */
function parse(command: string): { operation: string; input: Record<string, unknown> } {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [, , operation = '', ...rest] = words;
  const input: Record<string, unknown> = {};
  for (let at = 0; at < rest.length; at += 1) {
    const name = (rest[at] ?? '').replace(/^--/, '');
    if (name === 'no-scan-index-forward') {
      input['ScanIndexForward'] = false;
      continue;
    }
    at += 1;
    const value = rest[at] ?? '';
    // Of the CLI itself, not of the service.
    if (name === 'query' || name === 'output') continue;
    const member = name.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    input[member] = /^[{[]/.test(value) ? JSON.parse(value) : value;
  }
  return { operation, input };
}

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

type Items = readonly Record<string, unknown>[];

async function run(command: string): Promise<Items> {
  const text = command.replaceAll(TABLE, dynamoDb.tables.logs);
  const { operation, input } = parse(text);
  const { client } = dynamoDb;
  if (operation === 'query') return (await client.send(new QueryCommand(input as never))).Items ?? [];
  if (operation === 'execute-statement')
    return (await client.send(new ExecuteStatementCommand(input as never))).Items ?? [];
  if (operation !== 'get-item') throw new Error(`no way to run ${operation}`);
  const { Item: item } = await client.send(new GetItemCommand(input as never));
  return item === undefined ? [] : [item];
}

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
