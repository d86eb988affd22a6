// Production: a first deployment that fails and the way out, protection against removal, and the runbook that removes it.
import { ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { addFailingResource, tablesLeft } from './changes.ts';
import { type Assembly, nextRelease, prepareStage } from './deployment.ts';
import { DEPLOY } from './life-cycle.ts';
import {
  answerOf,
  findOrigin,
  findResources,
  outcomeOf,
  stackStatus,
  type World,
  writeText,
} from './world.ts';

export async function runProduction(world: World): Promise<void> {
  const { cdk, run, emulator } = world;
  const production = await prepareStage(world.folder, 'prod', 'prod', {
    alarms: { addresses: ['team@example.com'] },
  });
  const failing = nextRelease(production, 'failing', 'NeuronApi', addFailingResource);
  const unprotected = await prepareStage(world.folder, 'unprotected', 'prod', {
    protectData: false,
    pointInTimeRecovery: false,
  });
  const deploy = async ({ folder }: Assembly) => outcomeOf(await cdk('deploy', '--app', folder, ...DEPLOY));
  const destroyAll = async ({ folder }: Assembly) =>
    outcomeOf(await cdk('destroy', '--app', folder, '--all', '--force'));
  const unprotect = async (stacks: readonly string[]) => {
    for (const StackName of stacks)
      await emulator.aws('cloudformation', 'update_termination_protection', {
        StackName,
        EnableTerminationProtection: false,
      });
  };
  const tables = async () =>
    (await findResources(world, 'NeuronData-prod', 'AWS::DynamoDB::GlobalTable')).toSorted().join(', ');
  let tablesBefore = '';
  const status = (stack: string) => () => stackStatus(world, stack).catch(() => 'no stack');
  await run([
    {
      name: 'prod: a first cdk deploy that fails',
      expected: /^exit code 1: /,
      observe: () => deploy(failing),
    },
    { name: 'prod: what that leaves', expected: 'ROLLBACK_COMPLETE', observe: status('NeuronApi-prod') },
    {
      name: 'prod: cdk deploy again: the failed stack is protected against deletion',
      expected: /^exit code 1: [\s\S]*(?:TerminationProtection|termination protection)/i,
      observe: () => deploy(production),
    },
    {
      name: 'prod: the way out, termination protection off and cdk deploy',
      expected: 'done',
      async observe() {
        await unprotect(['NeuronApi-prod']);
        return deploy(production);
      },
    },
    { name: 'prod: its stack', expected: 'CREATE_COMPLETE', observe: status('NeuronApi-prod') },
  ]);
  await run([
    {
      name: 'prod: a call',
      expected: '200, cache off',
      async observe() {
        await world.neuron(['apply', writeText(world, 'prod.yaml', SETTINGS)]);
        return answerOf(await findOrigin(world, 'prod'), 'open');
      },
    },
    {
      name: 'prod: cdk diff --fail',
      expected: 'done',
      observe: async () => outcomeOf(await cdk('diff', '--app', production.folder, '--all', '--fail')),
    },
    {
      name: 'prod: cdk destroy is refused',
      expected: /^exit code 1: [\s\S]*(?:TerminationProtection|termination protection)/i,
      observe: () => destroyAll(production),
    },
    {
      name: 'prod: removal 1, neuron delete',
      expected: 'done',
      observe: async () => outcomeOf(await world.neuron(['delete', ORGANIZATION, '--yes'])),
    },
    {
      name: 'prod: removal 2, deploy without protection',
      expected: 'done',
      async observe() {
        tablesBefore = await tables();
        return deploy(unprotected);
      },
    },
    {
      name: 'prod: removal 2 replaced no table',
      expected: 'the same tables',
      deviation: {
        seen: /^NeuronData-prod-NeuronData-prod-/,
        because:
          'the emulator replaces a table whose point-in-time recovery changes; AWS changes it in place ' +
          '(https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-globaltable-pointintimerecoveryspecification.html)',
      },
      async observe() {
        const after = await tables();
        return after === tablesBefore ? 'the same tables' : after.split(', ').toSorted().at(-1)!;
      },
    },
    {
      name: 'prod: removal 3, termination protection off',
      expected: 'done',
      async observe() {
        await unprotect(['NeuronApi-prod', 'NeuronData-prod']);
        return 'done';
      },
    },
    { name: 'prod: removal 4, cdk destroy', expected: 'done', observe: () => destroyAll(unprotected) },
    { name: 'prod: nothing is left of the data', expected: 'no table', observe: () => tablesLeft(world) },
    { name: 'prod: cdk deploy after the removal', expected: 'done', observe: () => deploy(unprotected) },
    { name: 'prod: cdk destroy', expected: 'done', observe: () => destroyAll(unprotected) },
  ]);
}
