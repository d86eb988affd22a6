// Puts the rollup function's ports together.
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createSealHeads } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createSealing } from '../../core/logs/seals/sealing.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { CountingPorts } from '../../core/usage/count-entries.ts';
import type { RollupEnvironment } from '../environment.ts';

/** What the function works with. */
export interface RollupPorts extends CountingPorts {
  readonly lines: LineSink;
}

/** Nobody waits for this function, and a transaction of a hundred writes takes longer than one write. */
const LIMITS = { maxAttempts: 3, connectionTimeout: 1_000, requestTimeout: 3_000 };

/** Made once per environment, when the bundle loads. */
export function compose(environment: RollupEnvironment): RollupPorts {
  const client = createDocumentClient(LIMITS);
  const { usageTable } = environment;
  return {
    ledger: createUsageLedger(client, usageTable),
    sealing: createSealing(createSealHeads(client, usageTable), systemClock),
    clock: systemClock,
    random: systemRandom,
    lines: standardOutput,
  };
}
