// Replaces lambdas/authorizer/compose.ts: the same ports, with stores in memory.
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { NO_JWTS } from '../../core/admin/explain/example-jwt.ts';
import { createJournal } from '../../core/logs/journal.ts';
import { cacheSettings } from '../../core/settings/settings-cache.ts';
import type { AuthorizerEnvironment } from '../../lambdas/environment.ts';
import { createMemoryKeyStore } from '../../test/support/memory/key-store.ts';
import { seededConfig } from './settings.ts';

const config = await seededConfig();

export function compose({ settingsTtlMs, settingsMaxStaleMs }: AuthorizerEnvironment) {
  const limits = { ttlMs: settingsTtlMs, maxStaleMs: settingsMaxStaleMs, unknownMs: 5_000, maximum: 1_000 };
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
