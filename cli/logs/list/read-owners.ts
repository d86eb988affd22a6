// Reads the log of one owner or of several as one, newest first, with the names of API keys beside their ids.
import type { KeyAdmin } from '../../../core/ports/keys.ts';
import type { ListedEntry, LogQuery, LogReader } from '../../../core/ports/log-reader.ts';
import type { Output } from '../../output/print.ts';

/** Whose entries. */
export interface LogOwner {
  readonly organizationId: string;
  readonly neuronId: string | undefined;
}

/** An entry with the name of its key; none where it has no key, or the key is unknown. */
export interface NamedEntry extends ListedEntry {
  readonly keyName?: string | undefined;
}

/** What entries of given owners are asked by. */
export type OwnersQuery = Omit<LogQuery, keyof LogOwner>;

/** The log of given owners. */
export interface OwnersReader {
  list(query: OwnersQuery, onProgress?: Parameters<LogReader['list']>[1]): AsyncIterable<NamedEntry>;
}

/** Finds the name of a key. */
type NameKey = (organizationId: string, keyId: string | undefined) => Promise<string | undefined>;

/** Each costs a query of an index; beyond it ids stay ids. */
const MAX_KEYS = 200;

/** Names by key, each looked up once. Without the right to read keys the log is shown all the same, with ids alone. */
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

/** The log of these owners as one. */
export function readOwners(
  owners: readonly LogOwner[],
  { logReader, nameKey }: { readonly logReader: LogReader; readonly nameKey: NameKey },
): OwnersReader {
  return {
    list: (query, onProgress) =>
      mergeNewestFirst(
        owners.map((owner) => named(owner, logReader.list({ ...query, ...owner }, onProgress), nameKey)),
      ),
  };
}

async function* named(
  { organizationId }: LogOwner,
  entries: AsyncIterable<ListedEntry>,
  nameKey: NameKey,
): AsyncGenerator<NamedEntry> {
  for await (const entry of entries) {
    const keyName = await nameKey(organizationId, entry.keyId);
    yield keyName === undefined ? entry : { ...entry, keyName };
  }
}

/** Every source is newest first, and so is the result. */
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
