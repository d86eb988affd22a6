// Replaces lambdas/execute/compose.ts in the soak: the product's caches over stores that keep nothing.
import { createGuardServices } from '../../adapters/guards/index.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createFoundNeurons } from '../../core/settings/names/found-neurons.ts';
import { cacheNeuronLists } from '../../core/settings/names/neuron-list.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../core/settings/version-cache.ts';
import type { ExecutionEnvironment } from '../../lambdas/environment.ts';
import type { compose as production } from '../../lambdas/execute/compose.ts';
import { createMemoryConfig } from '../../test/support/memory/admin-store.ts';
import { createMemoryIdempotency } from '../../test/support/memory/idempotency.ts';
import { executionPorts } from '../memory/execution-ports.ts';
import { settingsStore, versionStore } from './neurons.ts';
import { createSoakSecrets, SETTINGS_LIMITS, stores, verdicts } from './stores.ts';

/** As in lambdas/execute/compose.ts. */
const MAX_VERSIONS = 200;

export function compose(environment: ExecutionEnvironment): ReturnType<typeof production> {
  const { settingsTtlMs, settingsMaxStaleMs, secretsTtlMs } = environment;
  const clock = systemClock;
  const secrets = createSoakSecrets(secretsTtlMs);
  const limits = { ttlMs: settingsTtlMs, maxStaleMs: settingsMaxStaleMs, ...SETTINGS_LIMITS };
  const idempotency = createMemoryIdempotency();
  return {
    ...executionPorts(environment, secrets, clock),
    settings: cacheSettings(settingsStore, clock, limits),
    // No call of it is to an organization's URL.
    modelNames: createMemoryConfig().modelNames,
    neuronLists: cacheNeuronLists(createMemoryConfig().modelNames, clock, limits),
    foundNeurons: createFoundNeurons(clock, limits),
    versions: cacheVersions(versionStore, MAX_VERSIONS),
    ...stores,
    openIdempotency: async () => idempotency,
    openGuard: createGuardServices({ secrets, http: verdicts, clock }),
  };
}
