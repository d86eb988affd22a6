// Stands in for lambdas/execute/compose.ts: the same ports, with stores in memory.
import { createMemorySecretReader } from '../../adapters/memory/secrets.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { standardOutput } from '../../adapters/platform/standard-output.ts';
import { createProviders } from '../../adapters/providers/index.ts';
import { cacheSettings } from '../../core/config/cached-settings.ts';
import { cacheVersions } from '../../core/config/cached-versions.ts';
import type { UsableSettings } from '../../core/config/usable-settings.ts';
import { createJournal } from '../../core/logs/journal.ts';
import type { ExecutionEnvironment } from '../../lambdas/environment.ts';
import { seededConfig } from './settings.ts';

const config = await seededConfig();

export function compose({ settingsFreshMs, settingsStaleMs, maxDeadlineMs }: ExecutionEnvironment) {
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
    lines: standardOutput,
    journal: createJournal(),
    settings: cacheSettings(config.settings, clock, limits),
    versions: cacheVersions(config.versions, 200),
    logs: { put: async () => undefined },
    secrets,
    maxDeadlineMs,
    providersOf: (settings: UsableSettings) =>
      providers(settings.organizationId, settings.organization.providers),
  };
}
