// `neuron keys limit`: replaces the limits of a key, from the next request on.

import type { KeyLimits } from '../../core/ports/keys.ts';
import { KEY_ID, ORGANIZATION } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import { requireOrganization, unknownKey } from '../session/require-stored.ts';
import { collectLimits, renderLimits } from './key-limits.ts';

/** The result, as `--json` shows it. */
interface LimitedKey {
  readonly organization: string;
  readonly keyId: string;
  /** Cost in microdollars. */
  readonly limits: KeyLimits;
}

export const keysLimit = command({
  name: 'limit',
  description: 'Sets the usage limits of an API key, in place of those that it has.',
  arguments: { organization: ORGANIZATION, keyId: KEY_ID },
  options: {
    limits: option(
      '--limit <limit>',
      "a limit, such as 'cost 50 month'; repeat it for others",
      collectLimits,
    ),
    none: flag('--none', 'remove all limits of the key'),
  },
  result: {
    text: ({ organization, keyId, limits }: LimitedKey) => {
      // Usage is counted only for metrics and periods that have a limit.
      const counts =
        limits.length === 0 ? '' : ' A limit that it had keeps its count; another one counts from now on.';
      return `Limits of key ${keyId} of ${organization}: ${describeLimits(limits)}. Takes effect with the next request.${counts}`;
    },
  },
  async run({ organization, keyId, limits = [], none }, { out, connect }) {
    if ((limits.length === 0) !== none)
      throw usageFailure(
        'The limits of the key are not clear.',
        "Pass --limit 'cost 50 month', once for each limit, or --none to remove all.",
      );
    const { store, keys } = await connect();
    const { id } = await requireOrganization(store, organization);
    await out.confirm(`Set the limits of key ${keyId} of ${organization} to: ${describeLimits(limits)}?`);
    const outcome = await keys.setLimits(id, keyId, limits);
    if (outcome === 'unknown') throw unknownKey(organization, keyId);
    if (outcome === 'revoked')
      throw new CommandFailure({
        what: `Key ${keyId} of ${organization} is revoked. Nothing was changed.`,
        remedy: `Create another with \`neuron keys create ${organization}\`.`,
      });
    return { organization, keyId, limits };
  },
});

function describeLimits(limits: KeyLimits): string {
  return limits.length === 0 ? 'no limits' : renderLimits(limits);
}
