// `neuron keys revoke`: revokes a key from the next request on.
import { KEY_ID, ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { requireOrganization, unknownKey } from '../session/require-stored.ts';
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
  arguments: { organization: ORGANIZATION, keyId: KEY_ID },
  result: {
    text: ({ organization, keyId, outcome }: RevokedKey) =>
      outcome === 'revoked'
        ? `Revoked key ${keyId} of ${organization}. Takes effect with the next request.`
        : `Key ${keyId} of ${organization} is already revoked. Nothing was changed.`,
  },
  async run({ organization, keyId }, { out, connect }) {
    const ports = await connect();
    const { id } = await requireOrganization(ports.store, organization);
    const question = `Revoke key ${keyId} of ${organization}? Requests with it are then denied.`;
    await out.confirm(question, { destroys: true });
    const { since } = await createAuditStamp(ports);
    const outcome = await ports.keys.revoke(id, keyId, since);
    if (outcome === 'unknown') throw unknownKey(organization, keyId);
    return { organization, keyId, outcome };
  },
});
