// Puts the execution function's ports together.
import { createDocumentClient, DEFAULT_LIMITS } from '../../adapters/dynamodb/client.ts';
import { createSettingsStore, createVersionStore } from '../../adapters/dynamodb/config-store.ts';
import { COUNTER_LIMITS, createCounterStore } from '../../adapters/dynamodb/counters.ts';
import { createKeyUseStore } from '../../adapters/dynamodb/key-use-store.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { createModelNameStore } from '../../adapters/dynamodb/names/model-name-store.ts';
import { CACHE_LIMITS, createResponseCacheStore } from '../../adapters/dynamodb/response-cache.ts';
import { createVectorIndex } from '../../adapters/dynamodb/vector-index.ts';
import { createGuardServices } from '../../adapters/guards/index.ts';
import { createConnections } from '../../adapters/http/connections.ts';
import { bindToHosts } from '../../adapters/http/listed-hosts.ts';
import { readingWhole } from '../../adapters/http/read-whole.ts';
import { createOpenHttp } from '../../adapters/http/request.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { systemRandom } from '../../adapters/platform/random.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import { validateJson } from '../../adapters/schema/validate-json.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import { lazy } from '../../core/async/lazy.ts';
import { createFoundNeurons } from '../../core/settings/names/found-neurons.ts';
import { cacheNeuronLists } from '../../core/settings/names/neuron-list.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import { cacheVersions } from '../../core/settings/version-cache.ts';
import type { ExecutionEnvironment } from '../environment.ts';
import { composeMemory } from './compose-memory.ts';

/** API Gateway gives a buffered answer 29 s in all. */
const BUFFERED_DEADLINE_MS = 20_000;

/** Neurons and versions kept in memory; each takes some kilobytes. */
const MAX_NEURONS = 1_000;
const MAX_VERSIONS = 200;
/** Organizations whose neurons were listed; each of 10,000 neurons takes some megabytes. */
const MAX_LISTS = 10;
/** Names of neurons that keys have reached; each takes some hundred bytes. */
const MAX_NAMES = 5_000;
/** How long it is remembered that a neuron does not exist. */
const UNKNOWN_MS = 5_000;

/** The ports of the execution function. Each step and each duty at the end takes the few that it needs. */
export type ExecutionPorts = ReturnType<typeof compose>;

/** Made once per environment, when the bundle loads. */
export function compose(environment: ExecutionEnvironment) {
  const clock = systemClock;
  const stores = composeStores(environment);
  const openHttp = bindToHosts(environment.providerHosts, createOpenHttp());
  const http = readingWhole(openHttp);
  const providers = createProviders({ secrets: stores.secrets, http, openHttp, clock });
  return {
    stage: environment.stage,
    transferMode: environment.transferMode,
    clock,
    random: systemRandom,
    validateJson,
    lines: standardOutput,
    counterShards: environment.counterShards,
    defaultConcurrency: environment.organizationConcurrency || undefined,
    ...stores,
    ...composeMemory(clock),
    maxDeadlineMs: longestDeadline(environment),
    openGuard: createGuardServices({ secrets: stores.secrets, http, clock }),
    providersOf: ({ organizationId, organization }: UsableSettings) =>
      providers(organizationId, organization.providers),
  };
}

function composeStores(environment: ExecutionEnvironment) {
  const connections = createConnections();
  const client = createDocumentClient(DEFAULT_LIMITS, undefined, connections);
  const cacheClient = createDocumentClient(CACHE_LIMITS, undefined, connections);
  const counterClient = createDocumentClient(COUNTER_LIMITS, undefined, connections);
  const modelNames = createModelNameStore(client, environment.configTable);
  return {
    settings: cacheSettings(createSettingsStore(client, environment.configTable), systemClock, {
      ttlMs: environment.settingsTtlMs,
      maxStaleMs: environment.settingsMaxStaleMs,
      unknownMs: UNKNOWN_MS,
      maximum: MAX_NEURONS,
    }),
    modelNames,
    neuronLists: cacheNeuronLists(modelNames, systemClock, {
      ttlMs: environment.settingsTtlMs,
      maxStaleMs: environment.settingsMaxStaleMs,
      maximum: MAX_LISTS,
    }),
    foundNeurons: createFoundNeurons(systemClock, {
      ttlMs: environment.settingsTtlMs,
      maxStaleMs: environment.settingsMaxStaleMs,
      maximum: MAX_NAMES,
    }),
    versions: cacheVersions(createVersionStore(client, environment.configTable), MAX_VERSIONS),
    counters: createCounterStore(counterClient, environment.countersTable),
    responses: createResponseCacheStore(cacheClient, environment.cacheTable),
    openIdempotency: lazy(async () => {
      const { createIdempotencyStore } = await import('../../adapters/dynamodb/idempotency.ts');
      return createIdempotencyStore(client, environment.cacheTable);
    }),
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

function longestDeadline({ transferMode, maxDeadlineMs }: ExecutionEnvironment): number {
  return transferMode === 'BUFFERED' ? Math.min(maxDeadlineMs, BUFFERED_DEADLINE_MS) : maxDeadlineMs;
}
