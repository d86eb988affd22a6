// Reads the logs of owners as one, newest first, with the names of API keys.
import type { KeyAdmin } from '../../../core/ports/keys.ts';
import type { ListedEntry, LogQuery, LogReader } from '../../../core/ports/log-reader.ts';
import type { Output } from '../../output/print.ts';
import { findNamesOfUser } from '../../session/names-of-user.ts';
import type { Ports } from '../../session/ports.ts';
import type { LogOwner } from '../find-log-owner.ts';

/** An entry with the name of its key, if that is known. */
export interface NamedEntry extends ListedEntry {
  readonly keyName?: string | undefined;
}

export type OwnersQuery = Omit<LogQuery, keyof LogOwner>;

export interface OwnersReader {
  list(query: OwnersQuery, onProgress?: Parameters<LogReader['list']>[1]): AsyncIterable<NamedEntry>;
}

type NameKey = (organizationId: string, keyId: string | undefined) => Promise<string | undefined>;

/** Max. number of keys that are named, since each name costs a query of an index. */
const MAX_KEYS = 200;

/** Looks each key up once. Without the permission to read keys, entries are shown with ids alone. */
export function createKeyNames(keys: Pick<KeyAdmin, 'find'>, out: Pick<Output, 'message'>): NameKey {
  const names = new Map<string, string | undefined>();
  let isReadable = true;
  return async (organizationId, keyId) => {
    if (keyId === undefined || !isReadable) return undefined;
    const id = `${organizationId} ${keyId}`;
    if (!names.has(id)) {
      if (names.size === MAX_KEYS) return undefined;
      const found = await keys.find(organizationId, keyId).catch(() => {
        isReadable = false;
        out.message('Names of API keys are not shown: the keys could not be read.');
        return undefined;
      });
      names.set(id, found?.name);
    }
    return names.get(id);
  };
}

export function readOwners(
  owners: readonly LogOwner[],
  { logReader, nameKey }: { readonly logReader: LogReader; readonly nameKey: NameKey },
): OwnersReader {
  return {
    list: (query, onProgress) =>
      mergeNewestFirst(
        owners.map((owner) =>
          withKeyNames(owner, logReader.list({ ...query, ...owner }, onProgress), nameKey),
        ),
      ),
  };
}

async function* withKeyNames(
  { organizationId }: LogOwner,
  entries: AsyncIterable<ListedEntry>,
  nameKey: NameKey,
): AsyncGenerator<NamedEntry> {
  for await (const entry of entries) {
    const keyName = await nameKey(organizationId, entry.keyId);
    yield keyName === undefined ? entry : { ...entry, keyName };
  }
}

/** Every source is newest first. */
async function* mergeNewestFirst(
  iterators: readonly AsyncGenerator<NamedEntry>[],
): AsyncGenerator<NamedEntry> {
  try {
    const heads = await Promise.all(
      iterators.map(async (iterator) => ({ iterator, head: await iterator.next() })),
    );
    for (;;) {
      let newest: (typeof heads)[number] | undefined;
      for (const one of heads) {
        if (one.head.done) continue;
        if (newest === undefined || newest.head.done || one.head.value.timeMs > newest.head.value.timeMs)
          newest = one;
      }
      if (newest === undefined || newest.head.done) return;
      yield newest.head.value;
      newest.head = await newest.iterator.next();
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return(undefined)));
  }
}

/** An owner, and the slug by which it was asked for. */
export interface NamedOwner extends LogOwner {
  readonly organization: string;
}

/** Each owner once for each name under which entries may have the user. */
export async function withNamesOfUser(
  owners: readonly NamedOwner[],
  username: string | undefined,
  ports: Pick<Ports, 'store' | 'secretReader'>,
  out: Pick<Output, 'message'>,
): Promise<readonly (LogOwner & Pick<OwnersQuery, 'username'>)[]> {
  if (username === undefined) return owners.map(toOwner);
  const read = mapOnce((id: string, organization: string) =>
    findNamesOfUser(username, { organizationId: id, organization }, ports, out),
  );
  const named: (LogOwner & Pick<OwnersQuery, 'username'>)[] = [];
  for (const owner of owners)
    for (const name of await read(owner.organizationId, owner.organization))
      named.push({ ...toOwner(owner), username: name });
  return named;
}

function toOwner({ organizationId, neuronId }: LogOwner): LogOwner {
  return { organizationId, neuronId };
}

/** Asks once for each id. */
function mapOnce<T>(find: (id: string, slug: string) => Promise<T>) {
  const found = new Map<string, Promise<T>>();
  return (id: string, slug: string): Promise<T> => {
    const known = found.get(id) ?? find(id, slug);
    found.set(id, known);
    return known;
  };
}
