// The stand-in for Secrets Manager and the real SDK client, for one test file.
import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expect } from 'vitest';
import { startSecretsServer } from '../../secrets/server.ts';
import { afterFile, temporaryFolder } from '../support/temporary-folder.ts';

/** A server on a folder of its own, under a clock that the test moves. */
export async function startWithClient() {
  const folder = temporaryFolder();
  const clock = { seconds: 1_800_000_000 };
  const now = () => clock.seconds;
  const settings = { folder, region: 'eu-west-1', accountId: '111122223333', now, log: () => undefined };
  const start = () => startSecretsServer(settings);
  const server = await start();
  const client = connect(server.endpoint);
  afterFile(async () => {
    client.destroy();
    await server.stop();
  });
  return { folder, clock, start, server, client, ...shortcuts(client) };
}

/** The SDK's client for an endpoint. */
export function connect(endpoint: string): SecretsManagerClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new SecretsManagerClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
}

/** Matches an exception of the SDK by its name and a part of its message. */
export function awsError(name: string, text = ''): unknown {
  return expect.objectContaining({ name, message: expect.stringContaining(text) });
}

function shortcuts(client: SecretsManagerClient) {
  return {
    /** Makes a secret; `first` is its version. */
    create: async (SecretString = 'one') => {
      const name = `test/${randomUUID()}`;
      const { VersionId = '' } = await client.send(new CreateSecretCommand({ Name: name, SecretString }));
      return { name, first: VersionId };
    },
    secretOf: async (SecretId: string, more: object = {}) =>
      (await client.send(new GetSecretValueCommand({ SecretId, ...more }))).SecretString,
    stagesOf: (SecretId: string, ...versions: readonly string[]) =>
      Promise.all(
        versions.map(
          async (VersionId) =>
            (await client.send(new GetSecretValueCommand({ SecretId, VersionId }))).VersionStages,
        ),
      ),
    put: async (SecretId: string, SecretString: string, more: object = {}) =>
      (await client.send(new PutSecretValueCommand({ SecretId, SecretString, ...more }))).VersionId ?? '',
  };
}
