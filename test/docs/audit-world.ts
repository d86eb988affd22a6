// The log that the answers of docs/audit.md are found in: put, counted and sealed by the service's own code.
import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { createSealReader } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createStoredEntries } from '../../adapters/dynamodb/stored/stored-entries.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import type { Ports } from '../../cli/session/ports.ts';
import type { ChangeEntry } from '../../core/contract/change-entry.ts';
import { createSealing } from '../../core/logs/seals/sealing.ts';
import type { VersionRecord } from '../../core/ports/administration.ts';
import { rollUp } from '../../lambdas/rollup/roll-up.ts';
import { createMemoryPorts, neuronRecord, organizationRecord } from '../cli/memory-ports.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import type { TestDynamoDb } from '../support/dynamodb.ts';
import { NO_ALERTS, NO_FEEDBACK } from '../support/memory/alerts.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLines } from '../support/memory/lines.ts';
import { createMemoryRandom } from '../support/memory/random.ts';

/** When the auditor asks: half an hour after the calls. */
const NOW_MS = NOON_MS + 1_800_000;
const MINUTE_MS = 60_000;
const ORGANIZATION_ID = 'a1b2c3d4e5f60718293a4b5c';
const HELLO_ID = '0b5e1f2a3c4d5e6f70819203';
const KEY_ID = 'k7Q2mN9xR4tW';
const ADA = 'arn:aws:iam::123456789012:user/ada';

const VERSION: VersionRecord = {
  ...{ id: 'v3', number: 3, neuronId: HELLO_ID, message: undefined, author: ADA },
  createdAt: '2026-11-20T08:00:00.000Z',
  flow: [{ serveOutput: { text: 'hello' } }],
  flowDigest: 'digest-3',
};

/** Fills the tables, and gives the ports of an auditor's command. */
export async function createAuditWorld(dynamoDb: TestDynamoDb): Promise<Ports> {
  const { client, tables } = dynamoDb;
  const clock = createMemoryClock(NOW_MS);
  const store = createAdminStore(client, tables.config);
  await store.writeOrganization({ ...organizationRecord('acme'), id: ORGANIZATION_ID }, 'absent');
  const hello = { ...neuronRecord('acme', 'hello'), id: HELLO_ID, organizationId: ORGANIZATION_ID };
  await store.writeNeuron('acme', hello, 'absent');
  await store.createVersion('acme', VERSION);
  await putCalls(dynamoDb);
  const changes = createChangeLog(client, tables.logs, clock);
  for (const change of CHANGES) {
    await changes.begin(change);
    if (!change.actions.includes('clear_cache')) await changes.end(change, 'made');
  }
  const seals = createSealReader(client, tables.usage);
  await deliver(dynamoDb, {
    ledger: createUsageLedger(client, tables.usage),
    sealing: createSealing(seals, createMemoryClock(NOW_MS - 20 * MINUTE_MS)),
    alerts: NO_ALERTS,
    ...NO_FEEDBACK,
    ...{ clock, random: createMemoryRandom(), lines: createMemoryLines() },
  });
  return {
    ...createMemoryPorts(),
    ...{ store, changes, clock, seals },
    logReader: createLogReader(client, tables.logs, { clock, shards: 1 }),
    storedEntries: createStoredEntries(client, tables.logs, { clock, shards: 1 }),
    usage: createUsageReader(client, tables.usage, clock),
  };
}

async function putCalls({ client, tables }: TestDynamoDb): Promise<void> {
  const store = createLogStore(client, tables.logs, 1);
  const subject = { ...FACTS.subject, organizationId: ORGANIZATION_ID, neuronId: HELLO_ID };
  const ann = { ...FACTS.caller, username: 'ann@example.com' };
  const key = { ...FACTS.caller, username: undefined, keyId: KEY_ID, authentication: 'apiKey' as const };
  const search = { ...subject, neuron: 'search', neuronId: 'f0e1d2c3b4a5968778695a4b' };
  await store.put(entryOf({ subject, caller: ann, executionId: 'KyLvZGJ6oAMEabc=' }));
  const rejected = { subject, caller: key, code: 'rate_limited' as const, run: undefined, count: 3 };
  await store.put(entryOf({ ...rejected, executionId: 'refused=', timeMs: NOON_MS + MINUTE_MS }));
  const outside = { ...key, sourceIp: '198.51.100.9' };
  await store.put(
    entryOf({ subject: search, caller: outside, executionId: 'search=', timeMs: NOON_MS + 2 * MINUTE_MS }),
  );
  // Of the hour before, in which nobody asks.
  await store.put(
    entryOf({ subject, caller: ann, executionId: 'earlier=', timeMs: NOON_MS - 60 * MINUTE_MS }),
  );
}

function changeAt(minutes: number, number: number, change: Partial<ChangeEntry>): ChangeEntry {
  const timeMs = NOON_MS + minutes * MINUTE_MS;
  return {
    ...{ id: `chg-${timeMs.toString(36)}-000000000000000${number}`, timeMs, by: ADA, actions: ['deploy'] },
    ...{ organization: 'acme', organizationId: ORGANIZATION_ID, neuron: 'hello', neuronId: HELLO_ID },
    ...{ before: null, after: null, expiresAt: NOW_MS / 1000 + 86_400 },
    ...change,
  };
}

const ofOrganization = { neuron: undefined, neuronId: undefined };
const CHANGES: readonly ChangeEntry[] = [
  changeAt(-120, 1, {
    ...ofOrganization,
    actions: ['create_key'],
    after: { keyId: KEY_ID, name: 'back-end' },
  }),
  changeAt(-90, 2, {
    actions: ['update_neuron'],
    before: { access: { public: true } },
    after: { access: { apiKey: true } },
  }),
  changeAt(-30, 3, { before: { version: 'v2' }, after: { version: 'v3' } }),
  // Killed before it recorded its outcome.
  changeAt(5, 4, { actions: ['clear_cache'] }),
];

/** As the stream of the table delivers them, in one batch. */
async function deliver({ client, tables }: TestDynamoDb, ports: Parameters<typeof rollUp>[1]): Promise<void> {
  const { Items: items = [] } = await client.send(new ScanCommand({ TableName: tables.logs }));
  const answer = await rollUp({ Records: items.map(toRecord) }, ports);
  if (answer.batchItemFailures.length > 0) throw new Error('the batch was not counted and sealed');
}

function toRecord(item: Record<string, AttributeValue>, index: number): DynamoDBRecord {
  const image = JSON.stringify(item, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  // Two seconds after its own time.
  const time = Math.floor(Date.parse((item['sk']?.S ?? '').slice(0, 24)) / 1000) + 2;
  return {
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: String(index),
      ApproximateCreationDateTime: time,
      NewImage: JSON.parse(image),
    },
  };
}
