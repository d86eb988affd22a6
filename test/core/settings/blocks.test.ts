// Blocks of single callers: ranges in every spelling, ends, and what a hand-made item does.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { requireUnblocked, toUsableBlocks } from '../../../core/settings/blocks/blocks.ts';
import { pauseAt } from '../../../core/settings/blocks/pause.ts';
import { includesAddress, parseRange, sizeOfRange } from '../../../core/settings/blocks/range.ts';
import type { Block } from '../../../core/settings/stored-settings.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const until = (hours: number) => new Date(NOW_MS + hours * 3_600_000).toISOString();
const block = (kind: Block['kind'], value: string, changes: Partial<Block> = {}): Block => ({
  ...{ kind, value, until: until(2), since: until(-1), by: 'ada' },
  ...changes,
});

function decide(blocks: readonly Block[], caller: object, nowMs = NOW_MS): ServiceError | undefined {
  const organization = { id: 'o', slug: 'acme', document: {}, pause: undefined, write: 1, blocks };
  const usable = toUsableBlocks({ organization, neuron: undefined });
  try {
    requireUnblocked(usable, { sourceIp: '198.51.100.1', ...caller }, nowMs);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

describe('a range of addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', 1n],
    ['203.0.113.7/32', '203.0.113.7', 1n],
    ['203.0.113.0/24', '203.0.113.0/24', 256n],
    ['0.0.0.0/0', '0.0.0.0/0', 2n ** 32n],
    ['2001:DB8::/32', '2001:db8::/32', 2n ** 96n],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1', 1n],
    ['2001:db8::203.0.113.7', '2001:db8::cb00:7107', 1n],
    ['::ffff:203.0.113.7', '203.0.113.7', 1n],
    ['::FFFF:cb00:7107', '203.0.113.7', 1n],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24', 256n],
    ['::', '::', 1n],
    ['::1', '::1', 1n],
    ['fe80::/10', 'fe80::/10', 2n ** 118n],
  ])('%s is stored as %s', (text, stored, size) => {
    const range = parseRange(text);
    expect(range?.text).toBe(stored);
    expect(range && sizeOfRange(range)).toBe(size);
    expect(parseRange(stored)?.text).toBe(stored);
  });

  it.each([
    ...['', '/', '203.0.113', '203.0.113.7/33', '203.0.113.7/24', '203.0.113.0/024', '203.0.113.0/-1'],
    ...['203.0.113.0/24/8', '0x7f.1', '0177.0.0.1', '2130706433', ' 203.0.113.7', 'fe80::1%eth0', '[::1]'],
    ...['2001:db8::/129', '2001:db8::1/64', '::ffff:0:0/90', 'localhost', '1.2.3.4/', '１.2.3.4'],
  ])('%s is none', (text) => expect(parseRange(text)).toBeUndefined());

  it('has its first and last address and no neighbour', () => {
    const range = parseRange('203.0.113.64/26');
    const has = (address: string) => range !== undefined && includesAddress(range, address);
    expect(['203.0.113.64', '203.0.113.127', '::ffff:203.0.113.100', '::ffff:cb00:7164'].map(has)).toEqual(
      Array(4).fill(true),
    );
    expect(['203.0.113.63', '203.0.113.128', '::203.0.113.64', 'nonsense', ''].map(has)).toEqual(
      Array(5).fill(false),
    );
    const six = parseRange('2001:db8:1::/48');
    expect(six && includesAddress(six, '2001:db8:1:ffff:ffff:ffff:ffff:ffff')).toBe(true);
    expect(six && includesAddress(six, '2001:db8:2::')).toBe(false);
  });
});

describe('a blocked caller', () => {
  it('is the one with the name, key or address, exactly', () => {
    expect(decide([block('user', 'Ann')], { username: 'Ann' })?.code).toBe('caller_blocked');
    for (const username of ['ann', 'ANN', 'Ann ', undefined])
      expect(decide([block('user', 'Ann')], { username })).toBeUndefined();
    expect(decide([block('key', 'k1')], { keyId: 'k1' })?.code).toBe('caller_blocked');
    expect(decide([block('key', 'k1')], { username: 'k1', keyId: 'k2' })).toBeUndefined();
    expect(decide([block('ip', '198.51.100.0/24')], {})?.code).toBe('caller_blocked');
    expect(decide([block('ip', '198.51.100.0/24')], { sourceIp: '::ffff:198.51.100.9' })?.code).toBe(
      'caller_blocked',
    );
    expect(decide([block('ip', '198.51.100.0/24')], { sourceIp: '' })).toBeUndefined();
    // Normalization forms of a name are two names, as everywhere in the log.
    expect(decide([block('user', 'J\u00fcrgen')], { username: 'Ju\u0308rgen' })).toBeUndefined();
  });

  it('waits until the last of its blocks ends, and learns no more', () => {
    const blocks = [block('user', 'ann'), block('ip', '198.51.100.1', { until: until(5) })];
    const error = decide(blocks, { username: 'ann' });
    expect(error).toMatchObject({ retryAfterMs: 5 * 3_600_000, detail: undefined });
    expect(error?.reason).toBe(`the address is blocked until ${until(5)}, by ada`);
  });

  it('is free at the end to the millisecond', () => {
    const blocks = [block('user', 'ann')];
    expect(decide(blocks, { username: 'ann' }, NOW_MS + 7_200_000 - 1)?.retryAfterMs).toBe(1);
    expect(decide(blocks, { username: 'ann' }, NOW_MS + 7_200_000)).toBeUndefined();
  });

  it('is nobody for an item that somebody wrote by hand', () => {
    const blocks = [block('user', 'ann', { until: 'never' }), block('ip', '198.51.100.1/8')];
    expect(decide(blocks, { username: 'ann' })).toBeUndefined();
  });
});

describe('a pause with an end', () => {
  const pause = { retryAfterSeconds: 600, until: until(1) };
  it('tells nobody to wait longer than it lasts, and ends', () => {
    expect(pauseAt(pause, NOW_MS)).toEqual(pause);
    expect(pauseAt(pause, NOW_MS + 3_599_500)?.retryAfterSeconds).toBe(1);
    expect(pauseAt(pause, NOW_MS + 3_600_000)).toBeUndefined();
    expect(pauseAt({ retryAfterSeconds: 600 }, NOW_MS * 9)).toEqual({ retryAfterSeconds: 600 });
    expect(pauseAt(undefined, NOW_MS)).toBeUndefined();
  });
});
