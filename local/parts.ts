// Single parts of a run, for tests and measurements that need no API and no functions.

import { join } from 'node:path';
import { type CallDynamoDb, createCaller } from './dynamodb/call.ts';
import { startEngine } from './dynamodb/engine.ts';
import { readTables } from './dynamodb/table-definition.ts';
import { applyTables } from './dynamodb/tables.ts';
import { startTtlSweep } from './dynamodb/ttl.ts';
import type { RunningServer } from './loopback/serve.ts';
import { startSecretsServer } from './secrets/server.ts';
import { loadAssembly } from './template/load.ts';
import { resolveStacks } from './template/resolve-stacks.ts';
import type { ResolvedStack } from './template/types.ts';

const PLACE = { region: 'us-east-1', accountId: '000000000000' };
const HOUR_MS = 3_600_000;
const log = (): void => undefined;

/** The tables of a template, in a dynoxide of their own. */
export interface RunningTables {
  readonly endpoint: string;
  readonly names: readonly string[];
  /** Calls an operation of DynamoDB with its JSON input and output. */
  readonly call: CallDynamoDb;
  /** Deletes expired items; gives their number. */
  sweepExpired(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Reads the templates of an assembly, with default parameters.
 * @throws LocalFailure `ASSEMBLY_UNREADABLE` or `TEMPLATE_NOT_SUPPORTED`
 */
export function readStacks(assembly: string): readonly ResolvedStack[] {
  return resolveStacks(loadAssembly(assembly), {
    ...PLACE,
    parameters: {},
    inlineCodeFolder: join(assembly, 'inline'),
  });
}

/**
 * Starts a database and creates the tables of the stacks in it.
 * @throws LocalFailure `ENGINE_FAILED` or `TEMPLATE_NOT_SUPPORTED`
 */
export async function startTables(
  stacks: readonly ResolvedStack[],
  dataFolder: string,
  inMemory: boolean,
): Promise<RunningTables> {
  const { region } = PLACE;
  const tables = readTables(stacks);
  const engine = await startEngine({ kind: 'dynoxide', dataFolder, inMemory, region, onSpawn: log, log });
  try {
    const call = createCaller(engine.endpoint, region);
    await applyTables(tables, { call, features: engine.features, log, detail: log });
    return {
      endpoint: engine.endpoint,
      names: tables.map(({ name }) => name),
      call,
      sweepExpired: async () => {
        const sweep = startTtlSweep({ tables, call, intervalMs: HOUR_MS, maxItems: Infinity, log });
        return sweep.sweep().finally(() => sweep.stop());
      },
      stop: () => engine.stop(),
    };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

/** Starts the stand-in for Secrets Manager, which keeps its secrets in the folder. */
export function startSecrets(folder: string): Promise<RunningServer> {
  return startSecretsServer({ folder, ...PLACE, log });
}
