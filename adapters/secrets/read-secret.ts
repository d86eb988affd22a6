// Reads secrets from Secrets Manager. The one module that a reader loads, so that a function that needs no secret has no client of it.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsClient } from './client.ts';
import { type CurrentSecret, readCurrent } from './secret-value.ts';

/** Reads one secret by its id, as `readCurrent` does. */
export type ReadSecret = (secretId: string) => Promise<CurrentSecret | undefined>;

/** Makes the client, unless one is given. */
export function openSecretStore(client: SecretsManagerClient = createSecretsClient()): ReadSecret {
  return (secretId) => readCurrent(client, secretId);
}
