// The stores of a measurement: the embedded DynamoDB with the template's tables, Secrets Manager, and the documents to call.
import { type ResolvedStack, startSecrets, startTables } from 'run-template-locally';
import { createAdminStore } from '../adapters/dynamodb/admin-store.ts';
import { createDocumentClient, DEFAULT_LIMITS } from '../adapters/dynamodb/client.ts';
import { createSecretAdmin } from '../adapters/secrets/admin.ts';
import { createSecretsClient } from '../adapters/secrets/read-secret.ts';
import type { Bundle } from './assembly.ts';
import { seed } from './memory/settings.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

export interface Endpoints {
  readonly dynamodb: string;
  readonly secretsManager: string;
}

/** Starts the stores, runs, and stops them. */
export async function withStores<T>(
  stacks: readonly ResolvedStack[],
  bundles: readonly Bundle[],
  run: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder((folder) => runWithStores(folder, stacks, bundles, run));
}

async function runWithStores<T>(
  dataFolder: string,
  stacks: readonly ResolvedStack[],
  bundles: readonly Bundle[],
  run: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  const secrets = await startSecrets(dataFolder);
  const tables = await startTables(stacks, dataFolder, false);
  try {
    const endpoints = { dynamodb: tables.endpoint, secretsManager: secrets.endpoint };
    await seedStores(bundles, endpoints);
    return await run(endpoints);
  } finally {
    await secrets.stop();
    await tables.stop();
  }
}

/** The documents of the measurement in the tables of the template, and the key of the log's hashes, which every entry takes. */
async function seedStores(bundles: readonly Bundle[], endpoints: Endpoints): Promise<void> {
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-east-1',
  });
  const { CONFIG_TABLE = '', SECRET_PREFIX = '' } = bundles[0]?.environment ?? {};
  const secrets = createSecretAdmin(
    createSecretsClient({ endpoint: endpoints.secretsManager }),
    SECRET_PREFIX,
  );
  const client = createDocumentClient(DEFAULT_LIMITS, endpoints.dynamodb);
  await seed(createAdminStore(client, CONFIG_TABLE), { secrets });
}
