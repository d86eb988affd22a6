// `neuron keys revoke`: revokes a key from the next request on.
import type { Command } from 'commander';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization, readKeyId } from '../session/target.ts';

/** The result, as `--json` shows it. */
interface RevokedKey {
  readonly organization: string;
  readonly keyId: string;
  readonly outcome: 'revoked' | 'already_revoked';
}

export function registerKeysRevoke(keys: Command, bind: Bind): void {
  keys
    .command('revoke')
    .description('Revokes an API key permanently.')
    .argument('<organization>', 'the organization', checkOrganization)
    .argument('<key>', 'the id or prefix of the key', readKeyId)
    .action(
      bind(async (session, { args: [organization = '', keyId = ''] }) => {
        const args = { organization, keyId };
        await revokeKey({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Revokes after confirmation. Throws `CommandFailure` for a key that the organization does not have. */
async function revokeKey({
  args,
  ports,
  out,
}: {
  readonly args: Omit<RevokedKey, 'outcome'>;
  readonly ports: Pick<Ports, 'store' | 'keys' | 'clock' | 'author'>;
  readonly out: Output;
}): Promise<void> {
  const { organization, keyId } = args;
  const { id } = await requireOrganization(ports.store, organization);
  await out.confirm(`Revoke key ${keyId} of ${organization}? Requests with it are then denied.`, {
    destroys: true,
  });
  const { since } = await createAuditStamp(ports);
  const outcome = await ports.keys.revoke(id, keyId, since);
  if (outcome === 'unknown') {
    throw new CommandFailure({
      what: `${organization} has no key ${keyId}.`,
      remedy: `Run \`neuron keys list ${organization}\` to see its keys. A new key may take a few seconds to appear.`,
    });
  }
  const revoked: RevokedKey = { organization, keyId, outcome };
  out.value(
    revoked,
    outcome === 'revoked'
      ? `Revoked key ${keyId} of ${organization}. Takes effect with the next request.`
      : `Key ${keyId} of ${organization} is already revoked. Nothing was changed.`,
  );
}
