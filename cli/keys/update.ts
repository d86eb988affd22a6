// `neuron keys update`: changes what a key may do, from the next request on.
import type { KeyChange, StoredKey } from '../../core/ports/keys.ts';
import { toIso } from '../../core/time/iso.ts';
import { KEY_ARGUMENT, ORGANIZATION, parseDurationMs } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import type { ListedKey } from '../json/keys.ts';
import { renderTags } from '../output/caller.ts';
import { usageFailure } from '../output/failure.ts';
import type { Ports } from '../session/ports.ts';
import { requireKey, requireOrganization, unknownKey } from '../session/require-stored.ts';
import {
  collectTags,
  findNeurons,
  namesOf,
  parseKeyName,
  parseNeuronChoice,
  revokedKey,
} from './key-arguments.ts';
import { collectLimits, renderLimits } from './key-limits.ts';

/** The members that the command can change, as `--json` shows them. */
interface UpdatedKey
  extends Pick<
    ListedKey,
    'keyId' | 'name' | 'neurons' | 'limits' | 'tags' | 'onBehalfOf' | 'tagsFromCalls' | 'expiresAt'
  > {
  readonly organization: string;
}

export const keysUpdate = command({
  name: 'update',
  description: 'Changes the name, neurons, limits, tags, rights or end date of an API key.',
  arguments: { organization: ORGANIZATION, key: KEY_ARGUMENT },
  options: {
    name: option('--name <name>', 'another name', parseKeyName),
    neurons: option(
      '--neurons <slugs>',
      'the neurons that the key may call, such as a,shop-*',
      parseNeuronChoice,
    ),
    allNeurons: flag('--all-neurons', 'let the key call every neuron of the organization'),
    lifetimeMs: option('--expires <duration>', 'an end date so long from now, such as 90d', parseDurationMs),
    neverExpires: flag('--never-expires', 'remove the end date'),
    limits: option(
      '--limit <limit>',
      "a limit, such as 'cost 50 month', in place of those that it has; repeat it for others",
      collectLimits,
    ),
    noLimits: flag('--clear-limits', 'remove all limits of the key'),
    tags: option(
      '--tag <name=value>',
      'a tag, in place of those that it has; repeat it for others',
      collectTags,
    ),
    noTags: flag('--clear-tags', 'remove all tags of the key'),
    onBehalfOf: flag('--on-behalf-of', 'its calls may name the end user that they are for'),
    notOnBehalfOf: flag('--not-on-behalf-of', 'names of end users in its calls count for nothing'),
    tagsFromCalls: flag('--tags-from-calls', 'its calls may bring tags of their own'),
    noTagsFromCalls: flag('--ignore-call-tags', 'tags in its calls count for nothing'),
  },
  conflicts: [
    { option: 'neurons', with: ['allNeurons'] },
    { option: 'lifetimeMs', with: ['neverExpires'] },
    { option: 'limits', with: ['noLimits'] },
    { option: 'tags', with: ['noTags'] },
    { option: 'onBehalfOf', with: ['notOnBehalfOf'] },
    { option: 'tagsFromCalls', with: ['noTagsFromCalls'] },
  ],
  result: {
    text: ({ organization, keyId, name, neurons, limits, tags, expiresAt, ...rights }: UpdatedKey) =>
      [
        `Key ${keyId} of ${organization} is changed. Takes effect with the next request.`,
        `  name      ${name}`,
        `  neurons   ${neurons?.join(', ') ?? 'all'}`,
        // Usage is counted only for metrics and periods that have a limit.
        `  limits    ${renderLimits(limits) || 'none'} (a limit that it had keeps its count; another one counts from now on)`,
        `  tags      ${renderTags(tags) || 'none'}`,
        `  may       ${renderRights(rights)}`,
        `  ends      ${expiresAt ?? 'when it is revoked'}`,
      ].join('\n'),
  },
  async run({ organization: slug, key, ...options }, { out, connect }) {
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const found = await findNeurons(organization, options.neurons, ports.store);
    const change = toChange(options, found, ports.clock.now());
    if (Object.keys(change).length === 0)
      throw usageFailure(
        'Nothing to change was named.',
        'See `neuron keys update --help` for the options, such as --limit and --expires.',
      );
    const { keyId, name } = await requireKey(ports.keys, organization, key);
    await out.confirm(`Change key ${keyId} (${name}) of ${slug}?`);
    const outcome = await ports.keys.change(organization.id, keyId, change);
    if (outcome === 'unknown') throw unknownKey(slug, keyId);
    if (outcome === 'revoked') throw revokedKey(slug, keyId);
    const changed = await requireKey(ports.keys, organization, keyId);
    return { organization: slug, ...(await toUpdatedKey(changed, organization, ports.store)) };
  },
});

interface Options {
  readonly name: string | undefined;
  readonly allNeurons: boolean;
  readonly lifetimeMs: number | undefined;
  readonly neverExpires: boolean;
  readonly limits: StoredKey['usageLimits'];
  readonly noLimits: boolean;
  readonly tags: StoredKey['tags'];
  readonly noTags: boolean;
  readonly onBehalfOf: boolean;
  readonly notOnBehalfOf: boolean;
  readonly tagsFromCalls: boolean;
  readonly noTagsFromCalls: boolean;
}

function toChange(
  { name, allNeurons, lifetimeMs, neverExpires, limits, noLimits, tags, noTags, ...rights }: Options,
  { neurons, neuronPatterns }: Awaited<ReturnType<typeof findNeurons>>,
  nowMs: number,
): KeyChange {
  return {
    ...(name === undefined ? {} : { name }),
    ...(neurons === undefined ? {} : { neurons, neuronPatterns: neuronPatterns ?? null }),
    ...(allNeurons ? { neurons: null, neuronPatterns: null } : {}),
    ...(lifetimeMs === undefined ? {} : { expiresAt: toIso(nowMs + lifetimeMs) }),
    ...(neverExpires ? { expiresAt: null } : {}),
    ...(limits === undefined ? {} : { usageLimits: limits }),
    ...(noLimits ? { usageLimits: null } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(noTags ? { tags: null } : {}),
    ...(rights.onBehalfOf ? { onBehalfOf: true } : {}),
    ...(rights.notOnBehalfOf ? { onBehalfOf: null } : {}),
    ...(rights.tagsFromCalls ? { tagsFromCalls: true } : {}),
    ...(rights.noTagsFromCalls ? { tagsFromCalls: null } : {}),
  };
}

/** `call neurons and name end users` */
function renderRights({
  onBehalfOf,
  tagsFromCalls,
}: Pick<ListedKey, 'onBehalfOf' | 'tagsFromCalls'>): string {
  const rights = [...(onBehalfOf ? ['name end users'] : []), ...(tagsFromCalls ? ['tag its calls'] : [])];
  return ['call neurons', ...rights].join(', ');
}

async function toUpdatedKey(
  key: StoredKey,
  organization: Awaited<ReturnType<typeof requireOrganization>>,
  store: Ports['store'],
): Promise<Omit<UpdatedKey, 'organization'>> {
  const slugs = new Map((await store.listNeurons(organization)).map(({ id, slug }) => [id, slug]));
  const { keyId, name, usageLimits = [], tags = {}, expiresAt = null } = key;
  const { onBehalfOf = false, tagsFromCalls = false } = key;
  return {
    keyId,
    name,
    limits: usageLimits,
    tags,
    onBehalfOf,
    tagsFromCalls,
    expiresAt,
    neurons: namesOf(key, slugs),
  };
}
