// `neuron keys list`: the API keys of an organization, without the keys themselves.
import type { StoredKey } from '../../core/ports/keys.ts';
import { pauseAt } from '../../core/settings/blocks/pause.ts';
import { ORGANIZATION } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import type { ListedKey } from '../json/keys.ts';
import { renderTags } from '../output/caller.ts';
import type { Column } from '../output/table.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { namesOf } from './key-arguments.ts';
import { renderLimits } from './key-limits.ts';

const COLUMNS: readonly Column<ListedKey>[] = [
  { head: 'PREFIX', cell: ({ prefix }) => prefix },
  { head: 'LAST FOUR', cell: ({ lastFour }) => lastFour },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'NEURONS', cell: ({ neurons }) => neurons?.join(',') ?? 'all', flexible: true, drop: 4 },
  { head: 'LIMITS', cell: ({ limits }) => renderLimits(limits) || undefined, flexible: true, drop: 5 },
  { head: 'TAGS', cell: ({ tags }) => renderTags(tags) || undefined, flexible: true, drop: 4 },
  { head: 'CREATED', cell: ({ createdAt }) => createdAt, drop: 1 },
  { head: 'EXPIRES', cell: ({ expiresAt }) => expiresAt ?? undefined, drop: 2 },
  { head: 'PAUSED', cell: ({ pausedAt }) => pausedAt ?? undefined },
  { head: 'REVOKED', cell: ({ revokedAt }) => revokedAt ?? undefined },
  { head: 'LAST USED', cell: ({ lastUsedAt }) => lastUsedAt ?? undefined, drop: 3 },
];

export const keysList = command({
  name: 'list',
  description: 'Lists API keys, including revoked and expired ones, oldest first.',
  arguments: { organization: ORGANIZATION },
  result: { columns: COLUMNS, none: ({ organization }) => `${organization} has no keys yet.` },
  async run({ organization: slug }, { connect }) {
    const { store, keys, keyUses, clock } = await connect();
    const organization = await requireOrganization(store, slug);
    const stored: StoredKey[] = [];
    for await (const key of keys.list(organization.id)) stored.push(key);
    const [neurons, lastUses] = await Promise.all([
      store.listNeurons(organization),
      keyUses.read(stored.map(({ keyId }) => keyId)),
    ]);
    const slugs = new Map(neurons.map(({ id, slug: name }) => [id, name]));
    return stored
      .toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
      .map((key) => toListedKey(key, { slugs, nowMs: clock.now() }, lastUses.get(key.keyId)));
  },
});

function toListedKey(
  key: StoredKey,
  { slugs, nowMs }: { readonly slugs: ReadonlyMap<string, string>; readonly nowMs: number },
  lastUsedAt: string | undefined,
): ListedKey {
  const { keyId, prefix, lastFour, name, createdAt, createdBy } = key;
  const { expiresAt = null, revokedAt = null, replacedAt = null } = key;
  const { usageLimits = [], tags = {}, pause } = key;
  const { onBehalfOf = false, tagsFromCalls = false, imported = false } = key;
  return {
    keyId,
    prefix,
    lastFour,
    name,
    neurons: namesOf(key, slugs),
    limits: usageLimits,
    tags,
    onBehalfOf,
    tagsFromCalls,
    imported,
    pausedAt: pauseAt(pause, nowMs)?.since ?? null,
    createdAt,
    createdBy,
    expiresAt,
    revokedAt,
    replacedAt,
    lastUsedAt: lastUsedAt ?? null,
  };
}
