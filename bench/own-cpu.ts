// How much CPU the two functions take for one request, as bundled, against a DynamoDB in a process of its own.
import { join } from 'node:path';
import { createAdminStore } from '../adapters/dynamodb/admin-store.ts';
import { createDocumentClient, DEFAULT_LIMITS } from '../adapters/dynamodb/client.ts';
import { createCaller } from '../local/dynamodb/call.ts';
import { startEngine } from '../local/dynamodb/engine.ts';
import { readTables } from '../local/dynamodb/table-definition.ts';
import { applyTables } from '../local/dynamodb/tables.ts';
import type { ResolvedStack } from '../local/template/types.ts';
import type { Bundle } from './assembly.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { bundleWithMemory } from './memory/bundle.ts';
import { seed } from './memory/settings.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const log = (): void => undefined;

/** What the measuring process prints. */
export interface OwnCpu {
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
    await seedTables(bundles, engine.endpoint);
    const files = Object.fromEntries(bundles.map(({ name, file }) => [name, file]));
    return await runMeasurement(bundles, files, engine.endpoint);
  } finally {
    await engine.stop();
  }
}

/** The documents of the measurement, in the tables of the template. */
async function seedTables(bundles: readonly Bundle[], endpoint: string): Promise<void> {
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-east-1',
  });
  const table = bundles[0]?.environment['CONFIG_TABLE'] ?? '';
  await seed(createAdminStore(createDocumentClient(DEFAULT_LIMITS, endpoint), table));
}

/** The same with stores in memory: what is left is the service's own code. */
export async function measureOwnCpuInMemory(bundles: readonly Bundle[]): Promise<OwnCpu> {
  return withTemporaryFolder(async (folder) =>
    runMeasurement(bundles, await bundleWithMemory(folder), 'http://127.0.0.1:9'),
  );
}

function runMeasurement(
  bundles: readonly Bundle[],
  given: Readonly<Record<string, string>>,
  endpoint: string,
): Promise<OwnCpu> {
  const program = join(import.meta.dirname, 'own-cpu-process.ts');
  return runMeasuringProcess<OwnCpu>({ program, given, bundles, endpoint });
}
