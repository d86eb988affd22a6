// Stands in for lambdas/execute/compose.ts: the same ports, with stores in memory.
import { createMemoryCounters } from '../../adapters/memory/counters.ts';
import { createMemoryResponseCache, createMemoryVectorIndex } from '../../adapters/memory/response-cache.ts';
import { createMemorySecretReader } from '../../adapters/memory/secrets.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { cacheSettings } from '../../core/config/cached-settings.ts';
import { cacheVersions } from '../../core/config/cached-versions.ts';
import type { ExecutionEnvironment } from '../../lambdas/environment.ts';
import type { compose as production } from '../../lambdas/execute/compose.ts';
import { executionPorts } from './execution-ports.ts';
import { seededConfig } from './settings.ts';

const config = await seededConfig();

export function compose(environment: ExecutionEnvironment): ReturnType<typeof production> {
  const { settingsFreshMs, settingsStaleMs } = environment;
  const clock = systemClock;
  // The key of `bodies: hash`, so that texts are hashed as in production.
  const organizationId = '01'.repeat(12);
  const secrets = createMemorySecretReader(
    new Map([[`${organizationId}/log/hmac`, 'a'.repeat(44)] as const]),
  );
  const limits = { freshMs: settingsFreshMs, staleMs: settingsStaleMs, unknownMs: 5_000, maximum: 1_000 };
  return {
    ...executionPorts(environment, secrets, clock),
    settings: cacheSettings(config.settings, clock, limits),
    versions: cacheVersions(config.versions, 200),
    counters: createMemoryCounters(),
    responses: createMemoryResponseCache(),
    vectors: createMemoryVectorIndex(),
  };
}
