// The stores of a measurement: the embedded DynamoDB with the template's tables, Secrets Manager, and the documents that are called.
import { createAdminStore } from '../adapters/dynamodb/admin-store.ts';
import { createDocumentClient, DEFAULT_LIMITS } from '../adapters/dynamodb/client.ts';
import { createSecretAdmin } from '../adapters/secrets/admin.ts';
import { createSecretsClient } from '../adapters/secrets/client.ts';
import { createCaller } from '../local/dynamodb/call.ts';
import { startEngine } from '../local/dynamodb/engine.ts';
import { readTables } from '../local/dynamodb/table-definition.ts';
import { applyTables } from '../local/dynamodb/tables.ts';
import { startSecretsServer } from '../local/secrets/server.ts';
import { openSecretStore } from '../local/secrets/store.ts';
import type { ResolvedStack } from '../local/template/types.ts';
import type { Bundle } from './assembly.ts';
import { seed } from './memory/settings.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const log = (): void => undefined;

/** Where the stores are. */
export interface Endpoints {
  readonly dynamodb: string;
  readonly secretsManager: string;
}

/** Starts them, runs, and stops them. */
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
  const now = () => Math.floor(Date.now() / 1000);
  const secrets = await startSecretsServer(
    {
      store: openSecretStore(dataFolder, now),
      now,
      arnOf: (name) => `arn:aws:secretsmanager:us-east-1:000000000000:secret:${name}-bench1`,
    },
    log,
  );
  const engine = await startEngine({
    kind: 'dynoxide',
    dataFolder,
    region: 'us-east-1',
    log,
    onSpawn: () => undefined,
  });
  try {
    const call = createCaller(engine.endpoint, 'us-east-1');
    await applyTables(readTables(stacks), { call, features: engine.features, log, detail: log });
    const endpoints = { dynamodb: engine.endpoint, secretsManager: secrets.endpoint };
    await seedStores(bundles, endpoints);
    return await run(endpoints);
  } finally {
    await secrets.stop();
    await engine.stop();
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
