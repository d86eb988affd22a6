// A deployment whose role has a permissions boundary of exactly docs/deploy-actions.json: deployed, changed, rolled back and removed; and with one
// action less it is refused by that action's name.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyDocument } from '../../bin/deploy-actions/policy.ts';
import { ROOT } from '../e2e/support/command.ts';
import { addFailingResource, setMemory } from './changes.ts';
import { type Assembly, nextRelease, prepareStage } from './deployment.ts';
import { ACCOUNT, CALLS_FILE, REGION } from './emulator.ts';
import { DEPLOY } from './life-cycle.ts';
import type { Check } from './row.ts';
import { outcomeOf, stackStatus, type World } from './world.ts';

/** The role of CloudFormation, as `cdk bootstrap` names it. */
const RoleName = `cdk-hnb659fds-cfn-exec-role-${ACCOUNT}-${REGION}`;

const STACK = 'NeuronApi-prod';

/** Each is asked for by another service or property; a deployment ends at the first one that is missing. */
const TAKEN_AWAY = [
  'dynamodb:UpdateContinuousBackups',
  'iam:PassRole',
  'lambda:PutFunctionConcurrency',
  'logs:PutRetentionPolicy',
  'iam:CreatePolicy',
  'cloudwatch:PutMetricAlarm',
  'apigateway:POST',
];

export async function runBoundary(world: World): Promise<void> {
  const policy = JSON.parse(readFileSync(join(ROOT, 'docs/deploy-actions.json'), 'utf8')) as PolicyDocument;
  // Production's own settings make most types; its protection would keep the tables.
  const assembly = await prepareStage(world.folder, 'boundary', 'prod', {
    protectData: false,
    alarms: { addresses: ['team@example.com'] },
    tags: { costCenter: '4711' },
  });
  await setBoundary(world, 'all', policy);
  await world.run(wholeChecks(world, assembly));
  for (const action of TAKEN_AWAY) await world.run(lessChecks(world, assembly, policy, action));
}

async function setBoundary({ emulator }: World, name: string, policy: PolicyDocument): Promise<void> {
  const { Policy } = (await emulator.aws('iam', 'create_policy', {
    PolicyName: `deploy-${name}`,
    PolicyDocument: JSON.stringify(policy),
  })) as { readonly Policy: { readonly Arn: string } };
  await emulator.aws('iam', 'put_role_permissions_boundary', { RoleName, PermissionsBoundary: Policy.Arn });
}

/** The actions that a deployment was asked for so far, each with how often. */
function countCalls({ folder }: World): ReadonlyMap<string, number> {
  const file = join(folder, CALLS_FILE);
  const counts = new Map<string, number>();
  if (!existsSync(file)) return counts;
  for (const action of readFileSync(file, 'utf8').trim().split('\n'))
    counts.set(action, (counts.get(action) ?? 0) + 1);
  return counts;
}

function wholeChecks(world: World, assembly: Assembly): readonly Check[] {
  const { cdk } = world;
  const failing = nextRelease(assembly, 'failing', 'NeuronApi', (template) => {
    setMemory(template, 1536);
    addFailingResource(template);
  });
  const bigger = nextRelease(assembly, 'bigger', 'NeuronApi', (template) => setMemory(template, 1536));
  const deploy = async ({ folder }: Assembly) => outcomeOf(await cdk('deploy', '--app', folder, ...DEPLOY));
  return [
    {
      name: 'boundary: cdk deploy of prod under exactly docs/deploy-actions.json',
      expected: 'done',
      observe: () => deploy(assembly),
    },
    {
      // Where IAM was asked for nothing, the steps around this one would show nothing.
      name: 'boundary: IAM was asked for each of the services',
      expected: /^[4-9]\d actions of apigateway, cloudwatch, dynamodb, events, iam, lambda, logs, s3, sns$/,
      async observe() {
        const actions = [...countCalls(world).keys()];
        const services = new Set(actions.map((action) => action.split(':')[0]));
        return `${actions.length} actions of ${[...services].toSorted().join(', ')}`;
      },
    },
    { name: 'boundary: cdk deploy of more memory', expected: 'done', observe: () => deploy(bigger) },
    {
      name: 'boundary: cdk deploy of a change that fails',
      expected: /^exit code 1: /,
      observe: () => deploy(failing),
    },
    {
      name: 'boundary: CloudFormation rolled back',
      expected: 'UPDATE_ROLLBACK_COMPLETE',
      observe: () => stackStatus(world, STACK),
    },
    {
      name: 'boundary: cdk destroy',
      expected: 'done',
      observe: async () => outcomeOf(await cdk('destroy', '--app', assembly.folder, '--all', '--force')),
    },
  ];
}

function lessChecks(
  world: World,
  assembly: Assembly,
  policy: PolicyDocument,
  action: string,
): readonly Check[] {
  const less: PolicyDocument = {
    ...policy,
    Statement: policy.Statement.map((statement) => ({
      ...statement,
      Action: statement.Action.filter((name) => name !== action),
    })).filter(({ Action }) => Action.length > 0),
  };
  return [
    {
      name: `boundary: cdk deploy without ${action} is refused by its name`,
      expected: new RegExp(`^exit code 1: [\\s\\S]*not authorized to perform: ${action}`),
      async observe() {
        await setBoundary(world, action.replace(':', '-'), less);
        return outcomeOf(await world.cdk('deploy', '--app', assembly.folder, ...DEPLOY), 40);
      },
    },
    {
      name: `boundary: removal of what that left`,
      expected: 'done',
      async observe() {
        await world.emulator.aws('iam', 'delete_role_permissions_boundary', { RoleName });
        return outcomeOf(await world.cdk('destroy', '--app', assembly.folder, '--all', '--force'));
      },
    },
  ];
}
