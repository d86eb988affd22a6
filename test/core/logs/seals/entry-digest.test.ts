// The digest of a stored entry and the hints that name what was changed; the expected digest was computed apart, from the format's text.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../../core/admin/verify-log/differences.ts';
import { digestRecord } from '../../../../core/logs/seals/entry-digest.ts';
import type { StoredRecord } from '../../../../core/ports/seals.ts';

const RECORD: StoredRecord = {
  pk: 'neu-1#2026-11-21T12#0',
  sk: '2026-11-21T12:30:00.000Z#exec-1',
  salt: { $binary: 'c2FsdHNhbHRzYWx0' },
  status: 200,
  username: 'ann',
  sourceIp: '203.0.113.7',
  costMicrodollars: null,
  expiresAt: 1_771_504_200,
};
const { hints } = digestRecord(RECORD);

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

describe('the digest of a record', () => {
  it('is made as docs/logs.md says', () => {
    const record = { b: 1, a: ['x', null] };
    const fields = [
      sha256('["neuron-log-field/1",null,"a",["x",null]]'),
      sha256('["neuron-log-field/1",null,"b",1]'),
    ];
    const whole = sha256(Buffer.concat([Buffer.from('neuron-log-entry/1\n'), ...fields]));
    expect(digestRecord(record)).toEqual({ digest: whole.toString('base64url'), hints: '' });
  });

  it('seals what AWS charges, and names it when it was changed', () => {
    const sealed = digestRecord({ ...RECORD, infrastructureNanodollars: 14_010 });
    const changed = { ...RECORD, infrastructureNanodollars: 1 };
    expect(digestRecord(changed).digest).not.toBe(sealed.digest);
    expect(findDifferences(changed, sealed.hints)).toEqual({
      changed: ['infrastructureNanodollars'],
      added: [],
      removed: 0,
    });
  });

  it('does not depend on the order in which a store gives attributes', () => {
    const turned = Object.fromEntries(Object.entries(RECORD).reverse());
    expect(digestRecord(turned)).toEqual(digestRecord(RECORD));
  });

  it('differs when any attribute is changed, removed, added or renamed', () => {
    const names = Object.keys(RECORD);
    const others = names.flatMap((name): StoredRecord[] => {
      const { [name]: value = null, ...rest } = RECORD;
      return [{ ...RECORD, [name]: 'else' }, rest, { ...rest, [`${name}x`]: value }];
    });
    const digests = [RECORD, { ...RECORD, more: null }, ...others].map((one) => digestRecord(one).digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('tells a text from a number, and a list from its text', () => {
    const digests = [1, '1', [1], '[1]', { $number: '1e0' }, null].map((a) => digestRecord({ a }).digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('holds no hint of an entry without a salt, whose short values could be guessed', () => {
    const { salt: _salt, ...plain } = RECORD;
    expect(digestRecord(plain).hints).toBe('');
    expect(hints).toHaveLength(2 * Object.keys(RECORD).length);
  });

  it('hints differently at the same value under another salt', () => {
    const other = digestRecord({ ...RECORD, salt: { $binary: 'AAAA' } });
    expect(other.hints).not.toContain(hints.slice(0, 8));
  });
});

describe('differences', () => {
  it('name an attribute that was changed', () => {
    expect(findDifferences({ ...RECORD, status: 201 }, hints)).toEqual({
      changed: ['status'],
      added: [],
      removed: 0,
    });
  });

  it('name several, those beside each other too', () => {
    const changed = { ...RECORD, sourceIp: '203.0.113.8', status: 500, username: 'bob' };
    expect(findDifferences(changed, hints)?.changed).toEqual(['sourceIp', 'status', 'username']);
  });

  it('name what was added, and count what was removed', () => {
    expect(findDifferences({ ...RECORD, more: 1 }, hints)).toEqual({
      changed: [],
      added: ['more'],
      removed: 0,
    });
    const { username: _username, ...without } = RECORD;
    expect(findDifferences(without, hints)).toEqual({ changed: [], added: [], removed: 1 });
  });

  it('are unknown without hints, and when the salt itself was changed', () => {
    expect(findDifferences({ ...RECORD, status: 201 }, '')).toBeUndefined();
    expect(findDifferences({ ...RECORD, salt: 'other' }, hints)).toBeUndefined();
  });

  it('never name an attribute that stayed, whichever was changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(RECORD).filter((name) => name !== 'salt')), (name) => {
        const found = findDifferences({ ...RECORD, [name]: 'something else' }, hints);
        expect(found?.changed).toEqual([name]);
      }),
    );
  });
});

/** A record of `count` attributes beside its salt. */
function wide(count: number, value: string): StoredRecord {
  const names = Array.from({ length: count }, (_, index) => [`a${`${index}`.padStart(6, '0')}`, value]);
  return { salt: RECORD['salt'] ?? null, ...Object.fromEntries(names) };
}

describe('a very wide record', () => {
  const sealedOf = (attributes: number) => digestRecord(wide(attributes - 1, 'before')).hints;
  const changedBut = (attributes: number, name: string) => ({
    ...wide(attributes - 1, 'before'),
    [name]: 'after',
  });

  it.each([
    ['just below', 999, 1_001],
    ['at', 1_000, 1_000],
    // As many as fit into an item of 400 KB.
    ['as an item put by hand, at', 10, 100_000],
  ])('is compared %s a million pairs, in time', (_where, sealed, attributes) => {
    const before = process.threadCpuUsage();
    const found = findDifferences(changedBut(attributes, 'a000000'), sealedOf(sealed));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(10_000);
    expect(found?.removed).toBe(0);
    const named = [...(found?.changed ?? []), ...(found?.added ?? [])];
    if (sealed === attributes) expect(named).toEqual(['a000000']);
    else expect(named.length).toBeGreaterThanOrEqual(attributes - sealed);
  });

  it('is not compared beyond them, and is no less changed', () => {
    expect(findDifferences(changedBut(1_001, 'a000000'), sealedOf(1_000))).toBeUndefined();
    expect(digestRecord(changedBut(1_001, 'a000000')).digest).not.toBe(
      digestRecord(wide(1_000, 'before')).digest,
    );
  });
});
