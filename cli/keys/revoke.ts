// `neuron keys revoke`: revokes a key from the next request on.
import { digestInName } from '../../core/ports/keys.ts';
import { KEY_ARGUMENT, ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { requireKey, requireOrganization, unknownKey } from '../session/require-stored.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';

/** The result, as `--json` shows it. */
interface RevokedKey {
  readonly organization: string;
  readonly keyId: string;
  readonly outcome: 'revoked' | 'already_revoked';
}

export const keysRevoke = command({
  name: 'revoke',
  description: 'Revokes an API key permanently.',
  arguments: { organization: ORGANIZATION, key: KEY_ARGUMENT },
  result: {
    text: ({ organization, keyId, outcome }: RevokedKey) =>
      outcome === 'revoked'
        ? `Revoked key ${keyId} of ${organization}. Takes effect with the next request.`
        : `Key ${keyId} of ${organization} is already revoked. Nothing was changed.`,
  },
  async run({ organization, key: named }, { out, connect }) {
    const ports = await connect();
    const { id, slug } = await requireOrganization(ports.store, organization);
    // One that is named by its id need not be in the index, which is moments late.
    const isNamedByText = digestInName(named) !== undefined;
    const { keyId } = isNamedByText ? await requireKey(ports.keys, { id, slug }, named) : { keyId: named };
    const question = `Revoke key ${keyId} of ${organization}? Requests with it are then denied.`;
    await out.confirm(question, { destroys: true });
    const { since } = await createAuditStamp(ports);
    const outcome = await ports.keys.revoke(id, keyId, since);
    if (outcome === 'unknown') throw unknownKey(organization, keyId);
    return { organization, keyId, outcome };
  },
});
