// How much CPU the two functions take for one request, as bundled, against a DynamoDB and a Secrets Manager in processes of their own.
import { join } from 'node:path';
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
import { runMeasuringProcess } from './measuring-process.ts';
import { bundleWithMemory } from './memory/bundle.ts';
import { seed } from './memory/settings.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const log = (): void => undefined;

/** What the measuring process prints. */
interface OwnCpu {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

/** Milliseconds of CPU (user and system, all threads) per request: authorizer and execution together, log entry included. */
export async function measureOwnCpu(
  stacks: readonly ResolvedStack[],
  bundles: readonly Bundle[],
): Promise<OwnCpu> {
  return withTemporaryFolder((folder) => measureOn(folder, stacks, bundles));
}

async function measureOn(
  dataFolder: string,
  stacks: readonly ResolvedStack[],
  bundles: readonly Bundle[],
): Promise<OwnCpu> {
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
    const files = Object.fromEntries(bundles.map(({ name, file }) => [name, file]));
    return await runMeasurement(bundles, files, endpoints);
  } finally {
    await secrets.stop();
    await engine.stop();
  }
}

interface Endpoints {
  readonly dynamodb: string;
  readonly secretsManager: string;
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

/** The same with stores in memory: only the service's own code remains. */
export async function measureOwnCpuInMemory(bundles: readonly Bundle[]): Promise<OwnCpu> {
  return withTemporaryFolder(async (folder) =>
    runMeasurement(bundles, await bundleWithMemory(folder), { dynamodb: NOWHERE, secretsManager: NOWHERE }),
  );
}

const NOWHERE = 'http://127.0.0.1:9';

function runMeasurement(
  bundles: readonly Bundle[],
  given: Readonly<Record<string, string>>,
  { dynamodb: endpoint, secretsManager }: Endpoints,
): Promise<OwnCpu> {
  const program = join(import.meta.dirname, 'own-cpu-process.ts');
  const environment = { AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager };
  return runMeasuringProcess<OwnCpu>({ program, given, bundles, endpoint, environment });
}
