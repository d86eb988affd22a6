// Puts the authorizer's ports together.
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createOrganizationStore, createSettingsStore } from '../../adapters/dynamodb/config-store.ts';
import { createKeyStore } from '../../adapters/dynamodb/key-store.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import type { JwtPorts } from '../../core/access/jwt.ts';
import { cacheKeySets } from '../../core/access/key-set-cache.ts';
import { lazy } from '../../core/async/lazy.ts';
import { createJournal } from '../../core/logs/journal.ts';
import { cacheOrganizationIds } from '../../core/settings/organization-ids.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import type { AuthorizerEnvironment } from '../environment.ts';

/** Neurons kept in memory; each takes some kilobytes. */
const MAX_NEURONS = 1_000;
/** How long a neuron is remembered as unknown. */
const UNKNOWN_MS = 5_000;
/** Key sets kept in memory; each is at most 100 KB as text. */
const MAX_KEY_SETS = 200;

/** Only neurons that take JWTs need it. */
const loadVerification = lazy(() => import('./verification.ts'));

export type AuthorizerPorts = ReturnType<typeof compose>;

/** Made once per environment, when the bundle loads; nothing is fetched before the first token. */
export function compose(environment: AuthorizerEnvironment) {
  const client = createDocumentClient();
  return {
    stage: environment.stage,
    clock: systemClock,
    lines: standardOutput,
    journal: createJournal(),
    settings: cacheSettings(createSettingsStore(client, environment.configTable), systemClock, {
      ttlMs: environment.settingsTtlMs,
      maxStaleMs: environment.settingsMaxStaleMs,
      unknownMs: UNKNOWN_MS,
      maximum: MAX_NEURONS,
    }),
    organizations: cacheOrganizationIds(
      createOrganizationStore(client, environment.configTable),
      systemClock,
      {
        ttlMs: environment.settingsTtlMs,
        maxStaleMs: environment.settingsMaxStaleMs,
        unknownMs: UNKNOWN_MS,
        maximum: MAX_NEURONS,
      },
    ),
    keys: createKeyStore(client, environment.keysTable),
    jwt: composeJwt(environment),
    logs: createLogStore(client, environment.logsTable, environment.logShards),
  };
}

/** The secrets of organizations and the key sets behind URLs, each with its cache. */
function composeJwt(environment: AuthorizerEnvironment): JwtPorts {
  return {
    secrets: createSecretReader({
      prefix: environment.secretPrefix,
      ttlMs: environment.secretsTtlMs,
      clock: systemClock,
    }),
    verifyWithSecret: async (...token) => (await loadVerification()).verifyWithSecret(...token),
    keySets: cacheKeySets(
      async (...request) => (await loadVerification()).fetchKeySet(...request),
      systemClock,
      {
        ttlMs: environment.keySetsTtlMs,
        maxStaleMs: environment.keySetsMaxStaleMs,
        refetchAfterMs: environment.keySetsRefetchAfterMs,
        errorBackoffMs: environment.keySetsErrorBackoffMs,
        maximum: MAX_KEY_SETS,
      },
    ),
  };
}
