// `neuron keys create`: creates a key, prints it once and stores its digest.
import { ORGANIZATION, parseDurationMs } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import type { ListedKey } from '../json/keys.ts';
import { requireOrganization } from '../session/require-stored.ts';
import {
  collectTags,
  findNeurons,
  type NeuronChoice,
  parseKeyName,
  parseNeuronChoice,
} from './key-arguments.ts';
import { collectLimits, renderLimits } from './key-limits.ts';
import { storeNewKey } from './store-new-key.ts';

/** A new key as `--json` shows it, the only place where `key` appears. */
interface CreatedKey
  extends Omit<ListedKey, 'imported' | 'pausedAt' | 'createdBy' | 'revokedAt' | 'replacedAt' | 'lastUsedAt'> {
  readonly key: string;
  readonly organization: string;
}

export const keysCreate = command({
  name: 'create',
  description: 'Creates an API key and prints it once.',
  arguments: { organization: ORGANIZATION },
  options: {
    name: option('--name <name>', 'name shown in lists, such as who uses the key', parseKeyName, {
      required: true,
    }),
    lifetimeMs: option(
      '--expires <duration>',
      'lifetime, such as 90d (default: until revoked)',
      parseDurationMs,
    ),
    neurons: option(
      '--neurons <slugs>',
      'neurons that the key may call, such as a,shop-* (default: all)',
      parseNeuronChoice,
    ),
    limits: option(
      '--limit <limit>',
      "a limit, such as 'cost 50 month' or 'requests 60 minute'; repeat it for others",
      collectLimits,
    ),
    tags: option(
      '--tag <name=value>',
      'a tag for `neuron usage --by tag:NAME`; repeat it for others',
      collectTags,
    ),
    onBehalfOf: flag('--on-behalf-of', 'its calls may name the end user that they are for'),
    tagsFromCalls: flag('--tags-from-calls', 'its calls may bring tags of their own, as metadata'),
  },
  // The key refers to ids, so that an organization or a neuron that is created again does not inherit it.
  async run({ organization: slug, name, lifetimeMs, neurons, limits = [], tags = {}, ...rights }, session) {
    const { out, connect } = session;
    const { onBehalfOf, tagsFromCalls } = rights;
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const found = await findNeurons(organization, neurons, ports.store);
    const reach = describeReach(slug, neurons);
    await out.confirm(`Create an API key for ${reach}?`);
    const { key, stored } = await storeNewKey(ports, lifetimeMs, {
      name,
      organizationId: organization.id,
      ...found,
      ...(limits.length === 0 ? {} : { usageLimits: limits }),
      ...(Object.keys(tags).length === 0 ? {} : { tags }),
      ...(onBehalfOf ? { onBehalfOf } : {}),
      ...(tagsFromCalls ? { tagsFromCalls } : {}),
    });
    const { keyId, prefix, lastFour, createdAt, expiresAt } = stored;
    const created: CreatedKey = {
      key,
      keyId,
      prefix,
      lastFour,
      organization: slug,
      name,
      neurons: neurons === undefined ? null : wordsOf(neurons),
      limits,
      tags,
      onBehalfOf,
      tagsFromCalls,
      createdAt,
      expiresAt: expiresAt ?? null,
    };
    out.value(created, key);
    const end = expiresAt === undefined ? 'is valid until it is revoked' : `expires at ${expiresAt}`;
    const limitText = limits.length === 0 ? '' : ` Its limits: ${renderLimits(limits)}.`;
    out.message(
      `Key ${keyId} for ${reach} ${end}.${limitText} Takes effect at once.\nThe key is not shown again. Never put it in the code of a web page or app.`,
    );
  },
});

function describeReach(organization: string, neurons: NeuronChoice | undefined): string {
  if (neurons === undefined) return `all neurons of ${organization}`;
  return wordsOf(neurons)
    .map((word) => `${organization}/${word}`)
    .join(', ');
}

function wordsOf({ slugs, patterns }: NeuronChoice): readonly string[] {
  return [...slugs, ...patterns];
}
