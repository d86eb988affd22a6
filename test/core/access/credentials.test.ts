// API keys against a neuron: whose they are, what they are for, and until when; and the read that begins early.
import { describe, expect, it } from 'vitest';
import { digestOf, generateApiKey } from '../../../core/access/api-key.ts';
import {
  authenticate,
  type CredentialResult,
  startKeyLookup,
  toAccessFacts,
} from '../../../core/access/credentials.ts';
import type { AccessRequest } from '../../../core/access/request.ts';
import type { NeuronAccess } from '../../../core/access/settings.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import type { KeyStore, StoredKey } from '../../../core/ports/keys.ts';
import { createMemoryKeyStore } from '../../support/memory/key-store.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { decide, NOW, requestWith, settingsWith, storedKey } from './examples.ts';

const made = generateApiKey(createMemoryRandom(3));
const settings = settingsWith({ apiKey: true });
const request = requestWith({ authorizations: [`Bearer ${made.key}`] });

/** The result for the credential of a request against a store of keys. */
async function resultOf(
  keys: KeyStore,
  one: AccessRequest = request,
  of: NeuronAccess = settings,
): Promise<CredentialResult> {
  return (await authenticate(of, toAccessFacts(one), { keys, jwt: NO_JWTS })).result;
}

function check(parts: Partial<StoredKey>, timeMs = NOW) {
  return resultOf({ read: async () => storedKey(made, parts) }, { ...request, timeMs });
}

describe('the credential of a request', () => {
  it('is a JWT, as its text, where it is no API key', () => {
    expect(toAccessFacts(requestWith({ authorizations: ['Bearer a.b.c'] })).credential).toEqual({
      kind: 'jwt',
      text: 'a.b.c',
    });
  });
});

