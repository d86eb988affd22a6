// The ports of one process: the adapters that the execution function has, one of each as in an environment.
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { COUNTER_LIMITS, createCounterStore } from '../../../adapters/dynamodb/counters.ts';
import { createHttp, createOpenHttp } from '../../../adapters/http/request.ts';
import { systemRandom } from '../../../adapters/platform/random.ts';
import { createProviders } from '../../../adapters/providers/index.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import type { ExecutePorts } from './execute.ts';

/** Where counters are. */
export interface CountersAt {
  readonly dynamodbUrl: string;
  readonly table: string;
}

/** Patient, since the machine may do other things too: counting is proved here, and the whole stack has the product's own times. */
const PATIENT = { ...COUNTER_LIMITS, connectionTimeout: 20_000, requestTimeout: 20_000 };

let store: CounterStore | undefined;

/** One client for the life of the process; what is known of limits begins anew with each scenario. */
export function createPorts({ dynamodbUrl, table }: CountersAt, clock: Clock): ExecutePorts {
  store ??= createCounterStore(createDocumentClient(PATIENT, dynamodbUrl), table);
  return {
    counters: store,
    exhaustionCache: createExhaustionCache(),
    circuits: createCircuitBreakers(clock),
    clock,
    random: systemRandom,
    providersOf: createProviders({
      secrets: createMemorySecretReader(new Map()),
      http: createHttp(),
      openHttp: createOpenHttp(),
      clock,
    }),
  };
}
