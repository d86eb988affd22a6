// Puts the authorizer's ports together.
import { createDocumentClient } from '../../adapters/dynamodb/client.ts';
import { createSettingsStore } from '../../adapters/dynamodb/config-store.ts';
import { createKeyStore } from '../../adapters/dynamodb/key-store.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createJournal } from '../../core/logs/journal.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import type { AuthorizerEnvironment } from '../environment.ts';
import { composeJwt } from './compose-jwt.ts';

const MAX_NEURONS = 1_000;
const UNKNOWN_MS = 5_000;

/** Everything that judging access needs. Made once per environment, when the bundle loads. */
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
    keys: createKeyStore(client, environment.keysTable),
    jwt: composeJwt(environment),
    logs: createLogStore(client, environment.logsTable, environment.logShards),
  };
}
