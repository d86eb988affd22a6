// `neuron keys limit`: replaces the limits of a key, from the next request on.
import type { Command } from 'commander';
import type { KeyLimits } from '../../core/ports/keys.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization, readKeyId } from '../session/target.ts';
import { collectLimits, renderLimits } from './key-limits.ts';

interface LimitOptions {
  readonly limit?: KeyLimits;
  readonly none?: true;
}

/** The result, as `--json` shows it. */
interface LimitedKey {
  readonly organization: string;
  readonly keyId: string;
  /** Cost in microdollars. */
  readonly limits: KeyLimits;
}

export function registerKeysLimit(keys: Command, bind: Bind): void {
  keys
    .command('limit')
    .description('Sets the usage limits of an API key, in place of those that it has.')
    .argument('<organization>', 'the organization', checkOrganization)
    .argument('<key>', 'the id or prefix of the key', readKeyId)
    .option('--limit <limit>', "a limit, such as 'cost 50 month'; repeat it for others", collectLimits)
    .option('--none', 'remove all limits of the key')
    .action(
      bind<LimitOptions>(async (session, { args: [organization = '', keyId = ''], options }) => {
        const limits = options.limit ?? [];
        if ((limits.length === 0) !== (options.none === true))
          throw usageFailure(
            'The limits of the key are not clear.',
            "Pass --limit 'cost 50 month', once for each limit, or --none to remove all.",
          );
        const args = { organization, keyId, limits };
        await limitKey({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Sets the limits after confirmation. Throws `CommandFailure` for a key that is revoked, or that the organization does not have. */
async function limitKey({
  args,
  ports,
  out,
}: {
  readonly args: LimitedKey;
  readonly ports: Pick<Ports, 'store' | 'keys'>;
  readonly out: Output;
}): Promise<void> {
  const { organization, keyId, limits } = args;
  const { id } = await requireOrganization(ports.store, organization);
  const what = limits.length === 0 ? 'no limits' : renderLimits(limits);
  await out.confirm(`Set the limits of key ${keyId} of ${organization} to: ${what}?`);
  const outcome = await ports.keys.setLimits(id, keyId, limits);
  if (outcome === 'unknown')
    throw new CommandFailure({
      what: `${organization} has no key ${keyId}.`,
      remedy: `Run \`neuron keys list ${organization}\` to see its keys. A new key may take a few seconds to appear.`,
    });
  if (outcome === 'revoked')
    throw new CommandFailure({
      what: `Key ${keyId} of ${organization} is revoked. Nothing was changed.`,
      remedy: `Create another with \`neuron keys create ${organization}\`.`,
    });
  const changed: LimitedKey = { organization, keyId, limits };
  // Only what a limit is about is counted.
  const counts =
    limits.length === 0 ? '' : ' A limit that it had keeps its count; another one counts from now on.';
  out.value(
    changed,
    `Limits of key ${keyId} of ${organization}: ${what}. Takes effect with the next request.${counts}`,
  );
}
