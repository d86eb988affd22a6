// Configuration of every AWS client of the command.
import { fromNodeProviderChain } from '@aws-sdk/credential-providers';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Stack } from './stack.ts';

/** Region, credentials, endpoint and timeouts of one client. On AWS, all but the timeouts come from the operator's configuration. */
export function clientConfig(
  { region, profile, local }: Pick<Stack, 'region' | 'profile' | 'local'>,
  service?: 'dynamodb' | 'secretsmanager',
) {
  return {
    maxAttempts: 3,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 5_000,
      requestTimeout: 15_000,
      throwOnRequestTimeout: true,
    }),
    ...(region === undefined ? {} : { region }),
    ...(local === undefined
      ? {
          credentials: fromNodeProviderChain({
            ...(profile === undefined ? {} : { profile }),
          }),
          ...(profile === undefined ? {} : { profile }),
        }
      : {
          // The local services check no signature, but the SDK always signs.
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
          ...(service === undefined ? {} : { endpoint: local[service] }),
        }),
  };
}
