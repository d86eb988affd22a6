// `neuron logs rotate-key`: gives an organization a new key for the hashes of its log.
import { LOG_KEY_NAME } from '../../core/ports/log-key.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { secretsPropagationDelay } from '../session/propagation-delay.ts';
import { requireOrganization } from '../session/require-stored.ts';

export const logsRotateKey = command({
  name: 'rotate-key',
  description: 'Hashes texts of later entries with a new key, and keeps the earlier one.',
  arguments: { organization: ORGANIZATION },
  async run({ organization }, { out, connect }) {
    const { store, secrets, stack } = await connect();
    const { id } = await requireOrganization(store, organization);
    await out.confirm(
      `Make a new HMAC key for the log of ${organization}? Hashes before and after it cannot be compared.`,
    );
    const keys = await secrets.rotateLogKey(id);
    const kept =
      keys.previous === undefined
        ? ''
        : ` The key ${keys.previous} stays as ${LOG_KEY_NAME}-${keys.previous} in the secret ${stack.outputs.secretPrefix}/${id}/providers.`;
    out.value(
      { organization, key: keys.current, previous: keys.previous ?? null },
      `Texts in the log of ${organization} are hashed with the key ${keys.current}. Takes effect within ${secretsPropagationDelay(stack)}.${kept}`,
    );
  },
});