describe('a key', () => {
  it('is valid for every neuron of its organization', async () => {
    expect(await check({})).toEqual({
      outcome: 'valid',
      authentication: 'apiKey',
      keyId: made.keyId,
      reason: `the API key ${made.keyId} is valid`,
    });
  });

  it('brings its limits along', async () => {
    const usageLimits = [{ metric: 'cost', limit: 5, period: 'day' }] as const;
    expect(await check({ usageLimits: [...usageLimits] })).toMatchObject({ keyLimits: usageLimits });
    const decision = await decide(settings, request, {
      keys: { read: async () => storedKey(made, { usageLimits: [...usageLimits] }) },
      jwt: NO_JWTS,
    });
    expect(decision).toMatchObject({ outcome: 'allow', keyId: made.keyId, keyLimits: usageLimits });
  });

  it('is looked up by the SHA-256 of all of it', async () => {
    const keys = createMemoryKeyStore();
    await resultOf(keys);
    expect(keys.reads).toEqual([made.digest]);
  });

  it('refuses a key that no store has', async () => {
    expect(await resultOf(createMemoryKeyStore())).toEqual({
      outcome: 'invalid',
      keyId: undefined,
      reason: 'the API key is unknown',
    });
  });

  it('refuses a key, without looking it up, where keys are not enabled', async () => {
    const keys = createMemoryKeyStore();
    const of = settingsWith({ jwt: { sharedSecret: { secret: 'support-jwt' } } });
    expect(await resultOf(keys, request, of)).toEqual({
      outcome: 'invalid',
      reason: 'API keys are not enabled for this neuron',
    });
    expect(keys.reads).toEqual([]);
  });

  it('refuses the key of another organization, and keeps its id out of this one’s log', async () => {
    expect(await check({ organizationId: 'org-other', revokedAt: '2026-01-01T00:00:00.000Z' })).toEqual({
      outcome: 'invalid',
      keyId: undefined,
      reason: 'the API key belongs to another organization',
    });
  });

  it('refuses the key of a deleted organization whose slug is in use again', async () => {
    const before = settingsWith({ apiKey: true });
    const again = { ...before, organizationId: 'org-acme-second', neuronId: 'neuron-support-second' };
    const keys = { read: async () => storedKey(made) };
    expect((await resultOf(keys, request, before)).outcome).toBe('valid');
    expect((await resultOf(keys, request, again)).outcome).toBe('invalid');
  });

  it('refuses a revoked key, also one that is revoked from a later moment on', async () => {
    for (const revokedAt of ['2026-11-21T11:59:59.999Z', '2027-01-01T00:00:00.000Z']) {
      expect(await check({ revokedAt })).toEqual({
        outcome: 'invalid',
        keyId: made.keyId,
        reason: 'the API key is revoked',
      });
    }
  });

  it('refuses a key from the very millisecond of its expiry on', async () => {
    const expiresAt = '2026-11-21T12:00:00.000Z';
    expect((await check({ expiresAt }, NOW - 1)).outcome).toBe('valid');
    for (const timeMs of [NOW, NOW + 1]) {
      expect(await check({ expiresAt }, timeMs)).toEqual({
        outcome: 'invalid',
        keyId: made.keyId,
        reason: 'the API key has expired',
      });
    }
  });

  it('refuses a key whose expiry cannot be read', async () => {
    expect((await check({ expiresAt: 'soon' })).outcome).toBe('invalid');
    expect((await check({ expiresAt: '' })).outcome).toBe('invalid');
  });

  it('holds for the neurons it names and no other', async () => {
    expect((await check({ neurons: ['neuron-other', 'neuron-support'] })).outcome).toBe('valid');
    for (const neurons of [[], ['neuron-other'], ['neuron-support-2'], ['support']]) {
      expect(await check({ neurons })).toEqual({
        outcome: 'invalid',
        keyId: made.keyId,
        reason: 'the API key is not for this neuron',
      });
    }
  });

  it('refuses nothing and nobody when the store fails: that is another outcome', async () => {
    const cause = new Error('throttled');
    const result = await resultOf({ read: () => Promise.reject(cause) });
    expect(result).toEqual({ outcome: 'unavailable', reason: 'the API key could not be read', cause });
  });

  it('counts a store that throws at once as one that fails', async () => {
    const keys: KeyStore = {
      read: () => {
        throw new Error('no client');
      },
    };
    expect((await resultOf(keys)).outcome).toBe('unavailable');
  });

  it.each([
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Bearer eyJhbGciOiJub25lIn0.e30.x.y',
    'Bearer sk-1234',
    'Bearer 00000000000000000000000000000000',
    `Bearer ${made.key}x`,
    `Bearer ${made.key}.${made.key}`,
  ])('refuses the token of %j without asking the store', async (authorization) => {
    const keys = createMemoryKeyStore();
    const result = await resultOf(keys, requestWith({ authorizations: [authorization] }));
    expect(result.outcome).toBe('invalid');
    expect(keys.reads).toEqual([]);
  });

  it.each([`x${made.key}`, made.key.toUpperCase(), 'sk-E-hnNzCINBCqmdEWiq-xUg'])(
    'looks for %j by its digest: another system may have made it',
    async (token) => {
      const keys = createMemoryKeyStore();
      const request = requestWith({ authorizations: [`Bearer ${token}`] });
      expect((await resultOf(keys, request)).outcome).toBe('invalid');
      await keys.create(digestOf(token), { ...storedKey(made), imported: true });
      expect((await resultOf(keys, request)).outcome).toBe('valid');
      expect(keys.reads).toEqual([digestOf(token), digestOf(token)]);
    },
  );

  it('holds for neurons whose slugs fit its patterns', async () => {
    const outcome = async (neuronPatterns: string[]) =>
      (await check({ neurons: [], neuronPatterns })).outcome;
    expect(await outcome(['sup*'])).toBe('valid');
    expect(await outcome(['*'])).toBe('valid');
    expect(await outcome(['sales-*', 'support*'])).toBe('valid');
    expect(await outcome(['support-*'])).toBe('invalid');
    expect(await outcome(['support'])).toBe('valid');
    expect(await outcome(['SUP*'])).toBe('invalid');
    expect(await outcome([])).toBe('invalid');
  });

  it('says of a token for a neuron without keys what it could have been', async () => {
    const closed = settingsWith({ jwt: { sharedSecret: { secret: 's' } } });
    const reasonOf = async (token: string) =>
      (await resultOf(createMemoryKeyStore(), requestWith({ authorizations: [`Bearer ${token}`] }), closed))
        .reason;
    expect(await reasonOf(made.key)).toBe('API keys are not enabled for this neuron');
    expect(await reasonOf('sk-E-hnNzCINBCqmdEWiq-xUg')).toBe(
      'the token is neither an API key nor a signed JWT',
    );
  });

  it('carries its grants along, and only where it has some', async () => {
    const pause = { retryAfterSeconds: 60, since: '2026-11-20T00:00:00.000Z', by: 'someone' };
    const grants = { tags: { team: 'shop' }, onBehalfOf: true, tagsFromCalls: true };
    expect(await check({ ...grants, pause })).toMatchObject({
      outcome: 'valid',
      keyGrants: { ...grants, pausedForSeconds: 60 },
    });
    expect(await check({ onBehalfOf: false })).toMatchObject({ keyGrants: undefined });
  });

  it.each([
    [[], 'the request carries no Authorization header'],
    [['Bearer abc'], 'the API key is malformed'],
    [['Bearer a.b.c'], 'the token is not an API key'],
    [['Bearer nrn_abc'], 'the API key is malformed'],
  ])('says why %j is no key', async (authorizations, reason) => {
    const result = await resultOf(createMemoryKeyStore(), requestWith({ authorizations }));
    expect(result).toEqual({ outcome: 'invalid', keyId: undefined, reason });
  });
});

describe('a lookup that begins early', () => {
  it('reads a well-formed key once, for whoever asks for it', async () => {
    const keys = createMemoryKeyStore();
    await keys.create(made.digest, storedKey(made));
    const early = startKeyLookup(toAccessFacts(request), keys);
    expect(keys.reads).toEqual([made.digest]);
    expect((await resultOf(early)).outcome).toBe('valid');
    expect(keys.reads).toEqual([made.digest]);
  });

  it.each([
    [[]],
    [['Bearer abc']],
    [['Bearer nrn_abc']],
    [['Basic x']],
    [[`Bearer ${made.key}`, 'Bearer x']],
  ])('reads nothing for %j', async (authorizations) => {
    const keys = createMemoryKeyStore();
    expect(startKeyLookup(toAccessFacts(requestWith({ authorizations })), keys)).toBe(keys);
    expect(keys.reads).toEqual([]);
  });

  it('gives no other digest the answer of the one that was read', async () => {
    const keys = createMemoryKeyStore();
    await keys.create(made.digest, storedKey(made));
    const early = startKeyLookup(toAccessFacts(request), keys);
    expect(await early.read('0'.repeat(64))).toBeUndefined();
    expect(keys.reads).toEqual([made.digest, '0'.repeat(64)]);
  });

  it('ends no process when it fails and nobody asks', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    startKeyLookup(toAccessFacts(request), { read: () => Promise.reject(new Error('throttled')) });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });

  it('still fails for whoever asks', async () => {
    const early = startKeyLookup(toAccessFacts(request), {
      read: () => Promise.reject(new Error('throttled')),
    });
    expect((await resultOf(early)).outcome).toBe('unavailable');
  });
});
