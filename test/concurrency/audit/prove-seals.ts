// Seals a large log with the function that does so, and verifies it with the command: time, store units, memory.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { chainPartition, headAttributes, headKeys } from '../../../adapters/dynamodb/seals/seal-items.ts';
import { createSealReader } from '../../../adapters/dynamodb/seals/seal-reader.ts';
import { ROLLUP_FIELDS, toVariables } from '../../../lambdas/environment.ts';
import { bundleOptions } from '../../../lib/constructs/compute/bundle.ts';
import { itemSize } from '../item-size.ts';
import type { Consumption, CountingProxy } from './counting-proxy.ts';
import { ORGANIZATION_ID } from './entries.ts';
import type { LargeLog } from './large-log.ts';
import { type Run, runProcess } from './run-process.ts';

const READER = fileURLToPath(new URL('seal-process.ts', import.meta.url));

/** What the process of the reader says at its end. */
interface Sealed {
  readonly entries: number;
  readonly batches: number;
  /** Of them, how many were delivered twice. */
  readonly repeated: number;
  readonly cpuSeconds: number;
  readonly progress: readonly { readonly entries: number; readonly rssMiB: number }[];
}

/** The reader, from the files of the log to the tables. */
export async function sealLog(folder: string, { tables, files }: LargeLog, proxy: CountingProxy) {
  const env = {
    ...toVariables(ROLLUP_FIELDS, {
      ...{ stage: 'proof', usageTable: tables.usage, configTable: tables.config, keysTable: tables.keys },
      ...{ countersTable: tables.counters, settingsTtlMs: 15_000, alertEventBus: 'default' },
      alertTopicArn: undefined,
    }),
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
  };
  const output = join(folder, 'rollup');
  await build(bundleOptions('lambdas/rollup/handler.ts', output));
  proxy.take();
  const run = await runProcess({ words: [READER, join(output, 'index.mjs'), ...files], env });
  if (run.exitCode !== 0) throw new Error(`the reader ended with ${run.exitCode}`);
  const { entries, ...sealed } = JSON.parse(run.output) as Sealed;
  const consumed = proxy.take();
  const measured = await measureSeals(proxy.endpoint, tables.usage);
  return {
    ...{ entries, seconds: run.seconds, peakMiB: run.peakMiB, ...sealed, consumed: rounded(consumed) },
    ...measured,
  };
}

/** Writes in transactions take two units for each KB (amazondynamodb/latest/developerguide/read-write-operations.html). */
const unitsOf = (bytes: number) => 2 * Math.ceil(bytes / 1_024);

/** What sealing alone has written: the links and, with each, the head. */
async function measureSeals(endpoint: string, table: string) {
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, credentials);
  const client = createDocumentClient(
    { maxAttempts: 3, connectionTimeout: 1_000, requestTimeout: 10_000 },
    endpoint,
  );
  try {
    const head = await createSealReader(client, table).read(ORGANIZATION_ID);
    if (head === undefined) throw new Error('nothing was sealed');
    const headBytes = itemSize({ ...headKeys(ORGANIZATION_ID), ...headAttributes(head) });
    const total = { seals: 0, sealedEntries: 0, bytes: 0, lineBytes: 0, units: 0 };
    for await (const item of sealItems(client, table)) {
      const lines = String(item['lines']);
      const bytes = itemSize(item);
      total.seals += 1;
      total.sealedEntries += lines.split('\n').length;
      total.bytes += bytes;
      total.lineBytes += Buffer.byteLength(lines);
      total.units += unitsOf(bytes) + unitsOf(headBytes);
    }
    const { seals, sealedEntries, bytes, lineBytes, units } = total;
    return {
      ...{ seals, sealedEntries, sealUnits: units, headBytes },
      sealUnitsPerEntry: round(units / sealedEntries, 3),
      bytesPerSeal: round((bytes - lineBytes) / seals, 1),
      bytesPerEntry: round(lineBytes / sealedEntries, 1),
    };
  } finally {
    client.destroy();
  }
}

async function* sealItems(client: DynamoDBDocumentClient, TableName: string) {
  const pages = paginateQuery(
    { client },
    {
      TableName,
      KeyConditionExpression: 'pk = :chain',
      ExpressionAttributeValues: { ':chain': chainPartition(ORGANIZATION_ID) },
    },
  );
  for await (const { Items = [] } of pages) yield* Items;
}

/** The command, with the outputs that name the proxy. */
export async function verifySeals(run: (words: readonly string[]) => Promise<Run>, proxy: CountingProxy) {
  proxy.take();
  const verified = await run(['logs', 'verify', 'acme', '--since', '1d', '--json']);
  const consumed = proxy.take();
  const summary = JSON.parse(verified.output.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>;
  const usage = await run(['usage', 'acme', '--verify']);
  return {
    ...{ seconds: verified.seconds, peakMiB: verified.peakMiB, consumed: rounded(consumed) },
    ...{ intact: summary['intact'], whole: summary['whole'], seals: summary['seals'] },
    recount: { isEqual: usage.exitCode === 0, seconds: usage.seconds, peakMiB: usage.peakMiB },
  };
}

function rounded(consumed: Consumption): Consumption {
  return Object.fromEntries(
    Object.entries(consumed).map(([name, { calls, units }]) => [name, { calls, units: round(units, 1) }]),
  );
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
