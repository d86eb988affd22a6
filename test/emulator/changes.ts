// Releases after the first: nothing to change, a change in place, a change that fails, removal and a deployment after it.
import { type Assembly, nextRelease, type Template } from './deployment.ts';
import { DEPLOY } from './life-cycle.ts';
import { answerOf, findOrigin, findResources, outcomeOf, stackStatus, type World } from './world.ts';

/** Fails on AWS and here alike: nobody signals its handle within a second. */
export function addFailingResource({ Resources }: Template): void {
  Resources['NeverSignalledHandle'] = { Type: 'AWS::CloudFormation::WaitConditionHandle', Properties: {} };
  Resources['NeverSignalled'] = {
    Type: 'AWS::CloudFormation::WaitCondition',
    Properties: { Handle: { Ref: 'NeverSignalledHandle' }, Timeout: '1', Count: 1 },
    // Last, so that everything else was changed by then.
    DependsOn: Object.keys(Resources).filter((id) => !id.startsWith('NeverSignalled')),
  };
}

/** Gives every function so much memory. */
export function setMemory(template: Template, megabytes: number): void {
  for (const { Type, Properties } of Object.values(template.Resources))
    if (Type === 'AWS::Lambda::Function') Properties['MemorySize'] = megabytes;
}

/** The stage is deployed and has the settings of the smoke run; it is removed at the end. */
export async function changeAndRemove(world: World, assembly: Assembly): Promise<void> {
  const { cdk, run } = world;
  const stack = `NeuronApi-${assembly.stage}`;
  const deploy = ({ folder }: Assembly) => cdk('deploy', '--app', folder, ...DEPLOY);
  const bigger = nextRelease(assembly, 'bigger', 'NeuronApi', (template) => setMemory(template, 1536));
  const failing = nextRelease(bigger, 'failing', 'NeuronApi', (template) => {
    setMemory(template, 2048);
    addFailingResource(template);
  });
  const origin = await findOrigin(world, assembly.stage);
  const called = () => answerOf(origin, 'open');
  const memory = () => executorMemory(world, stack);
  const before = await idsOfLastingResources(world, assembly.stage);
  await run([
    {
      name: 'second cdk deploy: nothing to change',
      expected: 'done, 2 stacks without changes',
      async observe() {
        const printed = await deploy(assembly);
        const same = `${printed.stdout}${printed.stderr}`.match(/\(no changes\)/g)?.length ?? 0;
        return `${outcomeOf(printed)}, ${same} stacks without changes`;
      },
    },
    {
      name: 'cdk diff --fail after it: empty',
      expected: 'done',
      observe: async () => outcomeOf(await cdk('diff', '--app', assembly.folder, '--all', '--fail')),
    },
    {
      name: 'cdk deploy of more memory',
      expected: 'done',
      observe: async () => outcomeOf(await deploy(bigger)),
    },
    { name: 'the function has more memory', expected: '1536 MB', observe: memory },
    {
      name: 'API, tables and log groups are the same ones',
      expected: before,
      observe: () => idsOfLastingResources(world, assembly.stage),
    },
    { name: 'a call after the change', expected: '200, cache off', observe: called },
    {
      name: 'cdk deploy of a change that fails',
      expected: /^exit code 1: /,
      observe: async () => outcomeOf(await deploy(failing)),
    },
    {
      name: 'CloudFormation rolled back',
      expected: 'UPDATE_ROLLBACK_COMPLETE',
      observe: () => stackStatus(world, stack),
    },
    { name: 'the function has the memory from before', expected: '1536 MB', observe: memory },
    { name: 'a call after the rollback', expected: '200, cache off', observe: called },
    {
      name: 'cdk deploy of the release from before',
      expected: 'done',
      observe: async () => outcomeOf(await deploy(assembly)),
    },
    {
      name: 'cdk destroy',
      expected: 'done',
      observe: async () => outcomeOf(await cdk('destroy', '--app', assembly.folder, '--all', '--force')),
    },
    { name: 'nothing is left of the data', expected: 'no table', observe: () => tablesLeft(world) },
    {
      name: 'cdk deploy after the removal',
      expected: 'done',
      observe: async () => outcomeOf(await deploy(assembly)),
    },
    {
      name: 'cdk destroy again',
      expected: 'done',
      observe: async () => outcomeOf(await cdk('destroy', '--app', assembly.folder, '--all', '--force')),
    },
  ]);
}

/** Names of tables, for what a removal left. */
export async function tablesLeft({ emulator }: World): Promise<string> {
  const { TableNames } = (await emulator.aws('dynamodb', 'list_tables')) as {
    readonly TableNames: readonly string[];
  };
  return TableNames.length === 0 ? 'no table' : TableNames.toSorted().join(', ');
}

async function executorMemory(world: World, stack: string): Promise<string> {
  const [FunctionName] = await findResources(world, stack, 'AWS::Lambda::Function', /^Executor/);
  const { MemorySize } = await world.emulator.aws('lambda', 'get_function_configuration', { FunctionName });
  return `${String(MemorySize)} MB`;
}

async function idsOfLastingResources(world: World, stage: string): Promise<string> {
  const ids = await Promise.all([
    findResources(world, `NeuronApi-${stage}`, 'AWS::ApiGateway::RestApi'),
    findResources(world, `NeuronApi-${stage}`, 'AWS::Logs::LogGroup'),
    findResources(world, `NeuronData-${stage}`, 'AWS::DynamoDB::GlobalTable'),
  ]);
  return ids.flat().toSorted().join(', ');
}
