// Reads secrets from Secrets Manager. Loaded by the first read, so that a function that needs no secret does not load the client.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type CurrentSecret, readCurrent } from './secret-value.ts';

export type ReadSecret = (secretId: string) => Promise<CurrentSecret | undefined>;

export function openSecretStore(client: SecretsManagerClient = createSecretsClient()): ReadSecret {
  return (secretId) => readCurrent(client, secretId);
}

/** Bounds of one client; times in milliseconds. */
export interface SecretsClientLimits {
  readonly maxAttempts: number;
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
}

/** Two tries of at most 2.5 s each, so that a request that waits for a secret still answers in time. */
const DEFAULT_LIMITS: SecretsClientLimits = {
  maxAttempts: 2,
  connectionTimeout: 1_000,
  requestTimeout: 1_500,
};

/** Region, credentials and endpoint come from the standard AWS variables, or from what the command line found. */
type SecretsClientSettings = Pick<
  ConstructorParameters<typeof SecretsManagerClient>[0] & object,
  'region' | 'endpoint' | 'credentials'
>;

/** `throwOnRequestTimeout` is not the default: without it `requestTimeout` only warns (@smithy/node-http-handler 4.14). */
export function createSecretsClient(
  settings: SecretsClientSettings = {},
  { maxAttempts, connectionTimeout, requestTimeout }: SecretsClientLimits = DEFAULT_LIMITS,
): SecretsManagerClient {
  return new SecretsManagerClient({
    ...settings,
    maxAttempts,
    requestHandler: new NodeHttpHandler({ connectionTimeout, requestTimeout, throwOnRequestTimeout: true }),
  });
}
