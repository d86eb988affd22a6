// Starts an engine for a test file and ends it afterwards.
import { type CallDynamoDb, createCaller } from '../../dynamodb/call.ts';
import { type Engine, startEngine } from '../../dynamodb/engine.ts';
import { readTables, type TableDefinition } from '../../dynamodb/table-definition.ts';
import { applyTables } from '../../dynamodb/tables.ts';
import type { ResolvedResource } from '../../template/types.ts';
import { resource, stackOf } from '../support/resources.ts';
import { afterFile, temporaryFolder } from '../support/temporary-folder.ts';

interface TestEngine {
  readonly engine: Engine;
  readonly call: CallDynamoDb;
}

/** An engine without tables, in memory if possible. */
export async function startTestEngine(kind: 'dynoxide' | 'dynalite' = 'dynoxide'): Promise<TestEngine> {
  const dataFolder = temporaryFolder();
  const region = 'eu-west-1';
  const log = () => undefined;
  const engine = await startEngine({ kind, dataFolder, inMemory: true, region, onSpawn: log, log });
  afterFile(() => engine.stop());
  return { engine, call: createCaller(engine.endpoint, region) };
}

/** A table resource with the key `id`. */
export function tableResource(name: string, properties: object = {}): ResolvedResource {
  return resource(
    'AWS::DynamoDB::Table',
    name,
    {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ...properties,
    },
    { arn: `arn:aws:dynamodb:eu-west-1:111122223333:table/${name}` },
  );
}

/** The definition of such a table. */
export function tableDefinition(name: string, properties: object = {}): TableDefinition {
  const [table] = readTables(stackOf([tableResource(name, properties)]));
  if (table === undefined) throw new Error('no table');
  return table;
}

/** Creates such a table or updates it; gives the lines for everybody. */
export async function applyTable(
  name: string,
  properties: object,
  { engine, call }: TestEngine,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const { features } = engine;
  await applyTables([tableDefinition(name, properties)], { call, features, log, detail: () => undefined });
  return lines;
}
