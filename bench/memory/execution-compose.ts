// Replaces lambdas/execute/compose.ts: the same ports, with stores in memory.
import { systemClock } from '../../adapters/platform/clock.ts';
import { createFoundNeurons } from '../../core/settings/names/found-neurons.ts';
import { cacheNeuronLists } from '../../core/settings/names/neuron-list.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../core/settings/version-cache.ts';
import type { ExecutionEnvironment } from '../../lambdas/environment.ts';
import type { compose as production } from '../../lambdas/execute/compose.ts';
import { createMemoryCounters } from '../../test/support/memory/counters.ts';
import { createMemoryIdempotency } from '../../test/support/memory/idempotency.ts';
import {
  createMemoryResponseCache,
  createMemoryVectorIndex,
} from '../../test/support/memory/response-cache.ts';
import { createMemorySecretReader } from '../../test/support/memory/secrets.ts';
import { executionPorts } from './execution-ports.ts';
import { seededConfig } from './settings.ts';

const config = await seededConfig();

export function compose(environment: ExecutionEnvironment): ReturnType<typeof production> {
  const { settingsTtlMs, settingsMaxStaleMs } = environment;
  const clock = systemClock;
  // The key of `bodies: hash`: texts are hashed as in production.
  const organizationId = '01'.repeat(12);
  const secrets = createMemorySecretReader(
    new Map([[`${organizationId}/providers/log:hmac`, 'a'.repeat(44)] as const]),
  );
  const limits = { ttlMs: settingsTtlMs, maxStaleMs: settingsMaxStaleMs, unknownMs: 5_000, maximum: 1_000 };
  const idempotency = createMemoryIdempotency();
  return {
    ...executionPorts(environment, secrets, clock),
    settings: cacheSettings(config.settings, clock, limits),
    modelNames: config.modelNames,
    neuronLists: cacheNeuronLists(config.modelNames, clock, limits),
    foundNeurons: createFoundNeurons(clock, limits),
    versions: cacheVersions(config.versions, 200),
    counters: createMemoryCounters(),
    responses: createMemoryResponseCache(),
    vectors: createMemoryVectorIndex(),
    openIdempotency: async () => idempotency,
  };
}
