// The names of secrets. Apart from what reads them, which brings the SDK's client along.
import type { SecretPurpose } from '../../core/ports/stores.ts';

/** `PREFIX/ORGANIZATION_ID/PURPOSE`: what the functions' permissions name, too. */
export function secretIdOf(prefix: string, organizationId: string, purpose: SecretPurpose): string {
  return `${prefix}/${organizationId}/${purpose}`;
}
