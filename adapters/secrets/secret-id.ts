// The names of secrets, in a file of its own so that it can be imported without the SDK's client.
import type { SecretPurpose } from '../../core/ports/stores.ts';

/** `PREFIX/ORGANIZATION_ID/PURPOSE`, which the functions' permissions name too. */
export function toSecretId(prefix: string, organizationId: string, purpose: SecretPurpose): string {
  return `${prefix}/${organizationId}/${purpose}`;
}
