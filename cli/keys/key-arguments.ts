// Arguments and errors of several commands for API keys: names, neurons, and a key that is revoked.
import { InvalidArgumentError } from 'commander';
import { isSlug } from '../../core/contract/slugs.ts';
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import { label } from '../../core/settings/scalars.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuron } from '../session/require-stored.ts';

const MAX_NAME_LENGTH = 100;

/** Parses a name: one line of 1 to 100 characters. */
export function parseKeyName(text: string): string {
  if (!label(MAX_NAME_LENGTH).safeParse(text).success)
    throw new InvalidArgumentError(`It must be one line of 1 to ${MAX_NAME_LENGTH} characters.`);
  return text;
}

/** Parses slugs, separated by commas. */
export function parseSlugs(text: string): readonly string[] {
  const slugs = [...new Set(text.split(','))];
  if (!slugs.every(isSlug))
    throw new InvalidArgumentError('It must be neurons of the organization, such as support,sales.');
  return slugs;
}

/** The ids of neurons, so that one that is created again under a slug does not inherit a key. */
export async function findNeuronIds(
  organization: OrganizationRecord,
  slugs: readonly string[] | undefined,
  store: Ports['store'],
): Promise<string[] | undefined> {
  if (slugs === undefined) return undefined;
  const neurons = await Promise.all(slugs.map((slug) => requireNeuron(store, organization, slug)));
  return neurons.map(({ id }) => id);
}

export function revokedKey(organization: string, keyId: string): CommandFailure {
  return new CommandFailure({
    what: `Key ${keyId} of ${organization} is revoked. Nothing was changed.`,
    remedy: `Create another with \`neuron keys create ${organization}\`.`,
  });
}
