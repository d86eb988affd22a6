// Measures the CPU of the two bundled functions for one request, with DynamoDB and Secrets Manager in processes of their own.
import { join } from 'node:path';
import type { ResolvedStack } from 'run-template-locally';
import type { Bundle } from './assembly.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { bundleWithMemory } from './memory/bundle.ts';
import { type Endpoints, withStores } from './stores.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

/** Sent by the measuring process; milliseconds. */
export interface OwnCpu {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  /** That of the calls before those: the threads that compile are counted too. */
  readonly compilingP99: number;
}

/** Milliseconds of CPU (user and system, all threads) per request: authorizer and execution together, log entry included. */
export async function measureOwnCpu(
  stacks: readonly ResolvedStack[],
  bundles: readonly Bundle[],
): Promise<OwnCpu> {
  const files = Object.fromEntries(bundles.map(({ name, file }) => [name, file]));
  return withStores(stacks, bundles, (endpoints) => runMeasurement(bundles, files, endpoints));
}

/** The same with stores in memory: the CPU of the service's own code. */
export async function measureOwnCpuInMemory(bundles: readonly Bundle[]): Promise<OwnCpu> {
  return withTemporaryFolder(async (folder) =>
    runMeasurement(bundles, await bundleWithMemory(folder), { dynamodb: NOWHERE, secretsManager: NOWHERE }),
  );
}

const NOWHERE = 'http://127.0.0.1:9';

function runMeasurement(
  bundles: readonly Bundle[],
  input: Readonly<Record<string, string>>,
  { dynamodb: endpoint, secretsManager }: Endpoints,
): Promise<OwnCpu> {
  const program = join(import.meta.dirname, 'own-cpu-process.ts');
  const environment = { AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager };
  return runMeasuringProcess<OwnCpu>({ program, input, bundles, endpoint, environment });
}
