// `neuron keys list`: the API keys of an organization, without the keys themselves.
import type { Command } from 'commander';
import type { StoredKey } from '../../core/ports/keys.ts';
import type { ListedKey } from '../json/keys.ts';
import type { Output } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { Bind } from '../session/session.ts';
import { checkOrganization } from '../session/target.ts';
import { renderLimits } from './key-limits.ts';

const COLUMNS: readonly Column<ListedKey>[] = [
  { head: 'PREFIX', cell: ({ prefix }) => prefix },
  { head: 'LAST FOUR', cell: ({ lastFour }) => lastFour },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'NEURONS', cell: ({ neurons }) => neurons?.join(',') ?? 'all', flexible: true, drop: 4 },
  { head: 'LIMITS', cell: ({ limits }) => renderLimits(limits) || undefined, flexible: true, drop: 5 },
  { head: 'CREATED', cell: ({ createdAt }) => createdAt, drop: 1 },
  { head: 'EXPIRES', cell: ({ expiresAt }) => expiresAt ?? undefined, drop: 2 },
  { head: 'REVOKED', cell: ({ revokedAt }) => revokedAt ?? undefined },
  { head: 'LAST USED', cell: ({ lastUsedAt }) => lastUsedAt ?? undefined, drop: 3 },
];

export function registerKeysList(keys: Command, bind: Bind): void {
  keys
    .command('list')
    .description('Lists API keys, including revoked and expired ones, oldest first.')
    .argument('<organization>', 'the organization', checkOrganization)
    .action(
      bind(async (session, { args: [organization = ''] }) => {
        await listKeys({ args: { organization }, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Lists all keys of an organization. */
async function listKeys({
  args,
  ports,
  out,
}: {
  readonly args: { readonly organization: string };
  readonly ports: Pick<Ports, 'store' | 'keys' | 'keyUses'>;
  readonly out: Output;
}): Promise<void> {
  const organization = await requireOrganization(ports.store, args.organization);
  const keys: StoredKey[] = [];
  for await (const key of ports.keys.list(organization.id)) keys.push(key);
  const [neurons, lastUses] = await Promise.all([
    ports.store.listNeurons(organization),
    ports.keyUses.read(keys.map(({ keyId }) => keyId)),
  ]);
  const slugs = new Map(neurons.map(({ id, slug }) => [id, slug]));
  const oldestFirst = keys.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  out.list(
    oldestFirst.map((key) => toListedKey(key, slugs, lastUses.get(key.keyId))),
    COLUMNS,
    `${args.organization} has no keys yet.`,
  );
}

function toListedKey(
  key: StoredKey,
  slugs: ReadonlyMap<string, string>,
  lastUsedAt: string | undefined,
): ListedKey {
  const { keyId, prefix, lastFour, name, createdAt, createdBy } = key;
  return {
    ...{ keyId, prefix, lastFour, name },
    neurons: key.neurons?.map((id) => slugs.get(id) ?? id) ?? null,
    limits: key.usageLimits ?? [],
    ...{ createdAt, createdBy },
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
  };
}
