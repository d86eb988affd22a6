// Replaces lambdas/authorizer/compose.ts in the soak: the product's caches over stores that keep nothing.
import { parseKeySet } from '../../adapters/jwks/fetch-key-set.ts';
import { verifyWithSecret } from '../../adapters/jwt/verify-signature.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { cacheKeySets } from '../../core/access/key-set-cache.ts';
import { createJournal } from '../../core/logs/journal.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import type { AuthorizerEnvironment } from '../../lambdas/environment.ts';
import { settingsStore } from './neurons.ts';
import { createSoakSecrets, keyStore, SETTINGS_LIMITS } from './stores.ts';

/** As in lambdas/authorizer/compose.ts. */
const MAX_KEY_SETS = 200;

export function compose(environment: AuthorizerEnvironment) {
  const { settingsTtlMs, settingsMaxStaleMs, secretsTtlMs } = environment;
  const limits = { ttlMs: settingsTtlMs, maxStaleMs: settingsMaxStaleMs, ...SETTINGS_LIMITS };
  const body = Buffer.from(process.env['SOAK_KEY_SET'] ?? '');
  return {
    stage: 'bench',
    clock: systemClock,
    lines: standardOutput,
    journal: createJournal(),
    settings: cacheSettings(settingsStore, systemClock, limits),
    keys: keyStore,
    jwt: {
      secrets: createSoakSecrets(secretsTtlMs),
      verifyWithSecret,
      keySets: cacheKeySets(async () => parseKeySet(body), systemClock, {
        ttlMs: environment.keySetsTtlMs,
        maxStaleMs: environment.keySetsMaxStaleMs,
        refetchAfterMs: environment.keySetsRefetchAfterMs,
        errorBackoffMs: environment.keySetsErrorBackoffMs,
        maximum: MAX_KEY_SETS,
      }),
    },
    logs: { put: async () => true },
  };
}
