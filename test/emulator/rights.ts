// Each right of a function, taken away alone: what callers and operators then get must be what the pages say.
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { runProgram } from '../e2e/support/command.ts';
import { ORGANIZATION, SETTINGS } from '../smoke/settings.ts';
import { editTemplate } from './deployment.ts';
import { EMBEDDED_STACK } from './embedded-app.ts';
import type { Credentials } from './emulator.ts';
import { DEPLOY, destroy } from './life-cycle.ts';
import type { Check } from './row.ts';
import { assumeStopper, removeStopper, stopChecks } from './stop-rights.ts';
import { TEMPLATE_RULES } from './template-rules.ts';
import {
  answerOf,
  assumeRole,
  findOrigin,
  findResources,
  outcomeOf,
  readOutputs,
  type World,
  writeText,
} from './world.ts';

type Neuron = 'open' | 'cached' | 'private' | 'signed' | 'keyed';

/** Deploys embedded-app.ts, takes the rights of its functions away one after the other, and removes it. */
export async function runRights(world: World): Promise<void> {
  const assembly = { stage: 'embedded', folder: join(world.folder, 'assembly-embedded') };
  await world.run([
    {
      name: 'an app of somebody else: cdk deploy of the construct with a role of operators',
      expected: 'done',
      async observe() {
        await runProgram(process.execPath, [join(import.meta.dirname, 'embedded-app.ts'), assembly.folder]);
        editTemplate(assembly, EMBEDDED_STACK, (template) => {
          for (const rule of TEMPLATE_RULES) rule.apply(template);
        });
        return outcomeOf(await world.cdk('deploy', '--app', assembly.folder, ...DEPLOY));
      },
    },
  ]);
  const { OperatorRole } = await readOutputs(world, EMBEDDED_STACK);
  const operator = await assumeRole(world, OperatorRole);
  const origin = await findOrigin(world, assembly.stage);
  await world.run(await rightChecks(world, { stack: EMBEDDED_STACK, origin }, operator));
  await world.run(stopChecks(world, EMBEDDED_STACK, await assumeStopper(world, EMBEDDED_STACK)));
  await removeStopper(world);
  await destroy(world, assembly);
}

/** A statement of a function's policy, by its Sid; what a call gets with all rights, what it gets while that one is gone, and where that is documented. */
const LOSSES: readonly (readonly [
  of: 'Authorizer' | 'Executor',
  sid: string,
  neuron: Neuron,
  usual: string | RegExp,
  without: string,
  page: string,
])[] = [
  ['Authorizer', 'ReadSettings', 'open', '200, cache off', '503 dependency_unavailable', 'security.md'],
  ['Authorizer', 'ReadKeys', 'private', '200, cache off', '503 dependency_unavailable', 'security.md'],
  ['Authorizer', 'ReadSecrets', 'signed', '200, cache off', '503 dependency_unavailable', 'security.md'],
  ['Authorizer', 'AppendRefusals', 'private', '401 unauthorized', '401 unauthorized', 'security.md'],
  ['Executor', 'ReadSettings', 'open', '200, cache off', '503 dependency_unavailable', 'security.md'],
  ['Executor', 'Count', 'open', '200, cache off', '503 dependency_unavailable', 'limits.md'],
  ['Executor', 'Cache', 'cached', '200, cache hit', '200, cache miss', 'caching.md'],
  ['Executor', 'AppendLog', 'open', '200, cache off', '200, cache off', 'logs.md'],
  ['Executor', 'ReadSecrets', 'keyed', /^50\d upstream_/, '503 dependency_unavailable', 'providers.md'],
];

