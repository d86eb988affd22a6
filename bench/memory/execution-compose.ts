// Stands in for lambdas/execute/compose.ts: the same ports, with stores in memory.
import { createMemoryCounters } from '../../adapters/memory/counters.ts';
import { createMemoryResponseCache, createMemoryVectorIndex } from '../../adapters/memory/response-cache.ts';
import { createMemorySecretReader } from '../../adapters/memory/secrets.ts';
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
import { seededConfig } from './settings.ts';

const config = await seededConfig();

export function compose(environment: ExecutionEnvironment): ReturnType<typeof production> {
  const { settingsFreshMs, settingsStaleMs, maxDeadlineMs, counterShards } = environment;
  const clock = systemClock;
  // The key of `bodies: hash`, so that texts are hashed as in production.
  const organizationId = '01'.repeat(12);
  const secrets = createMemorySecretReader(
    new Map([[`${organizationId}/log/hmac`, 'a'.repeat(44)] as const]),
  );
  const http = () => Promise.reject(new Error('nothing is called in this measurement'));
  const providers = createProviders({ secrets, http, clock });
  const limits = { freshMs: settingsFreshMs, staleMs: settingsStaleMs, unknownMs: 5_000, maximum: 1_000 };
  return {
    stage: 'bench',
    clock,
    random: systemRandom,
    lines: standardOutput,
    counterShards,
    settings: cacheSettings(config.settings, clock, limits),
    versions: cacheVersions(config.versions, 200),
    counters: createMemoryCounters(),
    responses: createMemoryResponseCache(),
    vectors: createMemoryVectorIndex(),
    logs: { put: async () => true },
    keyUses: { read: async () => new Map(), record: async () => undefined },
    secrets,
    ...composeMemory(clock),
    maxDeadlineMs,
    providersOf: (settings: UsableSettings) =>
      providers(settings.organizationId, settings.organization.providers),
  };
}
