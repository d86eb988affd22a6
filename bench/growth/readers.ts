// Reads as operators do: entries of a size, and lists of all organizations.
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { listHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import type { LogQuery, LogReader } from '../../core/ports/log-reader.ts';
import type { Phase } from '../growth.ts';
import { ENTRIES_OF_A_KIND, type ENTRY_KINDS, measurePhase } from './calls.ts';
import type { CountingProxy } from './counting-proxy.ts';
import { identityOf } from './items.ts';

/** Lists of all organizations take longer than any call of the functions. */
const LIMITS = { maxAttempts: 1, connectionTimeout: 1_000, requestTimeout: 60_000 };
/** Entries that are read one by one. */
const SINGLE = 10;

/** A client of the engine, or of the proxy in front of it. */
function createClient() {
  return createDocumentClient(LIMITS, process.env['AWS_ENDPOINT_URL_DYNAMODB']);
}

/** Reads entries that a neuron's calls have put since `fromMs`: a page by organization, a page by neuron, and ten whole ones. */
export async function readEntries(
  kind: keyof typeof ENTRY_KINDS,
  { number, fromMs, proxy }: { number: number; fromMs: number; proxy: CountingProxy | undefined },
): Promise<Phase[]> {
  const table = process.env['LOGS_TABLE'] ?? '';
  const shards = Number(process.env['LOG_SHARDS'] ?? 1);
  const reader = createLogReader(createClient(), table, { clock: systemClock, shards });
  const { organizationId, neuronId } = identityOf(number);
  const period = { fromMs, toMs: Date.now() + 1 };
  const ofOrganization = await takePage(reader, { organizationId, ...period });
  proxy?.take();
  const pages = [0];
  return [
    await measurePhase(
      `list 100 of ${kind} by organization`,
      pages,
      () => takePage(reader, { organizationId, ...period }),
      proxy,
    ),
    await measurePhase(
      `list 100 of ${kind} by neuron`,
      pages,
      () => takePage(reader, { organizationId, neuronId, ...period }),
      proxy,
    ),
    await measurePhase(
      `read one entry of ${kind}`,
      Array.from({ length: SINGLE }, (_, index) => index),
      async (index) => {
        const found = await reader.find(ofOrganization[index] ?? '');
        if (found?.input === undefined || found.cut) throw new Error(`an entry of ${kind} is not whole`);
      },
      proxy,
    ),
  ];
}

/** The ids of the newest hundred. Throws where there are fewer. */
async function takePage(reader: LogReader, query: LogQuery): Promise<string[]> {
  const ids: string[] = [];
  for await (const { executionId } of reader.list(query)) {
    ids.push(executionId);
    if (ids.length === ENTRIES_OF_A_KIND) return ids;
  }
  throw new Error(`the log has ${ids.length} of ${ENTRIES_OF_A_KIND} entries`);
}

/** With more, the embedded database takes seconds for a page of a scan, which says nothing of the product. */
const MAX_LISTED = 200;

/** Lists the heads of all chains of seals and, if there are few, all organizations. Throws where one is missing. */
export async function listOrganizations(
  organizations: number,
  proxy: CountingProxy | undefined,
): Promise<Phase[]> {
  const client = createClient();
  const store = createAdminStore(client, process.env['CONFIG_TABLE'] ?? '');
  const expect = (what: string, found: number) => {
    if (found !== organizations) throw new Error(`${found} of ${organizations} ${what} were found`);
  };
  const heads = await measurePhase(
    'list the heads of all chains',
    [0],
    async () => {
      let found = 0;
      for await (const _ of listHeads(client, process.env['USAGE_TABLE'] ?? '')) found += 1;
      expect('heads', found);
    },
    proxy,
  );
  if (organizations > MAX_LISTED) return [heads];
  const list = await measurePhase(
    'list all organizations',
    [0],
    async () => expect('organizations', (await store.listOrganizations()).length),
    proxy,
  );
  return [heads, list];
}
