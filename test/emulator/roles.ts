// The roles of `grantOperate` and `grantAudit`: every command of theirs works, and an auditor changes nothing.
import { join } from 'node:path';
import { runProgram } from '../e2e/support/command.ts';
import { CALLS_PER_HOUR, ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { type Assembly, editTemplate } from './deployment.ts';
import type { Credentials } from './emulator.ts';
import { DEPLOY } from './life-cycle.ts';
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

/** Credentials of both roles, as `aws sts assume-role` gives them. */
export async function assumeRoles({ emulator }: World): Promise<Record<'operator' | 'auditor', Credentials>> {
  const { Stacks } = (await emulator.aws('cloudformation', 'describe_stacks', {
    StackName: ROLES_STACK,
  })) as {
    readonly Stacks: readonly {
      readonly Outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
    }[];
  };
  const assume = async (output: string): Promise<Credentials> => {
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
  return { operator: await assume('OperatorRole'), auditor: await assume('AuditorRole') };
}

/** How the command says that IAM refused, as a person reads it. */
const REFUSED =
  /^exit code [1-9]\d*: [\s\S]*(?:not authorized|access denied|AccessDenied|permission|cannot be read)/i;

const RESTORE = 'logs restore';

/** Commands, and whether an auditor may run them: reading settings by their name is among an auditor's rights, listing them is not. */
function commands(changed: string): readonly (readonly [words: string, auditor: boolean])[] {
  return [
    [`apply ${changed}`, false],
    ['list', false],
    [`show ${ORGANIZATION}/open`, true],
    [`keys create ${ORGANIZATION} --name one`, false],
    [`keys list ${ORGANIZATION}`, false],
    [`secrets set ${ORGANIZATION} signing --for jwt`, false],
    [`secrets set ${ORGANIZATION} provider-key --for providers`, false],
    [`secrets list ${ORGANIZATION}`, false],
    [`versions list ${ORGANIZATION}/open`, true],
    [`limits ${ORGANIZATION}/open`, false],
    [`explain ${ORGANIZATION}/open`, true],
    [`logs ${ORGANIZATION}`, true],
    [`logs ${ORGANIZATION} --changes`, true],
    [`usage ${ORGANIZATION}`, true],
    [`cache clear ${ORGANIZATION}/open`, false],
    [RESTORE, false],
    ['doctor', false],
    [`delete ${ORGANIZATION}`, false],
  ];
}

export function roleChecks(world: World, roles: Awaited<ReturnType<typeof assumeRoles>>): readonly Check[] {
  const settings = writeText(world, 'roles.yaml', SETTINGS);
  const changed = writeText(
    world,
    'changed.yaml',
    SETTINGS.replace(`${CALLS_PER_HOUR}`, `${CALLS_PER_HOUR + 1}`),
  );
  const observe = async (words: string, credentials: Credentials) => {
    const { exitCode, stdout, stderr } = await world.neuron(
      [...words.split(' '), '--stack', ROLES_STACK, '--yes'],
      { credentials, input: 'text for a secret' },
    );
    if (/^\s+at /m.test(stderr)) return `a stack trace: ${stderr}`;
    return `exit code ${exitCode}: ${`${stdout}${stderr}`.trim()}`;
  };
  const named = (words: string) => words.replace(/\/\S+\.yaml/, 'FILE');
  return [
    ...commands(settings)
      .slice(0, -1)
      .map(([words]) => ({
        name: `operator: neuron ${named(words)}${words === RESTORE ? ' is refused' : ''}`,
        // Who may write calls could write false ones: `grantRestore` is a right of its own.
        expected: words === RESTORE ? REFUSED : /^exit code 0:/,
        observe: () => observe(words, roles.operator),
      })),
    ...commands(changed).map(([words, allowed]) => ({
      name: `auditor: neuron ${named(words)}${allowed ? '' : ' is refused'}`,
      expected: allowed ? /^exit code 0:/ : REFUSED,
      observe: () => observe(words, roles.auditor),
    })),
  ];
}
