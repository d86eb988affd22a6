// Reads secrets through a cache: a warm request waits for no secret, and a change takes effect within the stage's TTL.
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createBoundedMap } from '../../core/async/bounded-map.ts';
import { createCache } from '../../core/async/cache.ts';
import { lazy } from '../../core/async/lazy.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import { ageOf, type Clock, type Moment, momentOf } from '../../core/time/clock.ts';
import { toSecretId } from './secret-id.ts';
import type { SecretValues } from './secret-value.ts';

/** Times in milliseconds. */
interface SecretReaderSettings {
  readonly prefix: string;
  /** How long a value is used without reading it again. */
  readonly ttlMs: number;
  readonly clock: Clock;
  /** @default one of its own, loaded and made by the first read */
  readonly client?: SecretsManagerClient;
}

/** A missing name is read again soon: its operator is about to set it. */
const MISSING_TTL_MS = 1_000;
/** Bounds the reads that a provider causes by rejecting a key. */
const REFRESH_EVERY_MS = 30_000;
/** Secrets in memory; each is at most 64 KB. */
const MAXIMUM = 500;

/** A failed read throws, so that a request that needs the secret is rejected, and is not remembered. */
export function createSecretReader(settings: SecretReaderSettings): SecretReader {
  const { prefix, ttlMs, clock } = settings;
  const openStore = lazy(async () => (await import('./read-secret.ts')).openSecretStore(settings.client));
  const cache = createCache<SecretValues>(clock, {
    maximum: MAXIMUM,
    maxStaleMs: 0,
    errorBackoffMs: 0,
    backOffWithoutValue: false,
  });
  const refreshedAt = createBoundedMap<Moment>(MAXIMUM);
  const loading = new Set<string>();

  async function load(secretId: string): Promise<SecretValues> {
    loading.add(secretId);
    try {
      const readSecret = await openStore();
      return (await readSecret(secretId))?.values ?? new Map();
    } finally {
      loading.delete(secretId);
    }
  }

  /** True at most once per `REFRESH_EVERY_MS` for each secret. */
  function mayRefresh(secretId: string): boolean {
    const last = refreshedAt.get(secretId);
    if (last !== undefined && ageOf(clock, last) < REFRESH_EVERY_MS) return false;
    refreshedAt.put(secretId, momentOf(clock));
    return true;
  }

  return {
    async read(organizationId, purpose, name, detail = {}) {
      const secretId = toSecretId(prefix, organizationId, purpose);
      const { value: values } = await cache.read(secretId, {
        isFresh: (known, ageMs) =>
          ageMs < (known.has(name) ? ttlMs : Math.min(MISSING_TTL_MS, ttlMs)) &&
          // Several calls that one changed secret fails at once wait for the same load.
          !(detail.fresh && (loading.has(secretId) || mayRefresh(secretId))),
        load: () => load(secretId),
      });
      return values.get(name);
    },
  };
}