/** The stack must be deployed with short TTLs. Ends with every right given back. */
async function rightChecks(
  world: World,
  { stack, origin }: { readonly stack: string; readonly origin: string },
  operator: Credentials,
): Promise<readonly Check[]> {
  const secret = randomBytes(48).toString('base64');
  const neuron = async (words: readonly string[], input?: string) => {
    const { exitCode, stdout, stderr } = await world.neuron([...words, '--stack', stack], {
      credentials: operator,
      ...(input === undefined ? {} : { input }),
    });
    if (exitCode !== 0) throw new Error(`neuron ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  await neuron(['apply', writeText(world, 'rights.yaml', SETTINGS)]);
  await neuron(['secrets', 'set', ORGANIZATION, 'signing', '--for', 'jwt'], secret);
  await neuron(['secrets', 'set', ORGANIZATION, 'provider-key', '--for', 'providers'], 'nothing');
  const { key } = JSON.parse(await neuron(['keys', 'create', ORGANIZATION, '--name', 'x', '--json'])) as {
    readonly key: string;
  };
  const credentials: Record<string, string> = { private: key, signed: signToken(secret) };
  const roles = {
    Authorizer: await readRole(world, stack, 'Authorizer'),
    Executor: await readRole(world, stack, 'Executor'),
  };
  return LOSSES.flatMap(([of, sid, name, usual, without, page]) => {
    // A refusal is appended where a call has no credentials.
    const call = () => answerOf(origin, name, sid === 'AppendRefusals' ? undefined : credentials[name]);
    return [
      {
        name: `${name}: ${of} with all rights`,
        expected: usual,
        async observe() {
          await call();
          return call();
        },
      },
      {
        name: `${name}: ${of} without ${sid} (docs/${page})`,
        expected: without,
        async observe() {
          const restore = await takeRight(world, roles[of], sid);
          try {
            return await call();
          } finally {
            await restore();
          }
        },
      },
    ];
  });
}

/** A JWT by RFC 7519, for an hour. */
function signToken(secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'ada', iat: now, exp: now + 3600 })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

interface PolicyDocument {
  readonly Statement: readonly { readonly Sid?: string }[];
}

/** A function and the policy of its role. */
interface FunctionRole {
  readonly FunctionName: string;
  readonly MemorySize: number;
  readonly RoleName: string;
  readonly PolicyName: string;
  readonly policy: PolicyDocument;
}

async function readRole(world: World, stack: string, of: string): Promise<FunctionRole> {
  const { aws } = world.emulator;
  const [FunctionName = ''] = await findResources(world, stack, 'AWS::Lambda::Function', new RegExp(of));
  const { Role, MemorySize } = (await aws('lambda', 'get_function_configuration', { FunctionName })) as {
    readonly Role: string;
    readonly MemorySize: number;
  };
  const RoleName = Role.split('/').at(-1) ?? '';
  const { PolicyNames } = (await aws('iam', 'list_role_policies', { RoleName })) as {
    readonly PolicyNames: readonly string[];
  };
  const PolicyName = PolicyNames[0] ?? '';
  const { PolicyDocument: policy } = (await aws('iam', 'get_role_policy', { RoleName, PolicyName })) as {
    readonly PolicyDocument: PolicyDocument;
  };
  return { FunctionName, MemorySize, RoleName, PolicyName, policy };
}

/** Takes one statement from a function's role and makes new environments, which never had it. The result restores both. */
async function takeRight({ emulator }: World, role: FunctionRole, sid: string): Promise<() => Promise<void>> {
  const { FunctionName, RoleName, PolicyName, policy } = role;
  const Statement = policy.Statement.filter(({ Sid }) => Sid !== sid);
  if (Statement.length === policy.Statement.length) throw new Error(`${FunctionName} has no right ${sid}`);
  const put = async (document: PolicyDocument, MemorySize: number) => {
    await emulator.aws('iam', 'put_role_policy', {
      ...{ RoleName, PolicyName, PolicyDocument: JSON.stringify(document) },
    });
    // The emulator keeps environments through a change of the description alone.
    await emulator.aws('lambda', 'update_function_configuration', { FunctionName, MemorySize });
  };
  await put({ ...policy, Statement }, role.MemorySize + 64);
  return () => put(policy, role.MemorySize);
}
