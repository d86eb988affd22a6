// What every key store does: one suite over the memory store and the embedded DynamoDB.
import { describe, expect, it } from 'vitest';
import { fresh, key, keyStores, listOf } from './key-stores.ts';

const { memoryStores, dynamoDbStores } = keyStores();

const AT = '2026-11-22T00:00:00.000Z';
const LATER = '2026-11-23T00:00:00.000Z';
const DAILY = { metric: 'requests', limit: 1_000, period: 'day' } as const;
const MONTHLY = { metric: 'cost', limit: 50_000_000, period: 'month' } as const;

describe.each([
  ['in memory', memoryStores],
  ['in DynamoDB', dynamoDbStores],
])('a key store %s', (_where, open) => {
  it('reads back what was created, and nothing under another digest', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const [first, second, neither] = [digest(), digest(), digest()] as const;
    const whole = key(organizationId, 'keyA', { expiresAt: LATER, neurons: ['neuron-1', 'neuron-2'] });
    const bare = key(organizationId, 'keyB');
    await admin.create(first, whole);
    await admin.create(second, bare);
    expect(await keys.read(first)).toEqual(whole);
    expect(await keys.read(second)).toEqual(bare);
    expect(await keys.read(neither)).toBeUndefined();
  });

  it('keeps an empty list of neurons, which lets a key call none', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const own = digest();
    await admin.create(own, key(organizationId, 'keyA', { neurons: [] }));
    expect((await keys.read(own))?.neurons).toEqual([]);
  });

  it('refuses to create a key over another', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const own = digest();
    expect(await admin.create(own, key(organizationId, 'keyA'))).toBe(true);
    expect(await admin.create(own, key(organizationId, 'keyB'))).toBe(false);
    expect((await keys.read(own))?.keyId).toBe('keyA');
  });

  it('refuses to create a key that it could not read back', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const own = digest();
    const broken = key(organizationId, 'keyA', { expiresAt: '2026-11-23' });
    await expect(admin.create(own, broken)).rejects.toThrow('malformed');
    expect(await keys.read(own)).toBeUndefined();
  });

  it('finds one key of an organization by its id, and none of another', async () => {
    const { admin } = open();
    const mine = fresh();
    const other = fresh();
    const expected = key(mine.organizationId, 'keyA', { revokedAt: AT });
    await admin.create(mine.digest(), expected);
    await admin.create(mine.digest(), key(mine.organizationId, 'keyAB'));
    expect(await admin.find(mine.organizationId, 'keyA')).toEqual(expected);
    expect(await admin.find(other.organizationId, 'keyA')).toBeUndefined();
    expect(await admin.find(mine.organizationId, 'keyC')).toBeUndefined();
  });

  it('lists the keys of one organization by id, revoked and expired ones too', async () => {
    const { admin } = open();
    const mine = fresh();
    const other = fresh();
    await admin.create(mine.digest(), key(mine.organizationId, 'keyC', { revokedAt: AT }));
    await admin.create(mine.digest(), key(mine.organizationId, 'keyA', { expiresAt: AT }));
    await admin.create(mine.digest(), key(mine.organizationId, 'keyB', { neurons: ['neuron-1'] }));
    await admin.create(other.digest(), key(other.organizationId, 'keyD'));
    expect(await listOf(admin, mine.organizationId)).toEqual([
      key(mine.organizationId, 'keyA', { expiresAt: AT }),
      key(mine.organizationId, 'keyB', { neurons: ['neuron-1'] }),
      key(mine.organizationId, 'keyC', { revokedAt: AT }),
    ]);
    expect(await listOf(admin, 'org-nobody')).toEqual([]);
  });

  it('shows a revocation to the very next read', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const own = digest();
    await admin.create(own, key(organizationId, 'keyA'));
    expect((await keys.read(own))?.revokedAt).toBeUndefined();
    expect(await admin.revoke(organizationId, 'keyA', AT)).toBe('revoked');
    expect(await keys.read(own)).toEqual(key(organizationId, 'keyA', { revokedAt: AT }));
  });

  it('keeps the time of the first revocation', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const own = digest();
    await admin.create(own, key(organizationId, 'keyA'));
    await admin.revoke(organizationId, 'keyA', AT);
    expect(await admin.revoke(organizationId, 'keyA', LATER)).toBe('already_revoked');
    expect((await keys.read(own))?.revokedAt).toBe(AT);
  });

  it('refuses to revoke a key of another organization, or none', async () => {
    const { keys, admin } = open();
    const mine = fresh();
    const other = fresh();
    const own = mine.digest();
    await admin.create(own, key(mine.organizationId, 'keyA'));
    expect(await admin.revoke(other.organizationId, 'keyA', AT)).toBe('unknown');
    expect(await admin.revoke(mine.organizationId, 'keyB', AT)).toBe('unknown');
    expect((await keys.read(own))?.revokedAt).toBeUndefined();
  });

  it('revokes all keys of an organization and no other’s', async () => {
    const { keys, admin } = open();
    const mine = fresh();
    const other = fresh();
    const [first, second, revoked, foreign] = [mine.digest(), mine.digest(), mine.digest(), other.digest()];
    await admin.create(first, key(mine.organizationId, 'keyA'));
    await admin.create(second, key(mine.organizationId, 'keyB'));
    await admin.create(revoked, key(mine.organizationId, 'keyC', { revokedAt: AT }));
    await admin.create(foreign, key(other.organizationId, 'keyD'));
    expect(await admin.revokeAll(mine.organizationId, LATER)).toBe(2);
    const stamps = await Promise.all([first, second, revoked, foreign].map((digest) => keys.read(digest)));
    expect(stamps.map((one) => one?.revokedAt)).toEqual([LATER, LATER, AT, undefined]);
    expect(await admin.revokeAll(mine.organizationId, LATER)).toBe(0);
  });

  it('changes a key for the very next read, and removes what it had', async () => {
    const { keys, admin } = open();
    const { organizationId, digest } = fresh();
    const [own, other] = [digest(), digest()];
    await admin.create(own, key(organizationId, 'keyA', { usageLimits: [DAILY], expiresAt: AT }));
    await admin.create(other, key(organizationId, 'keyAB', { usageLimits: [DAILY] }));
    const change = { name: 'Shop', neurons: ['n-1'], expiresAt: LATER, usageLimits: [MONTHLY, DAILY] };
    expect(await admin.change(organizationId, 'keyA', change)).toBe('changed');
    expect(await keys.read(own)).toEqual(key(organizationId, 'keyA', change));
    expect(await admin.find(organizationId, 'keyA')).toEqual(key(organizationId, 'keyA', change));
    expect((await keys.read(other))?.usageLimits).toEqual([DAILY]);
    const none = { neurons: null, expiresAt: null, usageLimits: null };
    expect(await admin.change(organizationId, 'keyA', none)).toBe('changed');
    expect(await keys.read(own)).toEqual(key(organizationId, 'keyA', { name: 'Shop' }));
  });

  it('refuses to change a revoked key, a key of another organization, or none', async () => {
    const { keys, admin } = open();
    const [mine, other] = [fresh(), fresh()];
    const own = mine.digest();
    const before = key(mine.organizationId, 'keyA', { revokedAt: AT, usageLimits: [DAILY] });
    await admin.create(own, before);
    expect(await admin.change(mine.organizationId, 'keyA', { expiresAt: LATER })).toBe('revoked');
    expect(await admin.change(other.organizationId, 'keyA', { usageLimits: null })).toBe('unknown');
    expect(await admin.change(mine.organizationId, 'keyB', { usageLimits: null })).toBe('unknown');
    expect(await keys.read(own)).toEqual(before);
  });

  it('records last uses and never moves one back', async () => {
    const { uses } = open();
    const { organizationId } = fresh();
    const [used, late, unused] = [`${organizationId}-a`, `${organizationId}-b`, `${organizationId}-c`];
    await uses.record(used, Date.parse(AT));
    await uses.record(used, Date.parse(LATER));
    await uses.record(late, Date.parse(LATER));
    await uses.record(late, Date.parse(AT));
    await uses.record(late, Date.parse(LATER));
    expect(await uses.read([used, late, unused, used])).toEqual(
      new Map([
        [used, LATER],
        [late, LATER],
      ]),
    );
    expect(await uses.read([])).toEqual(new Map());
  });
});

describe('many keys in DynamoDB', () => {
  it('are listed over as many pages as they take, and cost a read nothing', async () => {
    const { keys, admin, uses } = dynamoDbStores();
    const { organizationId, digest } = fresh();
    // A page is a megabyte: names of 4,000 characters fill one with fewer than 250 keys.
    const name = 'n'.repeat(4_000);
    const ids = Array.from({ length: 300 }, (_, index) => `key${String(index).padStart(3, '0')}`);
    const digests = ids.map(() => digest());
    await Promise.all(
      ids.map((keyId, index) => admin.create(digests[index]!, key(organizationId, keyId, { name }))),
    );
    expect((await listOf(admin, organizationId)).map(({ keyId }) => keyId)).toEqual(ids);
    await Promise.all(ids.slice(0, 250).map((keyId) => uses.record(keyId, Date.parse(AT))));
    expect((await uses.read(ids)).size).toBe(250);
    expect((await keys.read(digests[299]!))?.keyId).toBe('key299');
    expect(await admin.revokeAll(organizationId, AT)).toBe(300);
  });
});
