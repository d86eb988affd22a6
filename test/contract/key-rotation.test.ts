// Rotation of keys, by every key store: two texts under one id, of which the one before ends.
import { describe, expect, it } from 'vitest';
import type { StoredKey } from '../../core/ports/keys.ts';
import { fresh, key, keyStores, listOf } from './key-stores.ts';

const { memoryStores, dynamoDbStores } = keyStores();

const AT = '2026-11-22T00:00:00.000Z';
const LATER = '2026-11-23T00:00:00.000Z';
const DAILY = { metric: 'requests', limit: 1_000, period: 'day' } as const;

describe.each([
  ['in memory', memoryStores],
  ['in DynamoDB', dynamoDbStores],
])('a key store %s that rotates a key', (_where, open) => {
  const rotation = (digest: string, overlapEndsAt = LATER) => ({
    ...{ digest, prefix: 'nrn_keyA', lastFour: 'next', overlapEndsAt },
    ...{ rotatedAt: AT, rotatedBy: 'arn:aws:iam::111122223333:user/other' },
  });

  async function rotated(parts: Partial<StoredKey> = {}) {
    const stores = open();
    const { organizationId, digest } = fresh();
    const [first, second] = [digest(), digest()];
    await stores.admin.create(first, key(organizationId, 'keyA', parts));
    const outcome = await stores.admin.rotate(organizationId, 'keyA', rotation(second));
    return { ...stores, organizationId, digest, first, second, outcome };
  }

  it('has both texts under one id, and ends the first', async () => {
    const parts = { usageLimits: [DAILY], neurons: ['n-1'], name: 'Shop' };
    const { keys, admin, organizationId, first, second, outcome } = await rotated(parts);
    expect(outcome).toBe('rotated');
    const next = key(organizationId, 'keyA', {
      ...parts,
      ...{ lastFour: 'next', createdAt: AT, createdBy: 'arn:aws:iam::111122223333:user/other' },
    });
    const before = key(organizationId, 'keyA', { ...parts, expiresAt: LATER, replacedAt: AT });
    expect(await keys.read(first)).toEqual(before);
    expect(await keys.read(second)).toEqual(next);
    expect(await admin.find(organizationId, 'keyA')).toEqual(next);
    expect(await listOf(admin, organizationId)).toEqual([before, next]);
  });

  it('never makes a text live longer', async () => {
    const soon = '2026-11-22T06:00:00.000Z';
    const { keys, first, second } = await rotated({ expiresAt: soon });
    expect((await keys.read(first))?.expiresAt).toBe(soon);
    expect((await keys.read(second))?.expiresAt).toBe(soon);
  });

  it('changes limits and neurons of both texts, and the end of the newest alone', async () => {
    const { keys, admin, organizationId, first, second } = await rotated();
    const end = '2027-01-01T00:00:00.000Z';
    const change = { neurons: ['n-2'], usageLimits: [DAILY], expiresAt: end };
    expect(await admin.change(organizationId, 'keyA', change)).toBe('changed');
    expect(await keys.read(first)).toMatchObject({ ...change, expiresAt: LATER });
    expect(await keys.read(second)).toMatchObject(change);
    expect(await admin.change(organizationId, 'keyA', { expiresAt: null })).toBe('changed');
    expect((await keys.read(first))?.expiresAt).toBe(LATER);
    expect((await keys.read(second))?.expiresAt).toBeUndefined();
    expect(await listOf(admin, organizationId)).toEqual([await keys.read(first), await keys.read(second)]);
  });

  it('revokes both', async () => {
    const { keys, admin, organizationId, first, second } = await rotated();
    expect(await admin.revoke(organizationId, 'keyA', LATER)).toBe('revoked');
    expect([(await keys.read(first))?.revokedAt, (await keys.read(second))?.revokedAt]).toEqual([
      LATER,
      LATER,
    ]);
    expect(await admin.revoke(organizationId, 'keyA', LATER)).toBe('already_revoked');
    expect(await admin.change(organizationId, 'keyA', { name: 'x' })).toBe('revoked');
  });

  it('goes on from the newest text, and leaves the older ones their ends', async () => {
    const { keys, admin, organizationId, digest, first, second } = await rotated();
    const third = digest();
    const soon = '2026-11-22T06:00:00.000Z';
    expect(await admin.rotate(organizationId, 'keyA', rotation(third, soon))).toBe('rotated');
    const ends = await Promise.all(
      [first, second, third].map(async (one) => (await keys.read(one))?.expiresAt),
    );
    expect(ends).toEqual([LATER, soon, undefined]);
    expect(await admin.change(organizationId, 'keyA', { usageLimits: null })).toBe('changed');
    expect(await admin.revoke(organizationId, 'keyA', LATER)).toBe('revoked');
    const texts = await Promise.all([first, second, third].map((one) => keys.read(one)));
    expect((await listOf(admin, organizationId)).map(({ revokedAt }) => revokedAt)).toEqual([
      LATER,
      LATER,
      LATER,
    ]);
    expect(texts.map((one) => one?.revokedAt)).toEqual([LATER, LATER, LATER]);
  });

  it('refuses a revoked key, a key of another organization, and none', async () => {
    const { keys, admin } = open();
    const [mine, other] = [fresh(), fresh()];
    const [own, next] = [mine.digest(), mine.digest()];
    await admin.create(own, key(mine.organizationId, 'keyA', { revokedAt: AT }));
    expect(await admin.rotate(mine.organizationId, 'keyA', rotation(next))).toBe('revoked');
    expect(await admin.rotate(other.organizationId, 'keyA', rotation(next))).toBe('unknown');
    expect(await admin.rotate(mine.organizationId, 'keyB', rotation(next))).toBe('unknown');
    expect(await keys.read(next)).toBeUndefined();
  });
});

describe('a rotation in DynamoDB', () => {
  it('is made by one of two at once', async () => {
    const { keys, admin } = dynamoDbStores();
    const { organizationId, digest } = fresh();
    const [first, ...next] = [digest(), digest(), digest()];
    await admin.create(first, key(organizationId, 'keyA'));
    const parts = {
      prefix: 'nrn_keyA',
      lastFour: 'next',
      rotatedAt: AT,
      rotatedBy: 'op',
      overlapEndsAt: LATER,
    };
    const outcomes = await Promise.all(
      next.map((one) => admin.rotate(organizationId, 'keyA', { ...parts, digest: one })),
    );
    // The second may have begun after the first had ended, and then rotates the key that it found.
    const made = outcomes.filter((one) => one === 'rotated').length;
    expect(made).toBeGreaterThan(0);
    const found = await Promise.all([first, ...next].map((one) => keys.read(one)));
    const known = found.filter((one) => one !== undefined);
    expect(known).toHaveLength(1 + made);
    expect(known.filter(({ replacedAt }) => replacedAt === undefined)).toHaveLength(1);
  });
});
