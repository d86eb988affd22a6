// The rights of the function that stops rollouts, by requests of their own: it changes the rollout of a neuron, and nothing else.
import { WATCHED_ATTRIBUTES } from '../../core/contract/tables.ts';
import { ORGANIZATION } from '../smoke/settings.ts';
import { ACCOUNT, type Credentials } from './emulator.ts';
import type { Check } from './row.ts';
import { assumeRole, findResources, readOutputs, type World } from './world.ts';

const KEY = { pk: { S: `ORG#${ORGANIZATION}` }, sk: { S: 'NEURON#open' } };
const NEVER = '#write = :never';

/** What the function itself asks for, and what it would need to change anything else. A condition that never holds keeps the neuron as it is. */
const UPDATES: readonly (readonly [name: string, isAllowed: boolean, parameters: object])[] = [
  ['of rollout and write', true, update('SET rollout = :any, #write = :any')],
  ['of rollout alone', true, update('SET rollout = :any')],
  ['that takes the rollout away', true, update('REMOVE rollout')],
  ['of deployment', false, update('SET deployment = :any')],
  ['of deployment.version', false, update('SET deployment.version = :any')],
  ['of document', false, update('SET document = :any')],
  ['of deployment by another name', false, update('SET #other = :any', { '#other': 'deployment' })],
  ['of rollout and deployment', false, update('SET rollout = :any, deployment = :any')],
  ['that takes the deployment away', false, update('REMOVE deployment')],
  ['of rollout from document', false, update('SET rollout = document')],
  [
    'of rollout on condition of document',
    false,
    { ...update('SET rollout = :any'), ConditionExpression: `${NEVER} AND attribute_exists(document)` },
  ],
  [
    'of rollout that gives back the neuron',
    false,
    { ...update('SET rollout = :any'), ReturnValues: 'ALL_OLD' },
  ],
  [
    'of deployment in the old form',
    false,
    { Key: KEY, AttributeUpdates: { deployment: { Action: 'DELETE' } } },
  ],
  [
    'of rollout of the service',
    false,
    { ...update('SET rollout = :any'), Key: { pk: { S: 'SERVICE' }, sk: { S: 'MAINTENANCE' } } },
  ],
];

function update(expression: string, names: Readonly<Record<string, string>> = {}): object {
  const values = { ':never': { N: '-1' }, ...(expression.includes(':any') ? { ':any': { S: 'x' } } : {}) };
  return {
    Key: KEY,
    UpdateExpression: expression,
    ConditionExpression: NEVER,
    ExpressionAttributeNames: { '#write': 'write', ...names },
    ExpressionAttributeValues: values,
  };
}

/** A role of its own with the function's policy, which can be assumed; removed by `removeStopper`. */
export async function assumeStopper(world: World, stack: string): Promise<Credentials> {
  const { aws } = world.emulator;
  const [name = ''] = await findResources(world, stack, 'AWS::IAM::Role', /RolloutWatch/);
  const { PolicyNames } = (await aws('iam', 'list_role_policies', { RoleName: name })) as {
    readonly PolicyNames: readonly string[];
  };
  const trust = { Effect: 'Allow', Principal: { AWS: ACCOUNT }, Action: 'sts:AssumeRole' };
  const { Role } = (await aws('iam', 'create_role', {
    RoleName: STOPPER,
    AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [trust] }),
  })) as { readonly Role: { readonly Arn: string } };
  for (const PolicyName of PolicyNames) {
    const { PolicyDocument } = await aws('iam', 'get_role_policy', { RoleName: name, PolicyName });
    await aws('iam', 'put_role_policy', {
      ...{ RoleName: STOPPER, PolicyName, PolicyDocument: JSON.stringify(PolicyDocument) },
    });
  }
  return assumeRole(world, Role.Arn);
}

const STOPPER = 'stopper';

export async function removeStopper({ emulator }: World): Promise<void> {
  const { PolicyNames } = (await emulator.aws('iam', 'list_role_policies', { RoleName: STOPPER })) as {
    readonly PolicyNames: readonly string[];
  };
  for (const PolicyName of PolicyNames)
    await emulator.aws('iam', 'delete_role_policy', { RoleName: STOPPER, PolicyName });
  await emulator.aws('iam', 'delete_role', { RoleName: STOPPER });
}

/** `ORGANIZATION/open` must be applied. */
export function stopChecks(world: World, stack: string, stopper: Credentials): readonly Check[] {
  const ask = async (table: string, operation: string, parameters: object) => {
    const { [table]: TableName } = await readOutputs(world, stack);
    try {
      await world.emulator.aws('dynamodb', operation, { TableName, ...parameters }, stopper);
      return 'allowed';
    } catch (error) {
      return /AccessDenied\w*|ConditionalCheckFailed\w*/.exec(String(error))?.[0] ?? String(error);
    }
  };
  const check = (name: string, expected: string, table: string, operation: string, parameters: object) => ({
    name: `stopper: ${operation} ${name}`,
    expected,
    observe: () => ask(table, operation, parameters),
  });
  const denied = 'AccessDeniedException';
  const config = 'ConfigTable';
  const item = { ...KEY, rollout: { S: 'x' } };
  return [
    ...UPDATES.map(([name, isAllowed, parameters]) =>
      check(name, isAllowed ? 'ConditionalCheckFailedException' : denied, config, 'update_item', parameters),
    ),
    check('of a neuron with its rollout alone', denied, config, 'put_item', { Item: item }),
    check('of a neuron', denied, config, 'delete_item', { Key: KEY }),
    check('of a neuron', denied, config, 'get_item', { Key: KEY }),
    check('of all', denied, config, 'scan', {}),
    ...reads().map(([name, expected, parameters]) => check(name, expected, config, 'query', parameters)),
    check('of slots', 'allowed', 'UsageTable', 'query', queryOf('ROLLOUTS')),
    check('of usage', denied, 'UsageTable', 'query', queryOf('ORG#id')),
    check('of slots', denied, 'UsageTable', 'put_item', { Item: { pk: { S: 'ROLLOUTS' }, sk: { S: 'x' } } }),
    check('of a call', denied, 'LogsTable', 'put_item', { Item: { pk: { S: 'n1#2026' }, sk: { S: 'x' } } }),
    check('of a change', denied, 'LogsTable', 'delete_item', {
      Key: { pk: { S: 'CHANGES#x' }, sk: { S: 'x' } },
    }),
    check('of keys', denied, 'KeysTable', 'scan', {}),
  ];
}

function queryOf(partition: string): object {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: partition } } };
}

/** Reads of a neuron: what the function asks for, and what it must not see. */
function reads(): readonly (readonly [name: string, expected: string, parameters: object])[] {
  const names = Object.fromEntries(WATCHED_ATTRIBUTES.map((name, at) => [`#${at}`, name]));
  const one = {
    KeyConditionExpression: 'pk = :pk AND sk = :sk',
    ExpressionAttributeValues: { ':pk': KEY.pk, ':sk': KEY.sk },
    Select: 'SPECIFIC_ATTRIBUTES',
  };
  const { Select: _all, ...whole } = one;
  return [
    [
      'of what it watches',
      'allowed',
      { ...one, ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names },
    ],
    ['of everything', 'AccessDeniedException', whole],
    ['of the settings', 'AccessDeniedException', { ...one, ProjectionExpression: 'document' }],
    [
      'of the service',
      'AccessDeniedException',
      {
        ...one,
        ProjectionExpression: 'rollout',
        ExpressionAttributeValues: { ':pk': { S: 'SERVICE' }, ':sk': { S: 'MAINTENANCE' } },
      },
    ],
  ];
}
