// Links of the chain, their lines, and heads as text.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashOf, makeSeal, NO_HASH, parseHead, renderHead } from '../../../../core/logs/seals/seal.ts';
import {
  chainOf,
  nameOfKey,
  parseSealedEntries,
  renderSealedEntry,
  toSealedEntry,
} from '../../../../core/logs/seals/sealed-entry.ts';
import { NOON_MS } from '../entries.ts';

const record = (id: string) => ({
  pk: 'neu-1#2026-11-21T12#0',
  sk: `2026-11-21T12:30:00.000Z#${id}`,
  organizationId: 'org-1',
  expiresAt: 1_771_504_200,
});
const sealed = (id: string) => toSealedEntry(record(id), 1_763_728_200);
const line = (id: string) => renderSealedEntry(sealed(id));

describe('a chain', () => {
  const first = makeSeal('org-1', undefined, [line('a'), line('b')], NOON_MS);
  const second = makeSeal('org-1', first, [line('c')], NOON_MS + 5_000);

  it('begins at 1 with no hash before it', () => {
    expect(first).toMatchObject({ format: 1, sequence: 1, previous: NO_HASH, previousAtMs: 0 });
  });

  it('goes on with the hash and the time of the link before', () => {
    expect(second).toMatchObject({ sequence: 2, previous: first.hash, previousAtMs: NOON_MS });
  });

  it('is hashed as docs/logs.md says', () => {
    const text = `["neuron-log-seal/1","org-1",1,"${NO_HASH}",0,${NOON_MS},${JSON.stringify(first.lines)}]`;
    expect(first.hash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('has another hash when any member of a link is another', () => {
    const { hash, ...rest } = second;
    const others = Object.entries(rest).map(([name, value]) =>
      hashOf({ ...rest, [name]: typeof value === 'number' ? value + 1 : `${value}x` }),
    );
    expect(new Set([hash, ...others]).size).toBe(others.length + 1);
  });

  it('gives its entries back in their order', () => {
    expect(parseSealedEntries(first.lines)).toEqual([sealed('a'), sealed('b')]);
  });
});

describe('a line of a seal', () => {
  it('stays one line, whatever the key holds', () => {
    const strange = toSealedEntry({ pk: 'a\nb', sk: '"\u2028]' }, 1);
    const text = renderSealedEntry(strange);
    expect(text).not.toContain('\n');
    expect(parseSealedEntries(text)).toEqual([strange]);
  });

  it.each(['', 'null', '{}', '["a"]', '["a","b","1",null,"",""]', '["a","b",1,"x","",""]'])(
    'is none when it is %s',
    (text) => {
      expect(parseSealedEntries(text)).toBeUndefined();
    },
  );
});

describe('the chain of an item', () => {
  it('is that of its organization', () => {
    expect(chainOf({ organizationId: 'a1b2c3d4e5f60718293a4b5c' })).toBe('a1b2c3d4e5f60718293a4b5c');
  });

  it.each([undefined, 7, '', 'a b', 'x'.repeat(65)])(
    'is that of the service when the organization is %j',
    (id) => {
      expect(chainOf(id === undefined ? {} : { organizationId: id })).toBe('SERVICE');
    },
  );
});

describe('a head', () => {
  it('is read as it is printed', () => {
    const head = { sequence: 12, hash: 'a'.repeat(64) };
    expect(parseHead(renderHead(head))).toEqual(head);
  });

  it.each(['', '12', `0:${'a'.repeat(64)}`, `12:${'a'.repeat(63)}`, `12:${'A'.repeat(64)}`])(
    'is none when it is %s',
    (text) => {
      expect(parseHead(text)).toBeUndefined();
    },
  );
});

describe('the name of an item', () => {
  it('is its time and its id, which may hold the mark between them', () => {
    expect(nameOfKey('2026-11-21T12:30:00.000Z#a#result')).toEqual({
      time: '2026-11-21T12:30:00.000Z',
      id: 'a#result',
    });
    expect(nameOfKey('odd')).toEqual({ time: '', id: 'odd' });
  });
});
