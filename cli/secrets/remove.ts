// `neuron secrets remove`: removes a secret.
import { command } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { secretsPropagationDelay } from '../session/propagation-delay.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { PURPOSE, renderSecret, SECRET } from './parameters.ts';

export const secretsRemove = command({
  name: 'remove',
  description: 'Removes a secret.',
  arguments: SECRET,
  options: { purpose: PURPOSE },
  async run(secret, { out, connect }) {
    const { store, secrets, stack } = await connect();
    const { organization, name, purpose } = secret;
    const { id } = await requireOrganization(store, organization);
    const text = renderSecret(secret);
    await out.confirm(`Remove the secret ${text}? Neurons that use it will fail.`, { destroys: true });
    if (!(await secrets.remove(id, purpose, name)))
      throw new CommandFailure({
        what: `There is no secret ${text}.`,
        remedy: `Run \`neuron secrets list ${organization}\` to see its secrets.`,
      });
    out.message(`Secret ${text} is removed. Takes effect within ${secretsPropagationDelay(stack)}.`);
  },
});
