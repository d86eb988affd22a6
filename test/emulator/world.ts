// What every part of the run works with: a running emulator, the CDK command, the `neuron` command and a list of results.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callUrl } from '../e2e/support/call.ts';
import { type CommandResult, runNeuron } from '../e2e/support/command.ts';
import { ORGANIZATION } from '../smoke/settings.ts';
import { startAddressProxy } from './address-proxy.ts';
import { type Cdk, cdkCommand, lastLines } from './deployment.ts';
import { type Credentials, type Emulator, startEmulator } from './emulator.ts';
import { type Check, type Row, runCheck } from './row.ts';

/** Who runs a command, and what it reads from standard input. */
export interface NeuronOptions {
  readonly credentials?: Credentials;
  readonly input?: string;
}

export interface World {
  readonly emulator: Emulator;
  /** Removed at the end. */
  readonly folder: string;
  /** The CDK command with the rights of an administrator. */
  readonly cdk: Cdk;
  /** `neuron WORDS…`; by default as an administrator. */
  neuron(words: readonly string[], options?: NeuronOptions): Promise<CommandResult>;
  /** Runs checks in order and keeps what came of them. */
  run(checks: readonly Check[]): Promise<void>;
  readonly rows: readonly Row[];
}

/** Gives a world to `use`, and ends everything that belongs to it. `installed` is the emulator's venv. */
export async function withWorld<T>(installed: string, use: (world: World) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-emulator-'));
  const emulator = await startEmulator(installed, folder);
  const proxy = await startAddressProxy(Number(new URL(emulator.endpoint).port));
  const rows: Row[] = [];
  try {
    const administrator = await createAdministrator(emulator);
    const home = join(folder, 'home');
    mkdirSync(home);
    const base = { ...emulator.environment, ...proxy.environment };
    return await use({
      emulator,
      folder,
      cdk: cdkCommand(emulator, administrator, home),
      neuron: (words, { credentials = administrator, input } = {}) =>
        runNeuron(words, {
          environment: { ...base, ...credentials },
          ...(input === undefined ? {} : { input }),
        }),
      async run(checks) {
        for (const check of checks) {
          const row = await runCheck(check);
          rows.push(row);
          process.stdout.write(
            `${row.result.padEnd(13)} ${row.step} (${row.seconds} s): ${row.seen.split('\n')[0]}\n`,
          );
          if (row.result === 'failed') process.stdout.write(`${row.because}; seen:\n${row.seen}\n`);
        }
      },
      rows,
    });
  } finally {
    proxy.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A user with AWS's own policy for administrators: the owner of the account is checked for nothing. */
async function createAdministrator({ aws }: Emulator): Promise<Credentials> {
  const UserName = 'deployer';
  await aws('iam', 'create_user', { UserName });
  await aws('iam', 'attach_user_policy', {
    UserName,
    PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess',
  });
  const { AccessKey } = (await aws('iam', 'create_access_key', { UserName })) as {
    readonly AccessKey: { readonly AccessKeyId: string; readonly SecretAccessKey: string };
  };
  return {
    AWS_ACCESS_KEY_ID: AccessKey.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: AccessKey.SecretAccessKey,
  };
}

/** `done`, or how a command ended: what a check of a command observes. */
export function outcomeOf(printed: CommandResult, lines?: number): string {
  return printed.exitCode === 0 ? 'done' : `exit code ${printed.exitCode}: ${lastLines(printed, lines)}`;
}

/** Calls a neuron of the smoke run: status, code of an error and what the cache did. */
export async function answerOf(origin: string, neuron: string, token?: string): Promise<string> {
  const { status, text, headers } = await callUrl(origin, `/${ORGANIZATION}/${neuron}`, {
    json: { input: 'Hello' },
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
  const cache = headers['x-cache'];
  return `${status}${code === undefined ? '' : ` ${code}`}${cache === undefined ? '' : `, cache ${String(cache)}`}`;
}

/** Where the API of the one stack is, under a name that any HTTP client of this machine can resolve. */
export async function findOrigin({ emulator }: World, stage: string): Promise<string> {
  const { items } = (await emulator.aws('apigateway', 'get_rest_apis')) as {
    readonly items: readonly { readonly id: string }[];
  };
  if (items.length !== 1) throw new Error(`${items.length} APIs instead of one`);
  return `${emulator.endpoint}/_aws/execute-api/${items[0]!.id}/${stage}`;
}

/** Writes a file into the world's folder; gives its path. */
export function writeText({ folder }: World, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Physical ids of a stack's resources of a type, whose logical ids match. */
export async function findResources(
  { emulator }: World,
  StackName: string,
  type: string,
  logicalId = /./,
): Promise<readonly string[]> {
  const { StackResources } = (await emulator.aws('cloudformation', 'describe_stack_resources', {
    StackName,
  })) as {
    readonly StackResources: readonly {
      readonly LogicalResourceId: string;
      readonly PhysicalResourceId: string;
      readonly ResourceType: string;
    }[];
  };
  return StackResources.filter(
    ({ ResourceType, LogicalResourceId }) => ResourceType === type && logicalId.test(LogicalResourceId),
  ).map(({ PhysicalResourceId }) => PhysicalResourceId);
}

/** Outputs of a stack by name. */
export async function readOutputs(
  { emulator }: World,
  StackName: string,
): Promise<Readonly<Record<string, string>>> {
  const { Stacks } = (await emulator.aws('cloudformation', 'describe_stacks', { StackName })) as {
    readonly Stacks: readonly {
      readonly Outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
    }[];
  };
  const outputs = Stacks[0]?.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

/** Credentials of a role, as `aws sts assume-role` gives them. */
export async function assumeRole({ emulator }: World, RoleArn: string | undefined): Promise<Credentials> {
  const { Credentials: options } = (await emulator.aws('sts', 'assume_role', {
    RoleArn,
    RoleSessionName: 'somebody',
  })) as { readonly Credentials: Readonly<Record<string, string>> };
  return {
    AWS_ACCESS_KEY_ID: String(options['AccessKeyId']),
    AWS_SECRET_ACCESS_KEY: String(options['SecretAccessKey']),
    AWS_SESSION_TOKEN: String(options['SessionToken']),
  };
}

/** Such as `UPDATE_ROLLBACK_COMPLETE`. */
export async function stackStatus({ emulator }: World, StackName: string): Promise<string> {
  const { Stacks } = (await emulator.aws('cloudformation', 'describe_stacks', { StackName })) as {
    readonly Stacks: readonly { readonly StackStatus: string }[];
  };
  return Stacks[0]?.StackStatus ?? 'no stack';
}
