// `neuron secrets set`: sets or replaces a secret that settings files name. No value is ever printed.
import { findSecretFlaw, findSecretWeakness } from '../../core/access/shared-secret-strength.ts';
import { command } from '../command/command.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Source } from '../output/terminal.ts';
import { secretsPropagationDelay } from '../session/propagation-delay.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { PURPOSE, renderSecret, SECRET } from './parameters.ts';

export const secretsSet = command({
  name: 'set',
  description: 'Sets or replaces a secret with the value from standard input.',
  arguments: SECRET,
  options: { purpose: PURPOSE },
  async run(secret, { out, terminal, connect }) {
    const { store, secrets, stack } = await connect();
    const { name, purpose } = secret;
    const { id } = await requireOrganization(store, secret.organization);
    const value = await readValue(terminal.stdin, `Value of ${name} (not shown): `);
    if (purpose === 'jwt') validateSharedSecret(value, out);
    const isReplaced = (await secrets.list(id, purpose)).includes(name);
    if (isReplaced) await out.confirm(`Replace the secret ${renderSecret(secret)}?`);
    await secrets.set(id, purpose, name, value);
    const delay = secretsPropagationDelay(stack);
    out.message(`Secret ${renderSecret(secret)} is set. Takes effect within ${delay}.`);
  },
});

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

/** All of standard input, or a typed line, without its last line end. */
async function readValue(stdin: Source, prompt: string): Promise<string> {
  const text = stdin.isTerminal ? await stdin.readLine(prompt, { hidden: true }) : await stdin.readAll();
  const value = (text ?? '').replace(/\r?\n$/, '');
  if (value === '') throw usageFailure('The value is empty.', 'Pipe the value in, or type it when prompted.');
  return value;
}
