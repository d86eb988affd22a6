// A sealed log in the embedded DynamoDB with the ports of the command over the same tables, for erasures of persons.

import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createPersonalEntries } from '../../adapters/dynamodb/personal/personal-entries.ts';
import { createPersonalItems } from '../../adapters/dynamodb/personal/personal-items.ts';
import { createEntryReader } from '../../adapters/dynamodb/usage-entries.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import type { EntryFacts } from '../../core/logs/build-entry.ts';
import type { Json } from '../../core/ports/seals.ts';
import { canonicalJson } from '../../core/text/canonical-json.ts';
import { toIso } from '../../core/time/iso.ts';
import { createMemoryPorts, type MemoryPorts, organizationRecord, runWith } from '../cli/memory-ports.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import type { TestDynamoDb } from './dynamodb.ts';
import { createSealedLog, slugOf } from './sealed-log.ts';

export const ADA = 'ada@example.com';
export const ADDRESS = '198.51.100.77';
export const LOG_KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * `startMs`: the time of the clock, and of the organization if that is earlier than the one of tests. `isLarge`: commands put changes alone,
 * so that the entries need not be read after each of them.
 */
export async function createErasableLog(
  dynamoDb: TestDynamoDb,
  organizationId: string,
  { startMs = NOON_MS, isLarge = false }: { readonly startMs?: number; readonly isLarge?: boolean } = {},
) {
  const { client, tables } = dynamoDb;
  const log = createSealedLog(dynamoDb, organizationId, startMs);
  await log.seal({ skip: true });
  const { clock } = log;
  const slug = slugOf(organizationId);
  const memory = createMemoryPorts();
  const record = organizationRecord(slug);
  const createdAt = startMs < Date.parse(record.createdAt) ? toIso(startMs) : record.createdAt;
  await memory.config.admin.writeOrganization({ ...record, id: organizationId, createdAt }, 'absent');
  memory.secretValues.set(`${organizationId}/providers/log:hmac`, LOG_KEY);
  const usage = {
    ...createUsageLedger(client, tables.usage),
    ...createUsageReader(client, tables.usage, clock),
  };
  const ports: MemoryPorts = {
    ...memory,
    ...{ clock, usage, seals: log.seals, changes: log.changes, storedEntries: log.storedEntries },
    logStore: log.store,
    logReader: createLogReader(client, tables.logs, { clock, shards: 1 }),
    entries: createEntryReader(client, tables.logs, { clock, shards: 1 }),
    personalData: {
      ...createPersonalEntries(client, tables, { clock, shards: 1 }),
      ...createPersonalItems(client, tables),
    },
  };
  return {
    ...log,
    slug,
    ports,
    /** An entry of the person, with her address. */
    async putOf(username: string, executionId: string, changes: Partial<EntryFacts> = {}): Promise<void> {
      const sourceIp = username === ADA ? ADDRESS : '203.0.113.7';
      const caller = { sourceIp, refererHost: undefined, username, authentication: 'jwt' as const };
      await log.store.put(log.entry(executionId, { timeMs: clock.now(), caller, ...changes }));
      await clock.advance(1_000);
    },
    /** Runs a command, and seals what it put. */
    async run(words: readonly string[], over: Partial<MemoryPorts> = {}) {
      const result = await runWith({ ...ports, ...over }, words);
      await log.seal({ partition: isLarge ? `CHANGES#${slug}` : undefined });
      return result;
    },
    /** Bytes of all tables of the test, as text. */
    async everything(): Promise<string> {
      const all = await Promise.all(Object.values(tables).map((table) => log.items(table)));
      const plain = JSON.stringify(all, (_name, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      );
      return canonicalJson(JSON.parse(plain) as Json);
    },
  };
}
