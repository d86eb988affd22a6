// Writes a large log to files, from which the embedded DynamoDB starts with it in memory: far faster than puts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createAdminStore } from '../../../adapters/dynamodb/admin-store.ts';
import { freePort } from '../../../bench/free-port.ts';
import { OUTPUTS } from '../../../core/contract/outputs.ts';
import { TABLES, type TableName } from '../../../core/contract/tables.ts';
import { organizationRecord } from '../../cli/memory-ports.ts';
import { startDynamoDb, toCreateTable } from '../../support/dynamodb.ts';
import { largeLogItem, ORGANIZATION_ID, SHARDS } from './entries.ts';

const BINARY = fileURLToPath(new URL('../../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));
/** Entries of one file. */
const ENTRIES_PER_FILE = 20_000;
const HOUR_MS = 3_600_000;

type Tables = Readonly<Record<TableName, string>>;

/** A log that is served, and the files that it was made from, in the order of time: a line of JSON with `Item` for each entry. */
export interface LargeLog {
  readonly endpoint: string;
  readonly tables: Tables;
  readonly files: readonly string[];
  /** Of its last hour. */
  readonly endMs: number;
  stop(): Promise<void>;
}

/** Serves the log; the folder also gets what `npm start` writes for the command. */
export async function startLargeLog(folder: string, entries: number): Promise<LargeLog> {
  const { tables, schemas } = await describeTables();
  const source = join(folder, 'source');
  const endMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const files = await writeEntries(join(source, tables.logs, 'data'), entries, endMs);
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify(schemas));
  const port = await freePort();
  const child = spawn(
    BINARY,
    [...['import', '--source', source, '--schema', schema, '--serve'], '--port', String(port)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(endpoint).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('the embedded DynamoDB did not take the log');
    await sleep(100);
  }
  await addRest(endpoint, tables);
  return {
    ...{ endpoint, tables, files, endMs },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The product's tables, as the engine describes them itself. */
async function describeTables() {
  const database = await startDynamoDb();
  try {
    const schemas = [];
    for (const TableName of Object.values(database.tables)) {
      const { Table } = await database.client.send(new DescribeTableCommand({ TableName }));
      // Nobody reads the stream of the import: what it would bring is handed over from the files.
      const { StreamSpecification: _stream, LatestStreamArn: _arn, ...table } = Table ?? {};
      schemas.push({ Table: table });
    }
    return { tables: database.tables, schemas };
  } finally {
    await database.stop();
  }
}

/** In the form of DynamoDB's own exports. */
async function writeEntries(folder: string, entries: number, endMs: number): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  for (let begin = 0; begin < entries; begin += ENTRIES_PER_FILE) {
    const file = join(folder, `${String(begin).padStart(9, '0')}.json.gz`);
    const gzip = createGzip({ level: 1 });
    const output = createWriteStream(file);
    gzip.pipe(output);
    for (let index = begin; index < Math.min(begin + ENTRIES_PER_FILE, entries); index += 1) {
      const Item = marshall(largeLogItem(index, entries, endMs).item, { removeUndefinedValues: true });
      if (!gzip.write(`${JSON.stringify({ Item }, withBase64)}\n`)) await once(gzip, 'drain');
    }
    gzip.end();
    await once(output, 'close');
    files.push(file);
  }
  return files;
}

function withBase64(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The tables that nothing was imported into, and the organization. */
async function addRest(endpoint: string, tables: Tables): Promise<void> {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...{ endpoint, region: 'us-east-1' },
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  for (const name of Object.keys(tables) as TableName[]) {
    if (name === 'logs') continue;
    await client.send(toCreateTable(tables[name], TABLES[name])).catch((error: Error) => {
      // The import made it.
      if (error.name !== 'ResourceInUseException') throw error;
    });
  }
  const organization = { ...organizationRecord('acme'), id: ORGANIZATION_ID };
  await createAdminStore(client, tables.config).writeOrganization(organization, 'absent');
  client.destroy();
}

/** What `npm start` writes for the command, with an endpoint that may be a proxy. */
export function writeOutputs(folder: string, endpoint: string, tables: Tables): void {
  const named: Record<string, string> = Object.fromEntries(
    Object.entries(tables).map(([name, real]) => [OUTPUTS[`${name}Table` as keyof typeof OUTPUTS], real]),
  );
  const outputs = Object.fromEntries(Object.values(OUTPUTS).map((name) => [name, named[name] ?? '1']));
  const url = 'http://127.0.0.1:1';
  writeFileSync(
    join(folder, 'outputs.json'),
    JSON.stringify({
      ...{ format: 1, pid: process.pid, region: 'us-east-1', logFolder: folder },
      stacks: { 'NeuronApi-proof': { ...outputs, LogShards: String(SHARDS), ApiUrl: url } },
      endpoints: { dynamodb: endpoint, secretsmanager: url, url },
    }),
  );
}
