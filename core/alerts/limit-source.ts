// Reads the usage limits for alerts, and caches them for the time that the stage allows.

import { createCache } from '../async/cache.ts';
import type { KeyAdmin } from '../ports/keys.ts';
import { organizationSchema } from '../settings/organization-schema.ts';
import type { OrganizationStore } from '../settings/stored-settings.ts';
import type { KeyLimit, UsageLimit } from '../settings/usage-limits.ts';
import type { Clock } from '../time/clock.ts';
import type { LimitSource } from './find-alerts.ts';

interface LimitStores {
  readonly organizations: OrganizationStore;
  readonly keys: Pick<KeyAdmin, 'find'>;
}

/** A batch of the log has at most a hundred organizations and keys. */
const MAXIMUM = 1_000;

/** Limits that are at most `ttlMs` old. */
export function createLimitSource(
  { organizations, keys }: LimitStores,
  clock: Clock,
  { ttlMs }: { readonly ttlMs: number },
): LimitSource {
  const cache = createCache<KnownLimits>(clock, {
    maximum: MAXIMUM,
    // A batch whose limits cannot be read is delivered again: better than using old limits.
    maxStaleMs: 0,
    errorBackoffMs: 0,
    backOffWithoutValue: false,
  });
  const read = async (name: readonly string[], load: () => Promise<KnownLimits>): Promise<KnownLimits> => {
    const isFresh = (_: KnownLimits, ageMs: number) => ageMs < ttlMs;
    return (await cache.read(JSON.stringify(name), { isFresh, load })).value;
  };
  return {
    async organization(slug, id) {
      const known = await read([slug], () => readOrganization(organizations, slug));
      // The slug may belong to another organization now.
      return known.organizationId === id ? known.limits : [];
    },
    async key(organizationId, keyId) {
      const load = async () => {
        const key = await keys.find(organizationId, keyId);
        return { organizationId, limits: (key?.usageLimits ?? []).filter(isWatched) };
      };
      return (await read([organizationId, keyId], load)).limits;
    },
  };
}

/** A window of a minute has ended before an alert of it would be read. */
function isWatched(limit: KeyLimit): limit is UsageLimit {
  return limit.period !== 'minute';
}

interface KnownLimits {
  readonly organizationId: string | undefined;
  readonly limits: readonly UsageLimit[];
}

/** Settings that do not parse have no limits, since an error would block the stream for hours; their neurons do not answer either. */
async function readOrganization(organizations: OrganizationStore, slug: string): Promise<KnownLimits> {
  const stored = await organizations.read(slug);
  const parsed = organizationSchema.safeParse(stored?.document);
  const limits = parsed.success ? parsed.data.usageLimits : [];
  return { organizationId: stored?.id, limits: limits.filter((limit) => limit.metric !== 'concurrent') };
}
