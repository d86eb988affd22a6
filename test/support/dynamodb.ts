// Starts the embedded DynamoDB for one test file, with the product's tables under names of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { DOCUMENTS, removeUnread } from '../../adapters/dynamodb/client.ts';
import { keepEveryName } from '../../adapters/dynamodb/stored/every-name.ts';
import { TABLES, type TableName, type TableSchema } from '../../core/contract/tables.ts';

const BINARY = fileURLToPath(new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));
const READY_MS = 5_000;

/** A running engine with the tables that were asked for, all empty. */
export interface TestDynamoDb {
  readonly client: DynamoDBDocumentClient;
  /** The real name of each of the product's tables. */
  readonly tables: Readonly<Record<TableName, string>>;
  readonly endpoint: string;
  /** Ends the process. To be called in `afterAll`. */
  stop(): Promise<void>;
}

/**
 * Starts the engine in memory and creates the tables. Takes about 50 ms. Without streams, which no test of many entries needs, each put takes
 * the same time however many came before.
 */
export async function startDynamoDb({ withStreams = true } = {}): Promise<TestDynamoDb> {
  const { port, child } = await startEngine();
  const endpoint = `http://127.0.0.1:${port}`;
  const plain = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({ requestTimeout: 30_000, throwOnRequestTimeout: true }),
  });
  removeUnread(plain);
  const client = DynamoDBDocumentClient.from(keepEveryName(plain), DOCUMENTS);
  const prefix = `t${randomBytes(4).toString('hex')}-`;
  const names = Object.keys(TABLES) as TableName[];
  for (const name of names) {
    const { stream: _stream, ...plain }: TableSchema = TABLES[name];
    await client.send(toCreateTable(`${prefix}${name}`, withStreams ? TABLES[name] : plain));
  }
  return {
    client,
    tables: Object.fromEntries(names.map((name) => [name, prefix + name])) as Record<TableName, string>,
    endpoint,
    async stop() {
      client.destroy();
      await end(child);
    },
  };
}

/** What makes a table of the product under a name of its own. */
export function toCreateTable(name: string, table: TableSchema): CreateTableCommand {
  const { vectorIndex } = table;
  const keys: TableSchema['key'][] = [
    table.key,
    ...table.indexes.map(({ key }) => key),
    ...(vectorIndex === undefined ? [] : [{ partition: vectorIndex.partition }]),
  ];
  const attributes = new Set(keys.flatMap(({ partition, sort }) => (sort ? [partition, sort] : [partition])));
  return new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...attributes].map((attribute) => ({
      AttributeName: attribute,
      AttributeType: 'S' as const,
    })),
    KeySchema: toKeySchema(table.key),
    ...(table.indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: table.indexes.map(({ name: indexName, key, include }) => ({
            IndexName: indexName,
            KeySchema: toKeySchema(key),
            Projection:
              include.length === 0
                ? { ProjectionType: 'KEYS_ONLY' as const }
                : { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...include] },
          })),
        }),
    ...(vectorIndex === undefined
      ? {}
      : {
          VectorIndexes: [
            {
              IndexName: vectorIndex.name,
              VectorAttribute: { AttributeName: vectorIndex.vector },
              SearchSchema: [
                { AttributeName: vectorIndex.partition, SearchSchemaElementType: 'HASH' as const },
              ],
              Projection: { ProjectionType: 'KEYS_ONLY' as const },
              Dimensions: vectorIndex.dimensions,
              DistanceFunction: 'COSINE' as const,
            },
          ],
        }),
    ...(table.stream
      ? { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const } }
      : {}),
  });
}

function toKeySchema({ partition, sort }: TableSchema['key']) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' as const }]),
  ];
}

/** Another process may take the port between finding and using it: then the engine exits and the next port is tried. */
async function startEngine(): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await findFreePort();
    const child = spawn(BINARY, ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
    // A test run that is killed must leave no engine behind.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.removeListener('exit', kill));
    if (await answers(port, child)) return { port, child };
    await end(child);
  }
  throw new Error('the embedded DynamoDB did not start');
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function answers(port: number, child: ChildProcess): Promise<boolean> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until && child.exitCode === null) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) });
      return child.exitCode === null;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
