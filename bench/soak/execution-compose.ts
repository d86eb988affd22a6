// Stands in for lambdas/execute/compose.ts in the soak: the product's caches over stores that keep nothing.
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import { cacheSettings } from '../../core/config/cached-settings.ts';
import { cacheVersions } from '../../core/config/cached-versions.ts';
import type { UsableSettings } from '../../core/config/usable-settings.ts';
import type { ExecutionEnvironment } from '../../lambdas/environment.ts';
import type { compose as production } from '../../lambdas/execute/compose.ts';
import { composeMemory } from '../../lambdas/execute/compose-memory.ts';
import { settingsStore, versionStore } from './neurons.ts';
import { createSoakSecrets, SETTINGS_LIMITS, stores } from './stores.ts';

/** As in lambdas/execute/compose-stores.ts. */
const MAX_VERSIONS = 200;

export function compose(environment: ExecutionEnvironment): ReturnType<typeof production> {
  const { settingsFreshMs, settingsStaleMs, secretsFreshMs, maxDeadlineMs, counterShards } = environment;
  const clock = systemClock;
  const secrets = createSoakSecrets(secretsFreshMs);
  const http = () => Promise.reject(new Error('nothing is called in this measurement'));
  const providers = createProviders({ secrets, http, clock });
  const limits = { freshMs: settingsFreshMs, staleMs: settingsStaleMs, ...SETTINGS_LIMITS };
  return {
    stage: 'bench',
    clock,
    random: systemRandom,
    lines: standardOutput,
    counterShards,
    settings: cacheSettings(settingsStore, clock, limits),
    versions: cacheVersions(versionStore, MAX_VERSIONS),
    ...stores,
    logs: { put: async () => true },
    keyUses: { read: async () => new Map(), record: async () => undefined },
    secrets,
    ...composeMemory(clock),
    maxDeadlineMs,
    providersOf: (settings: UsableSettings) =>
      providers(settings.organizationId, settings.organization.providers),
  };
}
