// Starts an engine for a test file and ends it afterwards.
import { type CallDynamoDb, createCaller } from '../../dynamodb/call.ts';
import { type Engine, startEngine } from '../../dynamodb/engine.ts';
import { readTables, type TableDefinition } from '../../dynamodb/table-definition.ts';
import type { ResolvedResource } from '../../template/types.ts';
import { afterFile, temporaryFolder } from '../support/temporary-folder.ts';

/** An engine without tables, which keeps them in memory where it can. */
export async function startTestEngine(
  kind: 'dynoxide' | 'dynalite' = 'dynoxide',
): Promise<{ engine: Engine; call: CallDynamoDb }> {
  const dataFolder = temporaryFolder();
  const region = 'eu-west-1';
  const engine = await startEngine({
    kind,
    dataFolder,
    inMemory: true,
    region,
    onSpawn: () => undefined,
    log: () => undefined,
  });
  afterFile(() => engine.stop());
  return { engine, call: createCaller(engine.endpoint, region) };
}

/** A table resource with the key `id`, and what a test adds or overrides. */
export function tableResource(name: string, properties: object = {}): ResolvedResource {
  return {
    stack: 'Stack',
    logicalId: name,
    type: 'AWS::DynamoDB::Table',
    physicalId: name,
    arn: `arn:aws:dynamodb:eu-west-1:111122223333:table/${name}`,
    metadata: {},
    properties: {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      ...properties,
    },
  };
}

/** The definition of such a table. */
export function tableDefinition(name: string, properties: object = {}): TableDefinition {
  const resources = [tableResource(name, properties)];
  const [table] = readTables([{ name: 'Stack', folder: '', outputs: {}, resources }]);
  if (table === undefined) throw new Error('no table');
  return table;
}
