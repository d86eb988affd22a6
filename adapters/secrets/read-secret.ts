// Reads secrets from Secrets Manager. Loaded by the first read, so that a function that needs no secret does not load the client.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsClient } from './client.ts';
import { type CurrentSecret, readCurrent } from './secret-value.ts';

export type ReadSecret = (secretId: string) => Promise<CurrentSecret | undefined>;

export function openSecretStore(client: SecretsManagerClient = createSecretsClient()): ReadSecret {
  return (secretId) => readCurrent(client, secretId);
}
