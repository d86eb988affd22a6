// A stack of empty tables in the embedded DynamoDB with the real ports of the command, and copies of its tables as a restore makes them.
import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { main } from '../../../cli/main.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { composePorts } from '../../../cli/session/compose.ts';
import type { Ports } from '../../../cli/session/ports.ts';
import { TABLES, type TableName } from '../../../core/contract/tables.ts';
import { startDynamoDb, type TestDynamoDb, toCreateTable } from '../../support/dynamodb.ts';
import type { RawItem } from '../../support/sealed-log.ts';
import { createMemoryPorts } from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

export interface RestoredTables {
  readonly dynamoDb: TestDynamoDb;
  readonly ports: Ports;
  /** `neuron restore WORDS…`. */
  restore(...words: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** The same with `--json`; throws for a failure. */
  restoreJson(...words: string[]): Promise<Readonly<Record<string, unknown>>>;
  /** Copies a table as it is, without stream, expiry and backups; gives the name of the copy. */
  backUp(table: TableName): Promise<string>;
  scan(table: string): Promise<RawItem[]>;
  /** As a fault would: without an entry of a change. */
  lose(table: TableName, isLost: (item: RawItem) => boolean): Promise<number>;
  stop(): Promise<void>;
}

export async function openRestoredTables(): Promise<RestoredTables> {
  const dynamoDb = await startDynamoDb();
  const { client, tables, endpoint } = dynamoDb;
  const { stack } = createMemoryPorts();
  const names = Object.keys(TABLES) as TableName[];
  const outputs = {
    ...stack.outputs,
    ...Object.fromEntries(names.map((name) => [`${name}Table`, tables[name]])),
  };
  const local = { folder: '/nowhere', dynamodb: endpoint, secretsmanager: endpoint, logFolder: '/nowhere' };
  const ports = composePorts({ ...stack, region: 'us-east-1', outputs, local });
  const scan = async (table: string) =>
    (await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }))).Items ?? [];
  const restore = async (...words: string[]) => {
    const terminal = createMemoryTerminal();
    const exitCode = await main(['restore', ...words], terminal, (options) => ({
      options,
      terminal,
      out: createOutput(terminal, options),
      findStack: async () => ports.stack,
      connect: async () => ports,
    }));
    return { exitCode, ...terminal.printed };
  };
  let copies = 0;
  return {
    dynamoDb,
    ports,
    restore,
    async restoreJson(...words) {
      const { exitCode, stdout, stderr } = await restore(...words, '--json');
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    async backUp(table) {
      copies += 1;
      const name = `restored-${table}-${copies}`;
      const { stream: _stream, ...schema } = { stream: undefined, ...TABLES[table] };
      await client.send(toCreateTable(name, schema));
      for (const Item of await scan(tables[table]))
        await client.send(new PutItemCommand({ TableName: name, Item }));
      return name;
    },
    scan,
    async lose(table, isLost) {
      const lost = (await scan(tables[table])).filter(isLost);
      for (const { pk, sk } of lost) {
        const Key = { ...(pk === undefined ? {} : { pk }), ...(sk === undefined ? {} : { sk }) };
        await client.send(new DeleteItemCommand({ TableName: tables[table], Key }));
      }
      return lost.length;
    },
    stop: () => dynamoDb.stop(),
  };
}
