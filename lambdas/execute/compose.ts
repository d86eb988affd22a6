// Puts the execution function's ports together.
import { createHttp } from '../../adapters/http/request.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { ExecutionEnvironment } from '../environment.ts';
import { composeMemory } from './compose-memory.ts';
import { composeStores } from './compose-stores.ts';

/** API Gateway gives a buffered answer 29 s in all. */
const BUFFERED_DEADLINE_MS = 20_000;

/** Everything that the steps need. Made once per environment, when the bundle loads. */
export function compose(environment: ExecutionEnvironment) {
  const clock = systemClock;
  const stores = composeStores(environment);
  const providers = createProviders({ secrets: stores.secrets, http: createHttp(), clock });
  return {
    stage: environment.stage,
    clock,
    random: systemRandom,
    lines: standardOutput,
    counterShards: environment.counterShards,
    ...stores,
    ...composeMemory(clock),
    maxDeadlineMs: longestDeadline(environment),
    providersOf: ({ organizationId, organization }: UsableSettings) =>
      providers(organizationId, organization.providers),
  };
}

function longestDeadline({ transferMode, maxDeadlineMs }: ExecutionEnvironment): number {
  return transferMode === 'BUFFERED' ? Math.min(maxDeadlineMs, BUFFERED_DEADLINE_MS) : maxDeadlineMs;
}
