// Each of the six tables is lost and restored: copied back, or refused as documented, and made whole where it is the stack's own.
import { TABLES, type TableName } from '../../core/contract/tables.ts';
import { TABLE_IDS } from '../../lib/constructs/data/tables.ts';
import { ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { prepareAssembly } from './deployment.ts';
import { deploy, destroy } from './life-cycle.ts';
import type { Check } from './row.ts';
import { answerOf, findOrigin, findResources, outcomeOf, type World, writeText } from './world.ts';

type Item = Readonly<Record<string, { readonly S?: string }>>;

const COPIED: readonly TableName[] = ['logs', 'config', 'keys', 'usage'];
const NOT_COPIED: readonly TableName[] = ['counters', 'cache'];

/** A stage is deployed, called, robbed of each table, restored and removed. */
export async function runRestore(world: World): Promise<void> {
  const assembly = await prepareAssembly('dev', world.folder);
  await deploy(world, assembly);
  const origin = await findOrigin(world, assembly.stage);
  await world.run([
    {
      name: 'restore: settings, a key and calls',
      expected: '200, cache off',
      async observe() {
        await world.neuron(['apply', writeText(world, 'settings.yaml', SETTINGS)]);
        await world.neuron(['keys', 'create', ORGANIZATION, '--name', 'restored']);
        await answerOf(origin, 'cached');
        return answerOf(origin, 'open');
      },
    },
  ]);
  for (const table of COPIED) await world.run(await copyChecks(world, table));
  for (const table of NOT_COPIED) await world.run(await ownChecks(world, table));
  await world.run([
    {
      name: 'restore: a call after all of it',
      expected: '200, cache off',
      async observe() {
        await world.neuron(['maintenance', 'off']);
        return answerOf(origin, 'open');
      },
    },
    {
      name: 'restore: keys agree with the log',
      expected: 'done',
      observe: async () => outcomeOf(await world.neuron(['keys', 'audit', '--check', ORGANIZATION])),
    },
  ]);
  await removeCopies(world);
  await destroy(world, assembly);
}

/** The copies belong to no stack. */
async function removeCopies({ emulator: { aws } }: World): Promise<void> {
  const { TableNames } = (await aws('dynamodb', 'list_tables')) as { readonly TableNames: readonly string[] };
  for (const TableName of TableNames.filter((name) => name.startsWith('restored-')))
    await aws('dynamodb', 'delete_table', { TableName });
}

async function copyChecks(world: World, table: TableName): Promise<readonly Check[]> {
  const { aws } = world.emulator;
  const name = await nameOf(world, table);
  const restored = `restored-${table}`;
  let lost: readonly string[] = [];
  return [
    {
      name: `restore: DynamoDB restores ${table}, and its items are lost`,
      expected: /^[1-9]\d* items lost$/,
      async observe() {
        await aws('dynamodb', 'restore_table_to_point_in_time', {
          SourceTableName: name,
          TargetTableName: restored,
          UseLatestRestorableTime: true,
        });
        const items = await scan(world, restored);
        await removeAll(world, table, name);
        lost = items.map((item) => JSON.stringify(keyOf(table, item)));
        await world.neuron(['maintenance', 'on', '--yes']);
        return `${lost.length} items lost`;
      },
    },
    {
      name: `restore: neuron restore of ${table}`,
      expected: 'done',
      observe: async () =>
        outcomeOf(await world.neuron(['restore', '--from', restored, '--as', table, '--yes'])),
    },
    {
      name: `restore: every item of ${table} is back`,
      expected: 'none missing',
      async observe() {
        const present = new Set((await scan(world, name)).map((item) => JSON.stringify(keyOf(table, item))));
        const missing = lost.filter((key) => !present.has(key));
        return missing.length === 0 ? 'none missing' : missing.join(', ');
      },
    },
  ];
}

/** Tables of current state. */
async function ownChecks(world: World, table: TableName): Promise<readonly Check[]> {
  const { aws } = world.emulator;
  const name = await nameOf(world, table);
  return [
    {
      name: `restore: neuron restore refuses a copy of ${table}`,
      expected: /^exit code 1: [\s\S]*holds only current state/,
      async observe() {
        const restored = `restored-${table}`;
        await aws('dynamodb', 'restore_table_to_point_in_time', {
          SourceTableName: name,
          TargetTableName: restored,
          UseLatestRestorableTime: true,
        });
        return outcomeOf(await world.neuron(['restore', '--from', restored, '--as', table, '--yes']));
      },
    },
    {
      name: `restore: neuron restore turns on the expiry of ${table}`,
      expected: 'ENABLED expiresAt',
      async observe() {
        await aws('dynamodb', 'update_time_to_live', {
          TableName: name,
          TimeToLiveSpecification: { Enabled: false, AttributeName: 'expiresAt' },
        });
        const printed = await world.neuron(['restore', '--from', name, '--yes']);
        if (printed.exitCode !== 0) return outcomeOf(printed);
        const { TimeToLiveDescription: found } = (await aws('dynamodb', 'describe_time_to_live', {
          TableName: name,
        })) as { readonly TimeToLiveDescription: { TimeToLiveStatus: string; AttributeName?: string } };
        return `${found.TimeToLiveStatus} ${found.AttributeName}`;
      },
    },
  ];
}

/** BatchWriteItem takes 25 (API_BatchWriteItem). */
async function removeAll(world: World, table: TableName, name: string): Promise<void> {
  const requests = (await scan(world, name)).map((item) => ({ DeleteRequest: { Key: keyOf(table, item) } }));
  for (let first = 0; first < requests.length; first += 25)
    await world.emulator.aws('dynamodb', 'batch_write_item', {
      RequestItems: { [name]: requests.slice(first, first + 25) },
    });
}

async function nameOf(world: World, table: TableName): Promise<string> {
  const id = new RegExp(`^${TABLE_IDS[table]}`);
  const [name] = await findResources(world, 'NeuronData-dev', 'AWS::DynamoDB::GlobalTable', id);
  if (name === undefined) throw new Error(`no table ${table}`);
  return name;
}

async function scan({ emulator }: World, TableName: string): Promise<readonly Item[]> {
  const { Items } = (await emulator.aws('dynamodb', 'scan', { TableName })) as {
    readonly Items: readonly Item[];
  };
  return Items;
}

function keyOf(table: TableName, { pk, sk }: Item): Item {
  const hasSort = 'sort' in TABLES[table].key;
  return { ...(pk === undefined ? {} : { pk }), ...(hasSort && sk !== undefined ? { sk } : {}) };
}
