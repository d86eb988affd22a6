// How much CPU the two functions take for one request, as bundled, against a DynamoDB in a process of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdminStore } from '../adapters/dynamodb/admin-store.ts';
import { createDocumentClient, DEFAULT_LIMITS } from '../adapters/dynamodb/client.ts';
import { systemClock } from '../adapters/platform/clock.ts';
import { systemRandom } from '../adapters/platform/random.ts';
import { applyChanges } from '../core/config/apply.ts';
import { planChanges } from '../core/config/plan.ts';
import { createCaller } from '../local/dynamodb/call.ts';
import { startEngine } from '../local/dynamodb/engine.ts';
import { readTables } from '../local/dynamodb/table-definition.ts';
import { applyTables } from '../local/dynamodb/tables.ts';
import type { ResolvedStack } from '../local/template/types.ts';
import type { Bundle } from './assembly.ts';

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
  const dataFolder = mkdtempSync(join(tmpdir(), 'own-cpu-'));
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
    await seed(bundles, engine.endpoint);
    return await runMeasurement(bundles, engine.endpoint);
  } finally {
    await engine.stop();
  }
}

/** One public neuron with the echo provider, through the product's own plan and apply. */
async function seed(bundles: readonly Bundle[], endpoint: string): Promise<void> {
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'us-east-1',
  });
  const table = bundles[0]?.environment['CONFIG_TABLE'] ?? '';
  const store = createAdminStore(createDocumentClient(DEFAULT_LIMITS, endpoint), table);
  const given = {
    organizations: [
      { slug: 'acme', document: { organization: 'acme', providers: { demo: { type: 'echo' as const } } } },
    ],
    neurons: [
      {
        organization: 'acme',
        slug: 'hello',
        // No secret to read: there is no Secrets Manager in this measurement.
        settings: { neuron: 'acme/hello', access: { public: true }, logging: { bodies: 'none' as const } },
        flow: [{ callModel: { provider: 'demo', model: 'echo-1' } }],
      },
    ],
  };
  const secrets = {
    list: async () => [],
    set: async () => undefined,
    remove: async () => false,
    mintLogKey: async () => undefined,
    removeAll: async () => undefined,
  };
  const ports = {
    store,
    secrets,
    keys: { revokeAll: async () => 0 },
    clock: systemClock,
    random: systemRandom,
    author: 'bench',
  };
  const { changes } = planChanges(given, [], { deploy: 'changed', prune: false });
  for await (const _change of applyChanges(changes, ports));
}

async function runMeasurement(bundles: readonly Bundle[], endpoint: string): Promise<OwnCpu> {
  const files = Object.fromEntries(bundles.map(({ name, file }) => [name, file]));
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'own-cpu-process.ts'), JSON.stringify(files)],
    {
      env: {
        ...Object.assign({}, ...bundles.map(({ environment }) => environment)),
        PATH: process.env['PATH'],
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const result = new Promise<OwnCpu>((resolve, reject) => {
    child.once('message', (message) => resolve(message as OwnCpu));
    child.once('exit', (code) => reject(new Error(`the measuring process ended with ${code}`)));
  });
  return result;
}
