// What every AWS client of the command is made with.
import { fromNodeProviderChain } from '@aws-sdk/credential-providers';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Stack } from './stack.ts';

/** Region, credentials, endpoint and bounds of one client. On AWS all but the bounds come from the operator's own configuration. */
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
          // Local stand-ins check no signature, but the SDK insists on signing.
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
          ...(service === undefined ? {} : { endpoint: local[service] }),
        }),
  };
}
