// `neuron secrets`: sets, lists and removes the secrets that settings files name. No value is ever printed.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { findSecretFlaw, findSecretWeakness } from '../../core/access/shared-secret-strength.ts';
import type { OperatorSecretPurpose } from '../../core/ports/administration.ts';
import { SECRET_NAME_PATTERN } from '../../core/settings/scalars.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Source } from '../output/terminal.ts';
import type { Ports } from '../session/ports.ts';
import { secretsPropagationDelay } from '../session/propagation-delay.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization } from '../session/target.ts';

const PURPOSES = ['providers', 'jwt'] as const satisfies readonly OperatorSecretPurpose[];

/** Which secret. */
interface SecretArguments {
  readonly organization: string;
  readonly name: string;
  readonly purpose: OperatorSecretPurpose;
}

interface Options<Arguments> {
  readonly args: Arguments;
  readonly ports: Pick<Ports, 'stack' | 'store' | 'secrets'>;
  readonly out: Output;
}

export function registerSecrets(program: Command, bind: Bind): void {
  const secrets = program.command('secrets').description('Sets, lists and removes secrets.');
  secrets
    .command('set')
    .description('Sets or replaces a secret with the value from standard input.')
    .argument('<organization>', 'the organization', checkOrganization)
    .argument('<name>', 'name of the secret in settings files', checkName)
    .addOption(purposeOption().makeOptionMandatory())
    .action(
      bind<{ readonly for: OperatorSecretPurpose }>(async (session, input) => {
        const args = toArguments(input.args, input.options.for);
        const ports = { ...(await session.connect()), stdin: session.terminal.stdin };
        await setSecret({ args, ports, out: session.out });
      }),
    );
  secrets
    .command('list')
    .description('Lists the names of secrets.')
    .argument('<organization>', 'the organization', checkOrganization)
    .addOption(purposeOption())
    .action(
      bind<{ readonly for?: OperatorSecretPurpose }>(async (session, input) => {
        const [organization = ''] = input.args;
        const args = { organization, purpose: input.options.for };
        await listSecretNames({ args, ports: await session.connect(), out: session.out });
      }),
    );
  secrets
    .command('remove')
    .description('Removes a secret.')
    .argument('<organization>', 'the organization', checkOrganization)
    .argument('<name>', 'name of the secret in settings files', checkName)
    .addOption(purposeOption().makeOptionMandatory())
    .action(
      bind<{ readonly for: OperatorSecretPurpose }>(async (session, input) => {
        const args = toArguments(input.args, input.options.for);
        await removeSecret({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Sets one value: all of standard input, or a typed line, without its last line end. */
async function setSecret({
  args,
  ports,
  out,
}: {
  readonly args: SecretArguments;
  readonly ports: Options<SecretArguments>['ports'] & { readonly stdin: Source };
  readonly out: Output;
}): Promise<void> {
  const { store, secrets, stdin } = ports;
  const organization = await requireOrganization(store, args.organization);
  const value = await readValue(stdin, `Value of ${args.name} (not shown): `);
  if (args.purpose === 'jwt') validateSharedSecret(value, out);
  const names = await secrets.list(organization.id, args.purpose);
  if (names.includes(args.name)) await out.confirm(`Replace the secret ${render(args)}?`);
  await secrets.set(organization.id, args.purpose, args.name, value);
  out.message(`Secret ${render(args)} is set. Takes effect within ${secretsPropagationDelay(ports.stack)}.`);
}

/** Lists names by purpose. */
async function listSecretNames({
  args,
  ports,
  out,
}: Options<{
  readonly organization: string;
  readonly purpose: OperatorSecretPurpose | undefined;
}>): Promise<void> {
  const organization = await requireOrganization(ports.store, args.organization);
  const purposes = args.purpose === undefined ? PURPOSES : [args.purpose];
  const lists = await Promise.all(
    purposes.map(async (purpose) =>
      (await ports.secrets.list(organization.id, purpose)).map((name) => ({ name, for: purpose })),
    ),
  );
  out.list(
    lists.flat(),
    [
      { head: 'NAME', cell: ({ name }) => name },
      { head: 'FOR', cell: (secret) => secret.for },
    ],
    `Organization ${args.organization} has no secrets.`,
  );
}

/** Removes one value. */
async function removeSecret({ args, ports, out }: Options<SecretArguments>): Promise<void> {
  const organization = await requireOrganization(ports.store, args.organization);
  await out.confirm(`Remove the secret ${render(args)}? Neurons that use it will fail.`, { destroys: true });
  if (!(await ports.secrets.remove(organization.id, args.purpose, args.name))) {
    throw new CommandFailure({
      what: `There is no secret ${render(args)}.`,
      remedy: `Run \`neuron secrets list ${args.organization}\` to see its secrets.`,
    });
  }
  out.message(
    `Secret ${render(args)} is removed. Takes effect within ${secretsPropagationDelay(ports.stack)}.`,
  );
}

/** Anyone who knows the shared secret can sign tokens. */
function validateSharedSecret(value: string, out: Output): void {
  const flaw = findSecretFlaw(value);
  if (flaw !== undefined) {
    throw new CommandFailure({
      what: `The value ${flaw}, so others could sign tokens with it. Nothing was set.`,
      remedy:
        'Generate a random value, such as with `openssl rand -base64 48`, and configure your token issuer with it.',
    });
  }
  const weakness = findSecretWeakness(value);
  if (weakness !== undefined) out.warn(`The value ${weakness}.`);
}

async function readValue(stdin: Source, prompt: string): Promise<string> {
  const input = stdin.isTerminal ? await stdin.readLine(prompt, { hidden: true }) : await stdin.readAll();
  const value = (input ?? '').replace(/\r?\n$/, '');
  if (value === '') throw usageFailure('The value is empty.', 'Pipe the value in, or type it when prompted.');
  return value;
}

function purposeOption(): Option {
  return new Option('--for <purpose>', 'what the secret is for: providers or JWTs').choices(PURPOSES);
}

function checkName(text: string): string {
  if (!SECRET_NAME_PATTERN.test(text))
    throw new InvalidArgumentError('It must be 1 to 63 characters of a-z, 0-9 and -, such as openai-key.');
  return text;
}

function toArguments(args: readonly string[], purpose: OperatorSecretPurpose): SecretArguments {
  const [organization = '', name = ''] = args;
  return { organization, name, purpose };
}

function render({ organization, name, purpose }: SecretArguments): string {
  return `${name} of ${organization} for ${purpose}`;
}
