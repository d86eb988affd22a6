// Configuration of every AWS client of the command.
import type { RuntimeConfigAwsCredentialIdentityProvider } from '@aws-sdk/types';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { once } from '../../core/async/once.ts';
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
          credentials: createChain(profile),
          ...(profile === undefined ? {} : { profile }),
        }
      : {
          // The local services check no signature, but the SDK always signs.
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
          ...(service === undefined ? {} : { endpoint: local[service] }),
        }),
  };
}

/** The SDK's chain of sources for credentials, loaded when they are needed: a local run needs none. */
function createChain(profile: string | undefined): RuntimeConfigAwsCredentialIdentityProvider {
  const open = once(async () => {
    const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
    return fromNodeProviderChain(profile === undefined ? {} : { profile });
  });
  return async (properties) => (await open())(properties);
}
