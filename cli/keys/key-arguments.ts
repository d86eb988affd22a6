// Arguments and errors of several commands for API keys: names, neurons, and a key that is revoked.
import { InvalidArgumentError } from 'commander';
import { isSlug } from '../../core/contract/slugs.ts';
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import { MAX_KEY_TAGS, type Tags, tagsSchema } from '../../core/settings/names/tags.ts';
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

/** The neurons that a key is for: slugs, and patterns of slugs such as `shop-*`. */
export interface NeuronChoice {
  readonly slugs: readonly string[];
  readonly patterns: readonly string[];
}

const MAX_PATTERNS = 20;

/** Parses slugs and patterns, separated by commas. */
export function parseNeuronChoice(text: string): NeuronChoice {
  const words = [...new Set(text.split(','))];
  const patterns = words.filter((word) => word.endsWith('*'));
  const slugs = words.filter((word) => !word.endsWith('*'));
  // A letter more makes a slug of the beginning of one.
  if (!slugs.every(isSlug) || !patterns.every((pattern) => isSlug(`${pattern.slice(0, -1)}0`)))
    throw new InvalidArgumentError(
      'It must be neurons of the organization, such as support,sales, or beginnings of their names, such as shop-*.',
    );
  if (patterns.length > MAX_PATTERNS)
    throw new InvalidArgumentError(`It must have at most ${MAX_PATTERNS} names with *.`);
  return { slugs, patterns };
}

/** As a key stores them: ids, so that one that is created again under a slug does not inherit a key, and patterns. */
export async function findNeurons(
  organization: OrganizationRecord,
  choice: NeuronChoice | undefined,
  store: Ports['store'],
): Promise<Pick<StoredKey, 'neurons' | 'neuronPatterns'>> {
  if (choice === undefined) return {};
  const neurons = await Promise.all(choice.slugs.map((slug) => requireNeuron(store, organization, slug)));
  const { patterns } = choice;
  return {
    neurons: neurons.map(({ id }) => id),
    ...(patterns.length === 0 ? {} : { neuronPatterns: [...patterns] }),
  };
}

/** Slugs and patterns; null where the key is for every neuron. An id stands for a deleted neuron. */
export function namesOf(
  { neurons, neuronPatterns = [] }: StoredKey,
  slugs: ReadonlyMap<string, string>,
): readonly string[] | null {
  return neurons === undefined ? null : [...neurons.map((id) => slugs.get(id) ?? id), ...neuronPatterns];
}

/** Parses one `--tag NAME=VALUE` and adds it to those before it. Throws `InvalidArgumentError`. */
export function collectTags(text: string, before: Tags | undefined): Tags {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  if (before !== undefined && Object.hasOwn(before, name))
    throw new InvalidArgumentError(`The tag ${name} is there twice. Pass one of them.`);
  const { data, error } = tagsSchema(MAX_KEY_TAGS).safeParse({ ...before, [name]: value });
  if (data === undefined)
    throw new InvalidArgumentError(`It must be NAME=VALUE, such as team=shop: ${error.issues[0]?.message}.`);
  return data;
}

export function revokedKey(organization: string, keyId: string): CommandFailure {
  return new CommandFailure({
    what: `Key ${keyId} of ${organization} is revoked. Nothing was changed.`,
    remedy: `Create another with \`neuron keys create ${organization}\`.`,
  });
}
