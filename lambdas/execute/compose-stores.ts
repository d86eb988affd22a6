// Puts the stores of the execution function together, each with its cache.

import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createSettingsStore, createVersionStore } from '../../adapters/dynamodb/config-store.ts';
import { COUNTER_LIMITS, createCounterStore } from '../../adapters/dynamodb/counters.ts';
import { createKeyUseStore } from '../../adapters/dynamodb/key-use-store.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { CACHE_LIMITS, createResponseCacheStore } from '../../adapters/dynamodb/response-cache.ts';
import { createVectorIndex } from '../../adapters/dynamodb/vector-index.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import { cacheVersions } from '../../core/settings/version-cache.ts';
import type { ExecutionEnvironment } from '../environment.ts';

/** Neurons and versions kept in memory; each takes some kilobytes. */
const MAX_NEURONS = 1_000;
const MAX_VERSIONS = 200;
const UNKNOWN_MS = 5_000;

/** Made once per environment. */
export function composeStores(environment: ExecutionEnvironment) {
  const client = createDocumentClient();
  const cacheClient = createDocumentClient(CACHE_LIMITS);
  return {
    settings: cacheSettings(createSettingsStore(client, environment.configTable), systemClock, {
      ttlMs: environment.settingsTtlMs,
      maxStaleMs: environment.settingsMaxStaleMs,
      unknownMs: UNKNOWN_MS,
      maximum: MAX_NEURONS,
    }),
    versions: cacheVersions(createVersionStore(client, environment.configTable), MAX_VERSIONS),
    counters: createCounterStore(createDocumentClient(COUNTER_LIMITS), environment.countersTable),
    responses: createResponseCacheStore(cacheClient, environment.cacheTable),
    vectors: createVectorIndex(cacheClient, environment.cacheTable),
    logs: createLogStore(client, environment.logsTable, environment.logShards),
    keyUses: createKeyUseStore(client, environment.countersTable),
    secrets: createSecretReader({
      prefix: environment.secretPrefix,
      ttlMs: environment.secretsTtlMs,
      clock: systemClock,
    }),
  };
}
