// The roles of people: every command of theirs works, and every other one is refused, in their own organization and in another.
import { join } from 'node:path';
import { runProgram } from '../e2e/support/command.ts';
import { CALLS_PER_HOUR, ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { type Assembly, editTemplate } from './deployment.ts';
import type { Credentials } from './emulator.ts';
import { DEPLOY } from './life-cycle.ts';
import {
  FOREIGN,
  FOREIGN_COMMANDS,
  OWN_COMMANDS,
  ROLES,
  type RoleCommand,
  type RoleName,
} from './role-commands.ts';
import { ROLES_STACK } from './roles-app.ts';
import type { Check } from './row.ts';
import { TEMPLATE_RULES } from './template-rules.ts';
import { outcomeOf, type World, writeText } from './world.ts';

/** Deploys roles-app.ts, and gives its folder. */
export async function deployRolesApp({ cdk, folder, run }: World): Promise<Assembly> {
  const assembly = { stage: 'embedded', folder: join(folder, 'assembly-embedded') };
  await run([
    {
      name: 'an app of somebody else: cdk deploy of the construct with its roles',
      expected: 'done',
      async observe() {
        const program = join(import.meta.dirname, 'roles-app.ts');
        await runProgram(process.execPath, [program, assembly.folder]);
        editTemplate(assembly, ROLES_STACK, (template) => {
          for (const rule of TEMPLATE_RULES) rule.apply(template);
        });
        return outcomeOf(await cdk('deploy', '--app', assembly.folder, ...DEPLOY));
      },
    },
  ]);
  return assembly;
}

/** Credentials of every role, as `aws sts assume-role` gives them. */
export async function assumeRoles({ emulator }: World): Promise<Record<RoleName, Credentials>> {
  const { Stacks } = (await emulator.aws('cloudformation', 'describe_stacks', {
    StackName: ROLES_STACK,
  })) as {
    readonly Stacks: readonly {
      readonly Outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
    }[];
  };
  const assume = async (role: RoleName): Promise<Credentials> => {
    const output = `${role}Role`;
    const { Credentials: options } = (await emulator.aws('sts', 'assume_role', {
      RoleArn: Stacks[0]?.Outputs.find(({ OutputKey }) => OutputKey === output)?.OutputValue,
      RoleSessionName: 'somebody',
    })) as { readonly Credentials: Readonly<Record<string, string>> };
    return {
      AWS_ACCESS_KEY_ID: String(options['AccessKeyId']),
      AWS_SECRET_ACCESS_KEY: String(options['SecretAccessKey']),
      AWS_SESSION_TOKEN: String(options['SessionToken']),
    };
  };
  const [operator, auditor, author, keys] = [
    await assume('operator'),
    await assume('auditor'),
    await assume('author'),
    await assume('keys'),
  ];
  return { operator, auditor, author, keys };
}

/** How the command says that IAM refused, as a person reads it. */
const REFUSED =
  /^exit code [1-9]\d*: [\s\S]*(?:not authorized|access denied|AccessDenied|permission|cannot be read)/i;

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
  const observe = async (words: string, role: RoleName) => {
    const written = words
      .replace('FOREIGN_CHANGED', () => changed(OTHER_SETTINGS))
      // What `--check` shows is applied: it exits with 1 where something would change.
      .replace('CHANGED --check', () => `${lastApplied} --check`)
      .replace('CHANGED', () => changed(SETTINGS));
    if (words === APPLY && mayApply(role)) lastApplied = written.slice('apply '.length);
    const { exitCode, stdout, stderr } = await world.neuron(
      [...written.split(' '), '--stack', ROLES_STACK, '--yes'],
      { credentials: roles[role], input: 'text for a secret' },
    );
    if (/^\s+at /m.test(stderr)) return `a stack trace: ${stderr}`;
    return `exit code ${exitCode}: ${`${stdout}${stderr}`.trim()}`;
  };
  let lastApplied = '';
  const toChecks = (role: RoleName, commands: readonly RoleCommand[]): Check[] =>
    commands.map(([words, allowed]) => ({
      name: `${role}: neuron ${words}${allowed.includes(role) ? '' : ' is refused'}`,
      expected: allowed.includes(role) ? /^exit code 0:/ : REFUSED,
      observe: () => observe(words, role),
    }));
  const settings = [SETTINGS, OTHER_SETTINGS].map((text, index) =>
    writeText(world, `roles-${index}.yaml`, text),
  );
  const deletion = `delete ${ORGANIZATION}`;
  return [
    ...toChecks(
      'operator',
      settings.map((file) => [`apply ${file}`, ['operator']] as const),
    ),
    ...ROLES.flatMap((role) => toChecks(role, [...OWN_COMMANDS, ...FOREIGN_COMMANDS])),
    ...toChecks('auditor', [[deletion, []]]),
    ...toChecks('author', [[deletion, []]]),
    ...toChecks('keys', [[deletion, []]]),
    ...toChecks('operator', [[`delete ${FOREIGN}`, ['operator']]]),
  ];
}
