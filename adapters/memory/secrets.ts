// Secrets in memory.
import type { SecretPurpose, SecretReader } from '../../core/ports/stores.ts';

/** Values by `ORGANIZATION_ID/PURPOSE/NAME`; the map may change between reads. */
export function createMemorySecretReader(
  values: ReadonlyMap<`${string}/${SecretPurpose}/${string}`, string>,
): SecretReader {
  return {
    read: async (organizationId, purpose, name) => values.get(`${organizationId}/${purpose}/${name}`),
  };
}
