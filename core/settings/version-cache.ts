// Caches versions without a TTL: they never change.
import { createBoundedMap } from '../async/bounded-map.ts';
import type { StoredVersion, VersionStore } from './stored-settings.ts';

/** A version store that reads each version once. A version that is missing is read again every time. */
export function cacheVersions(store: VersionStore, maximum: number): VersionStore {
  const versions = createBoundedMap<StoredVersion>(maximum);
  return {
    async read(organization, neuronId, id) {
      // Ids and slugs hold no '#', so no two versions share a key.
      const key = `${organization}#${neuronId}#${id}`;
      const version = versions.get(key) ?? (await store.read(organization, neuronId, id));
      if (version !== undefined) versions.put(key, version);
      return version;
    },
  };
}
