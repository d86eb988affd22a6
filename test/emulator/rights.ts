// Each right of a function, taken away alone: what callers and operators then get must be what the pages say.
import { createHmac, randomBytes } from 'node:crypto';
import { callUrl } from '../e2e/support/call.ts';
import { summarize } from './calls.ts';
import type { Credentials } from './emulator.ts';
import type { Check } from './row.ts';
import { findResources, type World, writeText } from './world.ts';

const ORGANIZATION = 'rights';

const SETTINGS = `organization: ${ORGANIZATION}
providers:
  demo: { type: echo }
  nearby: { type: openai, baseUrl: "https://api.example.com/v1", apiKey: { secret: provider-key } }
---
neuron: ${ORGANIZATION}/open
access: { public: true }
rateLimits:
  - { metric: requests, scope: total, limit: 100000, period: 1h }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/cached
access: { public: true }
caching: { exact: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/private
access: { apiKey: true }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/signed
access: { jwt: { sharedSecret: { secret: signing }, usernamePath: sub } }
flow:
  - callModel: { provider: demo, model: echo-1 }
---
neuron: ${ORGANIZATION}/keyed
access: { public: true }
flow:
  - callModel: { provider: nearby, model: any, retries: 0, timeout: 2s }
`;

/** Which statement of which function's policy, by its Sid; `call` is answered so while it is gone. */
interface Loss {
  readonly of: 'Authorizer' | 'Executor';
  readonly sid: string;
  readonly neuron: 'open' | 'cached' | 'private' | 'signed' | 'keyed';
  readonly anonymous?: true;
  /** With all rights. */
  readonly usual: string | RegExp;
  readonly without: string;
  /** Where it is documented. */
  readonly page: string;
}

const LOSSES: readonly Loss[] = [
  {
    of: 'Authorizer',
    sid: 'ReadSettings',
    neuron: 'open',
    usual: '200, cache off',
    without: '503 dependency_unavailable',
    page: 'security.md',
  },
  {
    of: 'Authorizer',
    sid: 'ReadKeys',
    neuron: 'private',
    usual: '200, cache off',
    without: '503 dependency_unavailable',
    page: 'security.md',
  },
  {
    of: 'Authorizer',
    sid: 'ReadSecrets',
    neuron: 'signed',
    usual: '200, cache off',
    without: '503 dependency_unavailable',
    page: 'security.md',
  },
  {
    of: 'Authorizer',
    sid: 'AppendRefusals',
    neuron: 'private',
    anonymous: true,
    usual: '401 unauthorized',
    without: '401 unauthorized',
    page: 'security.md',
  },
  {
    of: 'Executor',
    sid: 'ReadSettings',
    neuron: 'open',
    usual: '200, cache off',
    without: '503 dependency_unavailable',
    page: 'security.md',
  },
  {
    of: 'Executor',
    sid: 'Count',
    neuron: 'open',
    usual: '200, cache off',
    without: '503 dependency_unavailable',
    page: 'limits.md',
  },
  {
    of: 'Executor',
    sid: 'Cache',
    neuron: 'cached',
    usual: '200, cache hit',
    without: '200, cache miss',
    page: 'caching.md',
  },
  {
    of: 'Executor',
    sid: 'AppendLog',
    neuron: 'open',
    usual: '200, cache off',
    without: '200, cache off',
    page: 'logs.md',
  },
  {
    of: 'Executor',
    sid: 'ReadSecrets',
    neuron: 'keyed',
    usual: /^50\d upstream_/,
    without: '503 dependency_unavailable',
    page: 'providers.md',
  },
];

/** The stack must be deployed with short TTLs. Ends with every right given back. */
export async function rightChecks(
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
  const call = async ({ neuron: name, anonymous }: Loss) => {
    const token = anonymous ? undefined : credentials[name];
    return callUrl(origin, `/${ORGANIZATION}/${name}`, {
      json: { input: 'Hello' },
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
  };
  const roles = {
    Authorizer: await readRole(world, stack, 'Authorizer'),
    Executor: await readRole(world, stack, 'Executor'),
  };
  return LOSSES.flatMap((loss) => {
    const { of, sid, neuron: name, usual, without, page } = loss;
    return [
      {
        name: `${name}: ${of} with all rights`,
        expected: usual,
        async observe() {
          await call(loss);
          return summarize(await call(loss));
        },
      },
      {
        name: `${name}: ${of} without ${sid} (docs/${page})`,
        expected: without,
        async observe() {
          const restore = await takeRight(world, roles[of], sid);
          try {
            return summarize(await call(loss));
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
