// Stores of both functions in the soak: secrets and keys are computed when read.
import type { Http } from '../../adapters/http/message.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import type { KeyStore } from '../../core/ports/keys.ts';
import { SECRET } from '../../test/core/access/tokens.ts';
import { createMemoryCounters } from '../../test/support/memory/counters.ts';
import {
  createMemoryResponseCache,
  createMemoryVectorIndex,
} from '../../test/support/memory/response-cache.ts';
import { KEYS_ORGANIZATION } from './neurons.ts';

/** More than the calls between the two of a pair. */
const CALLS = 1_000;

/** As in the compose files of both functions. */
export const SETTINGS_LIMITS = { unknownMs: 5_000, maximum: 1_000 };

/** The real reader, with a client that has the same secrets for every organization. */
export function createSoakSecrets(ttlMs: number) {
  const client = {
    send: async () => ({
      SecretString: JSON.stringify({ 'support-jwt': SECRET, 'log:hmac': 'a'.repeat(44), guard: 'signed' }),
      VersionId: '1',
    }),
  } as unknown as NonNullable<Parameters<typeof createSecretReader>[0]['client']>;
  return createSecretReader({ prefix: 'neuron/soak', ttlMs, clock: systemClock, client });
}

/** One key in sixteen is unknown, and one revoked. */
export const keyStore: KeyStore = {
  async read(digest) {
    if (digest.startsWith('0')) return undefined;
    const at = '2026-11-21T12:00:00.000Z';
    return {
      keyId: digest.slice(0, 12),
      organizationId: `id-${KEYS_ORGANIZATION}`,
      name: 'soak',
      prefix: 'nrn_',
      lastFour: digest.slice(-4),
      createdAt: at,
      createdBy: 'bench',
      ...(digest.startsWith('1') ? { revokedAt: at } : {}),
      tags: { plan: `plan-${digest.slice(0, 2)}` },
      tagsFromCalls: true,
    };
  },
};

/** A guard's service: blocks by one word. */
export const verdicts: Http = async ({ body = '' }) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ verdict: body.includes('forbidden') ? 'block' : 'pass' })),
});

/** Stores that hold only the last calls. */
export const stores = {
  counters: forgetful(createMemoryCounters, CALLS),
  responses: forgetful(createMemoryResponseCache, CALLS),
  vectors: forgetful(createMemoryVectorIndex, CALLS),
};

/** A store that becomes empty after that many calls. */
function forgetful<Store extends object>(make: () => Store, calls: number): Store {
  let store = make();
  let left = calls;
  return new Proxy(store, {
    get(_first, name) {
      left -= 1;
      if (left < 0) {
        store = make();
        left = calls;
      }
      return Reflect.get(store, name);
    },
  });
}
