// `neuron keys create`: creates a key, prints it once and stores its digest.
import { generateApiKey } from '../../core/access/api-key.ts';
import type { KeyLimits, StoredKey } from '../../core/ports/keys.ts';
import { toIso } from '../../core/time/iso.ts';
import { ORGANIZATION, parseDurationMs } from '../command/arguments.ts';
import { command, option } from '../command/command.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';
import { findNeuronIds, parseKeyName, parseSlugs } from './key-arguments.ts';
import { collectLimits, renderLimits } from './key-limits.ts';

/** A new key as `--json` shows it, the only place where `key` appears. */
interface CreatedKey {
  readonly key: string;
  readonly keyId: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly organization: string;
  readonly name: string;
  /** Slugs; null where the key is for every neuron. */
  readonly neurons: readonly string[] | null;
  /** Cost in microdollars. */
  readonly limits: KeyLimits;
  readonly createdAt: string;
  readonly expiresAt: string | null;
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
      'neurons that the key may call, such as a,b (default: all)',
      parseSlugs,
    ),
    limits: option(
      '--limit <limit>',
      "a usage limit, such as 'cost 50 month'; repeat it for others",
      collectLimits,
    ),
  },
  // The key refers to ids, so that an organization or a neuron that is created again does not inherit it.
  async run({ organization: slug, name, lifetimeMs, neurons, limits = [] }, { out, connect }) {
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const neuronIds = await findNeuronIds(organization, neurons, ports.store);
    const reach = describeReach(slug, neurons);
    await out.confirm(`Create an API key for ${reach}?`);
    const { since: createdAt, by: createdBy } = await createAuditStamp(ports);
    const { key, digest, keyId, prefix, lastFour } = generateApiKey(ports.random);
    const expiresAt = lifetimeMs === undefined ? undefined : toIso(Date.parse(createdAt) + lifetimeMs);
    const stored: StoredKey = {
      keyId,
      prefix,
      lastFour,
      name,
      organizationId: organization.id,
      createdAt,
      createdBy,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(neuronIds === undefined ? {} : { neurons: neuronIds }),
      ...(limits.length === 0 ? {} : { usageLimits: limits }),
    };
    await ports.keys.create(digest, stored);
    const created: CreatedKey = {
      key,
      keyId,
      prefix,
      lastFour,
      organization: slug,
      name,
      neurons: neurons ?? null,
      limits,
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

function describeReach(organization: string, neurons: readonly string[] | undefined): string {
  if (neurons === undefined) return `all neurons of ${organization}`;
  return neurons.map((slug) => `${organization}/${slug}`).join(', ');
}
