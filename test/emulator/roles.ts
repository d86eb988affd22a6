// The roles of people: every command of theirs works, and every other one is refused, in their own organization and in another.
import { join } from 'node:path';
import { POLICY_OUTPUTS } from '../../core/contract/outputs.ts';
import { CALLS_PER_HOUR, ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { type Assembly, prepareStage } from './deployment.ts';
import { ACCOUNT, type Credentials } from './emulator.ts';
import { deploy } from './life-cycle.ts';
import { personChecks } from './persons.ts';
import {
  BEGUN,
  COMMANDS_BESIDE,
  ENDED,
  FOREIGN,
  FOREIGN_COMMANDS,
  OWN_COMMANDS,
  PREPARATIONS,
  REFUSED,
  ROLES,
  ROLES_BESIDE,
  type RoleCommand,
  type RoleName,
} from './role-commands.ts';
import type { Check } from './row.ts';
import { callWithText, textChecks } from './texts.ts';
import { assumeRole, readOutputs, type World, writeText } from './world.ts';

export const ROLES_STACK = 'NeuronApi-dev';

/** Name of the author's group in the stage. */
const GROUP = 'smoke';

/** Outputs of the stage with the policies of each role. */
const POLICIES: Readonly<Record<RoleName, readonly string[]>> = {
  operator: [POLICY_OUTPUTS.operator],
  auditor: [POLICY_OUTPUTS.auditor],
  viewer: [POLICY_OUTPUTS.viewer],
  author: [`${POLICY_OUTPUTS.author}Smoke`],
  keys: [POLICY_OUTPUTS.keys],
  restorer: [POLICY_OUTPUTS.operator, POLICY_OUTPUTS.restore],
  exporter: [POLICY_OUTPUTS.auditor, POLICY_OUTPUTS.export],
  eraser: [POLICY_OUTPUTS.operator, POLICY_OUTPUTS.erase],
};

/** Deploys `dev` with a policy of authors of one organization; commands take the policies that are its outputs. */
export async function deployWithPolicies(world: World): Promise<Assembly> {
  const assembly = await prepareStage(world.folder, 'policies', 'dev', {
    ...{ settingsTtl: '1s', secretsTtl: '5s' },
    managedPolicies: { authors: { [GROUP]: [ORGANIZATION] } },
  });
  await deploy(world, assembly);
  return assembly;
}

/** Credentials of a role for each kind of people, made outside of the stack with the policies that the stack names. */
export async function assumeRoles(world: World): Promise<Record<RoleName, Credentials>> {
  const outputs = await readOutputs(world, ROLES_STACK);
  const credentials = {} as Record<RoleName, Credentials>;
  for (const role of [...ROLES, ...ROLES_BESIDE])
    credentials[role] = await assumeRole(
      world,
      await createRole(
        world,
        role,
        POLICIES[role].map((name) => outputs[name] ?? `no output ${name}`),
      ),
    );
  return credentials;
}

async function createRole({ emulator }: World, name: string, policies: readonly string[]): Promise<string> {
  const RoleName = `people-${name}`;
  const trust = { Effect: 'Allow', Principal: { AWS: ACCOUNT }, Action: 'sts:AssumeRole' };
  const { Role } = (await emulator.aws('iam', 'create_role', {
    RoleName,
    AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [trust] }),
  })) as { readonly Role: { readonly Arn: string } };
  for (const PolicyArn of policies) await emulator.aws('iam', 'attach_role_policy', { RoleName, PolicyArn });
  return Role.Arn;
}

/** Takes the policies from the roles again and removes the roles: a policy in use cannot be removed with its stack. */
export async function removeRoles(world: World): Promise<void> {
  const { aws } = world.emulator;
  const outputs = await readOutputs(world, ROLES_STACK);
  for (const role of [...ROLES, ...ROLES_BESIDE]) {
    const RoleName = `people-${role}`;
    for (const name of POLICIES[role])
      await aws('iam', 'detach_role_policy', { RoleName, PolicyArn: outputs[name] });
    await aws('iam', 'delete_role', { RoleName });
  }
}

/** Those of the smoke run, with a limit of the organization and the texts of one neuron kept in full. */
const OWN_SETTINGS = SETTINGS.replace(
  `organization: ${ORGANIZATION}`,
  `organization: ${ORGANIZATION}\nusageLimits: [{ metric: requests, limit: 9000000, period: month }]`,
).replace(
  'access: { public: true }\nrateLimits',
  'access: { public: true }\nlogging: { bodies: full }\nrateLimits',
);

const APPLY = 'apply CHANGED';

function mayApply(role: RoleName): boolean {
  return OWN_COMMANDS.some(([words, allowed]) => words === APPLY && allowed.includes(role));
}

