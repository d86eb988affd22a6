// Ports shared by the in-memory measurements of the execution function: no network, no log, no recorded key use.

import { createGuardServices } from '../../adapters/guards/index.ts';
import type { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { ExecutionEnvironment } from '../../lambdas/environment.ts';
import { composeMemory } from '../../lambdas/execute/compose-memory.ts';

/** All ports but settings, versions and the stores of limits and answers, which measurements choose. */
export function executionPorts(
  {
    maxDeadlineMs,
    counterShards,
    transferMode,
  }: Pick<ExecutionEnvironment, 'maxDeadlineMs' | 'counterShards' | 'transferMode'>,
  secrets: SecretReader,
  clock: typeof systemClock,
) {
  const http = () => Promise.reject(new Error('nothing is called in this measurement'));
  const providers = createProviders({ secrets, http, openHttp: http, clock });
  return {
    stage: 'bench',
    transferMode,
    clock,
    random: systemRandom,
    validateJson: async () => undefined,
    lines: standardOutput,
    counterShards,
    defaultConcurrency: undefined,
    logs: { put: async () => true },
    keyUses: { read: async () => new Map<string, never>(), record: async () => undefined },
    secrets,
    ...composeMemory(clock),
    maxDeadlineMs,
    openGuard: createGuardServices({ secrets, http, clock }),
    providersOf: (settings: UsableSettings) =>
      providers(settings.organizationId, settings.organization.providers),
  };
}
