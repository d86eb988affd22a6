// One organization with limits, its counters, an outbox, two channels, and environments that share them.
import { type Alerts, createAlerts } from '../../../core/alerts/alerts.ts';
import type { AlertedEntry } from '../../../core/alerts/find-alerts.ts';
import { planCounters } from '../../../core/limits/plan-counters.ts';
import type { AlertOutbox, AlertRecord } from '../../../core/ports/alerts.ts';
import type { LimitMetric } from '../../../core/ports/counters.ts';
import type { UsageLimit } from '../../../core/settings/usage-limits.ts';
import { createMemoryAlerts, createMemoryChannel } from '../../support/memory/alerts.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';

/** 2026-11-21T12:00:00Z. */
export const NOON_MS = Date.UTC(2026, 10, 21, 12);
export const ENTRY: AlertedEntry = {
  organization: 'acme',
  organizationId: 'org-1',
  keyId: undefined,
  timeMs: NOON_MS,
};

export function createAlerting(usageLimits: readonly UsageLimit[], keyLimits: readonly UsageLimit[] = []) {
  const clock = createMemoryClock(NOON_MS);
  const store = createMemoryAlerts();
  const counters = createMemoryCounters();
  const channels = [createMemoryChannel('eventBus'), createMemoryChannel('topic')] as const;
  const input = { limits: usageLimits, keyLimits };
  const ports = {
    limits: {
      organization: async (slug: string) => (slug === 'acme' ? input.limits : []),
      key: async (_: string, keyId: string) => (keyId === 'k1' ? input.keyLimits : []),
    },
    ...{ counters, channels, clock, random: createMemoryRandom(), stage: 'test', watch: store },
  };
  return {
    ...{ clock, store, counters, channels, ports, input },
    /** The alerts of another environment. */
    environment: (outbox: AlertOutbox = store): Alerts => createAlerts({ ...ports, outbox }),
    /** Uses and holds amounts of the counters that requests of this time have, as the limits of a request do. */
    async use(metric: LimitMetric, taken: number, held = 0, timeMs = NOON_MS): Promise<void> {
      const caller = { authentication: 'apiKey' as const, username: undefined, keyId: 'k1', sourceIp: '' };
      const planned = planCounters({
        ...{ neuronId: 'neu-1', organizationId: 'org-1', rateLimits: [], caller, timeMs, shards: 1 },
        ...{ usageLimits: [...input.limits], keyLimits: input.keyLimits, takesKeys: true },
        ...{ defaultConcurrency: undefined, runEndsAtMs: timeMs + 60_000 },
      });
      for (const { items } of planned) {
        const changes = [{ metric, taken, held, limit: Number.MAX_SAFE_INTEGER }];
        for (const { key, limits } of items)
          if (limits.some((one) => one.metric === metric))
            await counters.reserve({ key, changes, atMs: timeMs, expiresAt: 0 });
      }
    },
    async records(): Promise<AlertRecord[]> {
      const found: AlertRecord[] = [];
      for await (const record of store.list('org-1')) found.push(record);
      return found;
    },
    /** What a channel took, as `metric share`. */
    taken: (index: 0 | 1 = 0) => channels[index].taken.map(({ metric, share }) => `${metric} ${share}`),
  };
}