/** An organization with one neuron, which names no secret. */
const OTHER_SETTINGS = `organization: ${FOREIGN}
providers: { demo: { type: echo } }
---
neuron: ${FOREIGN}/open
access: { public: true }
rateLimits: [{ metric: requests, scope: total, limit: ${CALLS_PER_HOUR}, period: 1h }]
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;

/** Runs a command as an administrator, and gives the id of the newest change then; nothing for no command. */
async function prepare(world: World, words: string): Promise<string> {
  if (words === '') return '';
  const prepared = await world.neuron([...words.split(' '), '--stack', ROLES_STACK, '--yes']);
  if (prepared.exitCode !== 0) throw new Error(`${words}: ${prepared.stderr}`);
  const list = ['logs', ORGANIZATION, '--changes', '--json', '--stack', ROLES_STACK];
  const { stdout } = await world.neuron(list);
  return /"id":\s*"(chg-[^"]+)"/.exec(stdout)?.[1] ?? 'no change';
}

export function roleChecks(world: World, roles: Awaited<ReturnType<typeof assumeRoles>>): readonly Check[] {
  let changes = 0;
  /** A file with another change each time: what is applied already is no change. */
  const changed = (settings: string) => {
    changes += 1;
    return writeText(
      world,
      `changed-${changes}.yaml`,
      settings.replace(`${CALLS_PER_HOUR}`, `${CALLS_PER_HOUR + changes}`),
    );
  };
  const fill = (words: string, role: string) =>
    words
      .replace('FOREIGN_CHANGED', () => changed(OTHER_SETTINGS))
      // What `--check` shows is applied: it exits with 1 where something would change.
      .replace('CHANGED --check', () => `${lastApplied} --check`)
      .replace('CHANGED', () => changed(OWN_SETTINGS))
      .replace('FLOW', () => draft())
      .replace('EXECUTION', () => executionId)
      .replace('EXPORT', () => join(world.folder, `export-${role}.jsonl`));
  const observe = async (words: string, role: RoleName) => {
    const filled = fill(words, role);
    const prepared = fill(PREPARATIONS[words] ?? '', role);
    const change = await prepare(world, prepared);
    const written = filled.replace(/CHANGE$/, change);
    if (words === APPLY && mayApply(role)) lastApplied = written.slice('apply '.length);
    const { exitCode, stdout, stderr } = await world.neuron(
      [...written.split(' '), '--stack', ROLES_STACK, '--yes'],
      { credentials: roles[role], input: 'text for a secret' },
    );
    if (exitCode !== 0 && prepared.startsWith('apply ')) lastApplied = prepared.slice('apply '.length);
    if (/^\s+at /m.test(stderr)) return `a stack trace: ${stderr}`;
    return `exit code ${exitCode}: ${`${stdout}${stderr}`.trim()}`;
  };
  const draft = () => {
    changes += 1;
    const step = `{ callModel: { provider: demo, model: echo-1, prompt: 'Draft ${changes}: {{input}}' } }`;
    return writeText(world, `draft-${changes}.yaml`, `flow: [${step}]\n`);
  };
  let lastApplied = '';
  let executionId = '';
  const toChecks = (role: RoleName, commands: readonly RoleCommand[]): Check[] =>
    commands.map(([words, allowed]) => ({
      name: `${role}: neuron ${words}${allowed.includes(role) ? '' : ' is refused'}`,
      expected: allowed.includes(role) ? /^exit code 0:/ : REFUSED,
      observe: () => observe(words, role),
    }));
  const next = writeText(world, 'next.yaml', OWN_SETTINGS.replace('model: echo-1', 'model: echo-2'));
  const settings = [OWN_SETTINGS, OTHER_SETTINGS].map((text, index) =>
    writeText(world, `roles-${index}.yaml`, text),
  );
  const deletion = `delete ${ORGANIZATION}`;
  return [
    ...toChecks(
      'operator',
      settings.map((file) => [`apply ${file}`, ['operator']] as const),
    ),
    ...toChecks(
      'operator',
      BEGUN.map((words) => [words.replace('NEXT', next), ['operator']] as const),
    ),
    {
      name: 'a call with a text',
      expected: /^[\w=-]{8,}$/,
      async observe() {
        executionId = await callWithText(world);
        return executionId;
      },
    },
    ...ROLES.flatMap((role) => toChecks(role, [...OWN_COMMANDS, ...FOREIGN_COMMANDS])),
    ...(['auditor', 'viewer', 'keys'] as const).flatMap((role) =>
      toChecks(
        role,
        ENDED.map((words) => [words, []] as const),
      ),
    ),
    ...toChecks(
      'author',
      ENDED.filter((words) => !words.includes('promote')).map((words) => [words, ['author']] as const),
    ),
    ...toChecks('author', [
      [`versions rollout start ${ORGANIZATION}/open v2`, ['author']],
      [`versions shadow start ${ORGANIZATION}/open v2`, ['author']],
      [`versions rollout promote ${ORGANIZATION}/open`, ['author']],
    ]),
    ...ROLES_BESIDE.flatMap((role) => toChecks(role, COMMANDS_BESIDE)),
    ...personChecks(world, { stack: ROLES_STACK, roles }),
    ...textChecks(world, { stack: ROLES_STACK, ...roles }, () => executionId),
    ...toChecks('auditor', [[deletion, []]]),
    ...toChecks('viewer', [[deletion, []]]),
    ...toChecks('author', [[deletion, []]]),
    ...toChecks('keys', [[deletion, []]]),
    ...toChecks('operator', [[`delete ${FOREIGN}`, ['operator']]]),
  ];
}
