// Keeps the versions that were read: they never change, so the only bound is how many are kept.
import type { StoredVersion, VersionStore } from './stored-settings.ts';

/** A version store that reads each version once. A version that is missing is asked for again every time. */
export function cacheVersions(store: VersionStore, maximum: number): VersionStore {
  const kept = new Map<string, StoredVersion>();
  return {
    async read(organization, neuronId, id) {
      // Ids and slugs hold no '#', so no two versions share a key.
      const key = `${organization}#${neuronId}#${id}`;
      const found = kept.get(key) ?? (await store.read(organization, neuronId, id));
      if (found === undefined) return undefined;
      // Deleting first moves the key to the end: the map's first key is the one used longest ago.
      kept.delete(key);
      kept.set(key, found);
      const [oldest] = kept.keys();
      if (kept.size > maximum && oldest !== undefined) kept.delete(oldest);
      return found;
    },
  };
}
