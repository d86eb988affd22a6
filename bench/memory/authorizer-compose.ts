// Stands in for lambdas/authorizer/compose.ts: the same ports, with stores in memory.
import { createMemoryKeyStore } from '../../adapters/memory/key-store.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { NO_JWTS } from '../../core/access/example-jwt.ts';
import { cacheSettings } from '../../core/config/cached-settings.ts';
import { createJournal } from '../../core/logs/journal.ts';
import type { AuthorizerEnvironment } from '../../lambdas/environment.ts';
import { seededConfig } from './settings.ts';

const config = await seededConfig();

export function compose({ settingsFreshMs, settingsStaleMs }: AuthorizerEnvironment) {
  const limits = { freshMs: settingsFreshMs, staleMs: settingsStaleMs, unknownMs: 5_000, maximum: 1_000 };
  return {
    stage: 'bench',
    clock: systemClock,
    lines: standardOutput,
    journal: createJournal(),
    settings: cacheSettings(config.settings, systemClock, limits),
    keys: createMemoryKeyStore(),
    jwt: NO_JWTS,
    logs: { put: async () => true },
  };
}
