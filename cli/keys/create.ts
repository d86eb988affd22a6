// `neuron keys create`: creates a key, prints it once and stores its digest.
import { type Command, InvalidArgumentError } from 'commander';
import { generateApiKey } from '../../core/access/api-key.ts';
import { isSlug } from '../../core/contract/slugs.ts';
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import type { KeyLimits, StoredKey } from '../../core/ports/keys.ts';
import { label } from '../../core/settings/scalars.ts';
import type { Output } from '../output/print.ts';
import { createAuditStamp } from '../session/audit-stamp.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuron, requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization, readDuration } from '../session/target.ts';
import { collectLimits, renderLimits } from './key-limits.ts';

interface CreateOptions {
  readonly name: string;
  /** Milliseconds. */
  readonly expires?: number;
  readonly neurons?: readonly string[];
  readonly limit?: KeyLimits;
}

/** The properties of a new key. */
interface CreateKeyArguments {
  readonly organization: string;
  readonly name: string;
  /** Lifetime in milliseconds; absent for a key that does not expire. */
  readonly expiresInMs: number | undefined;
  /** Slugs of the neurons that it may call; absent for all of the organization. */
  readonly neurons: readonly string[] | undefined;
  readonly limits: KeyLimits;
}

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

const MAX_NAME_LENGTH = 100;

export function registerKeysCreate(keys: Command, bind: Bind): void {
  keys
    .command('create')
    .description('Creates an API key and prints it once.')
    .argument('<organization>', 'the organization', checkOrganization)
    .requiredOption('--name <name>', 'name shown in lists, such as who uses the key', checkName)
    .option('--expires <duration>', 'lifetime, such as 90d (default: until revoked)', readDuration)
    .option('--neurons <slugs>', 'neurons that the key may call, such as a,b (default: all)', readSlugs)
    .option('--limit <limit>', "a usage limit, such as 'cost 50 month'; repeat it for others", collectLimits)
    .action(
      bind<CreateOptions>(async (session, { args: [organization = ''], options }) => {
        const { name, expires, neurons, limit = [] } = options;
        const args = { organization, name, expiresInMs: expires, neurons, limits: limit };
        await createKey({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Creates a key. It belongs to ids, so that an organization or a neuron that is created again does not inherit it. */
async function createKey({
  args,
  ports,
  out,
}: {
  readonly args: CreateKeyArguments;
  readonly ports: Pick<Ports, 'store' | 'keys' | 'clock' | 'random' | 'author'>;
  readonly out: Output;
}): Promise<void> {
  const organization = await requireOrganization(ports.store, args.organization);
  const neuronIds = await findNeuronIds(organization, args.neurons, ports.store);
  await out.confirm(`Create an API key for ${describeReach(args)}?`);
  const { since: createdAt, by: createdBy } = await createAuditStamp(ports);
  const { key, digest, keyId, prefix, lastFour } = generateApiKey(ports.random);
  const expiresAt =
    args.expiresInMs === undefined
      ? undefined
      : new Date(Date.parse(createdAt) + args.expiresInMs).toISOString();
  const stored: StoredKey = {
    ...{ keyId, prefix, lastFour, name: args.name, organizationId: organization.id, createdAt, createdBy },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(neuronIds === undefined ? {} : { neurons: neuronIds }),
    ...(args.limits.length === 0 ? {} : { usageLimits: args.limits }),
  };
  await ports.keys.create(digest, stored);
  const created: CreatedKey = {
    ...{ key, keyId, prefix, lastFour, organization: args.organization, name: args.name },
    neurons: args.neurons ?? null,
    limits: args.limits,
    createdAt,
    expiresAt: expiresAt ?? null,
  };
  out.value(created, key);
  const end = expiresAt === undefined ? 'is valid until it is revoked' : `expires at ${expiresAt}`;
  const limits = args.limits.length === 0 ? '' : ` Its limits: ${renderLimits(args.limits)}.`;
  out.message(
    `Key ${keyId} for ${describeReach(args)} ${end}.${limits} Takes effect at once.\nThe key is not shown again. Never put it in the code of a web page or app.`,
  );
}

async function findNeuronIds(
  organization: OrganizationRecord,
  slugs: readonly string[] | undefined,
  store: Ports['store'],
): Promise<string[] | undefined> {
  if (slugs === undefined) return undefined;
  const neurons = await Promise.all(slugs.map((slug) => requireNeuron(store, organization, slug)));
  return neurons.map(({ id }) => id);
}

function describeReach({ organization, neurons }: CreateKeyArguments): string {
  if (neurons === undefined) return `all neurons of ${organization}`;
  return neurons.map((slug) => `${organization}/${slug}`).join(', ');
}

function checkName(text: string): string {
  if (!label(MAX_NAME_LENGTH).safeParse(text).success)
    throw new InvalidArgumentError(`It must be one line of 1 to ${MAX_NAME_LENGTH} characters.`);
  return text;
}

function readSlugs(text: string): readonly string[] {
  const slugs = [...new Set(text.split(','))];
  if (!slugs.every(isSlug))
    throw new InvalidArgumentError('It must be neurons of the organization, such as support,sales.');
  return slugs;
}
