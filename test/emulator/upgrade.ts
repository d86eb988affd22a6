// The upgrade from the newest release whose templates are kept, with data: an upgrade that fails, one that works, the way back, and removal. The
// code of the functions is today's in every step, since only templates are kept.
import type { TableName } from '../../core/contract/tables.ts';
import { keptRelease, keptTemplate } from '../lib/kept-templates.ts';
import { ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { addFailingResource, tablesLeft } from './changes.ts';
import { type Assembly, editTemplate, nextRelease, prepareStage, type Template } from './deployment.ts';
import { DEPLOY, destroy } from './life-cycle.ts';
import type { Check } from './row.ts';
import { TEMPLATE_RULES } from './template-rules.ts';
import {
  answerOf,
  findOrigin,
  findResources,
  outcomeOf,
  stackStatus,
  type World,
  writeText,
} from './world.ts';

const STAGE = 'dev';

/** Items of these never change by themselves; those of the log are only ever added. */
const KEPT_TABLES: readonly TableName[] = ['config', 'keys', 'logs', 'usage'];

export async function runUpgrade(world: World): Promise<void> {
  const { cdk, run } = world;
  const today = await prepareStage(world.folder, 'upgrade', STAGE, {});
  const kept = keptAssembly(today);
  const failing = nextRelease(today, 'failing', 'NeuronApi', addFailingResource);
  const deploy = async ({ folder }: Assembly) => outcomeOf(await cdk('deploy', '--app', folder, ...DEPLOY));
  const release = keptRelease();
  await run([
    {
      name: `upgrade: cdk deploy of the templates of ${release}`,
      expected: 'done',
      observe: () => deploy(kept),
    },
  ]);
  const data = await makeData(world);
  await run([
    ...data.survives(`in ${release}`),
    {
      name: 'upgrade: cdk deploy of today that fails',
      expected: /^exit code 1: /,
      observe: () => deploy(failing),
    },
    {
      name: 'upgrade: CloudFormation rolled back',
      expected: 'UPDATE_ROLLBACK_COMPLETE',
      observe: () => stackStatus(world, `NeuronApi-${STAGE}`),
    },
    ...data.survives('after the rollback'),
    { name: 'upgrade: cdk deploy of today', expected: 'done', observe: () => deploy(today) },
    ...data.survives('after the upgrade'),
    {
      name: `upgrade: the way back, cdk deploy of ${release}`,
      expected: 'done',
      observe: () => deploy(kept),
    },
    ...data.survives('after the way back'),
    { name: 'upgrade: cdk deploy of today again', expected: 'done', observe: () => deploy(today) },
    ...data.survives('after the second upgrade'),
  ]);
  await destroy(world, today);
  await run([
    { name: 'upgrade: nothing is left of the data', expected: 'no table', observe: () => tablesLeft(world) },
  ]);
}

/** The kept templates with today's code, in BUFFERED transfer. */
function keptAssembly(today: Assembly): Assembly {
  const kept = nextRelease(today, 'kept', 'NeuronData', (template) =>
    replace(template, keptTemplate('data', STAGE) as unknown as Template),
  );
  editTemplate(kept, 'NeuronApi', (template) => {
    const before = structuredClone(template.Resources);
    replace(template, keptTemplate('api', STAGE) as unknown as Template);
    for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
      if (Type === 'AWS::Lambda::Function') Properties['Code'] = before[id]?.Properties['Code'];
      if (Type === 'AWS::Lambda::Function' && before[id] === undefined)
        throw new Error(`${id} has no code of today`);
      if (Type === 'AWS::ApiGateway::Method') buffer(Properties);
    }
    const { Properties } = Object.entries(template.Resources).find(([id]) =>
      /^ExecutorServiceFunction/.test(id),
    )![1];
    Properties['Timeout'] = 30;
    (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables['TRANSFER_MODE'] =
      'BUFFERED';
    template.Outputs!['TransferMode'] = { Value: 'BUFFERED' };
    for (const rule of TEMPLATE_RULES) rule.apply(template);
  });
  return kept;
}

function replace(template: Template, { Resources, Outputs }: Template): void {
  Object.assign(template, { Resources, Outputs });
}

/** A method as it is in BUFFERED transfer, where the emulator knows its address. */
function buffer(properties: Record<string, unknown>): void {
  const integration = properties['Integration'] as Record<string, unknown>;
  if (integration['ResponseTransferMode'] !== 'STREAM') return;
  const Uri = JSON.stringify(integration['Uri'])
    .replace('2021-11-15', '2015-03-31')
    .replace('response-streaming-invocations', 'invocations');
  Object.assign(integration, {
    ResponseTransferMode: 'BUFFERED',
    TimeoutInMillis: 29_000,
    Uri: JSON.parse(Uri),
  });
}

type Item = Readonly<Record<string, unknown>>;

/** Items of a table by their keys. */
async function itemsOf(world: World, table: TableName): Promise<ReadonlyMap<string, string>> {
  const logicalId = new RegExp(`^${table}Table$`, 'i');
  const [TableName] = await findResources(
    world,
    `NeuronData-${STAGE}`,
    'AWS::DynamoDB::GlobalTable',
    logicalId,
  );
  const { Items } = (await world.emulator.aws('dynamodb', 'scan', { TableName })) as {
    readonly Items: readonly Item[];
  };
  return new Map(Items.map((item) => [JSON.stringify([item['pk'], item['sk']]), JSON.stringify(item)]));
}

interface Data {
  /** Checks that everything made before is there, and that calls go on. */
  survives(when: string): readonly Check[];
}

/** Settings, a key, a call with it, a cached answer, log entries and usage. */
async function makeData(world: World): Promise<Data> {
  const neuron = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await world.neuron(words);
    if (exitCode !== 0) throw new Error(`neuron ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  await neuron('apply', writeText(world, 'upgrade.yaml', SETTINGS));
  const made = await neuron('keys', 'create', ORGANIZATION, '--name', 'upgraded', '--json');
  const { key } = JSON.parse(made) as { readonly key: string };
  const origin = () => findOrigin(world, STAGE);
  await answerOf(await origin(), 'cached');
  await answerOf(await origin(), 'private', key);
  await untilCounted(neuron);
  const before = new Map<TableName, ReadonlyMap<string, string>>();
  for (const table of KEPT_TABLES) before.set(table, await itemsOf(world, table));
  const ids = () => findResources(world, `NeuronData-${STAGE}`, 'AWS::DynamoDB::GlobalTable');
  const tables = (await ids()).toSorted().join();
  return {
    survives: (when) => [
      {
        name: `upgrade: the tables and their items ${when}`,
        expected: /^the same 6 tables, \d\d+ items/,
        async observe() {
          if ((await ids()).toSorted().join() !== tables) return 'other tables';
          let count = 0;
          for (const [table, items] of before) {
            const now = await itemsOf(world, table);
            // Usage goes on being counted in its items.
            const lost = [...items].find(([id, item]) =>
              table === 'usage' ? !now.has(id) : now.get(id) !== item,
            );
            if (lost !== undefined) return `${table} has lost ${lost[0]}`;
            count += items.size;
          }
          return `the same 6 tables, ${count} items`;
        },
      },
      {
        name: `upgrade: a key, a cached answer and the log ${when}`,
        expected: '200, cache off; 200, cache hit; intact',
        async observe() {
          const calls = [
            await answerOf(await origin(), 'private', key),
            await answerOf(await origin(), 'cached'),
          ];
          const verified = await neuron('logs', 'verify', ORGANIZATION, '--since', '1h');
          return [...calls, /\bintact\b/.exec(verified)?.[0] ?? verified].join('; ');
        },
      },
    ],
  };
}

/** The rollup counts and seals entries in the background. */
async function untilCounted(neuron: (...words: string[]) => Promise<string>): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (!/^No usage/m.test(await neuron('usage', ORGANIZATION))) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error('the calls were not counted within a minute');
}
