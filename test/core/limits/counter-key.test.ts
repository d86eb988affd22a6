// Counter keys: two subjects never share one, one subject never has two, and the limit is not part of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CounterIdentity,
  counterKey,
  type LimitSubject,
  shardKey,
  subjectHash,
} from '../../../core/limits/counter-key.ts';
import { anyText } from '../../support/any-text.ts';

const TIME = Date.parse('2026-11-21T12:34:56.789Z');
const everyone: CounterIdentity = {
  ownerId: 'neu1',
  scope: 'total',
  period: '1m',
  subject: { kind: 'everyone' },
};

const named = (name: string): LimitSubject => ({ kind: 'username', name });

describe('the key of a counter', () => {
  it('consists of owner, scope, period, subject hash and window start', () => {
    // printf '8:everyone' | openssl dgst -sha256 -binary | basenc --base64url
    expect(counterKey(everyone, TIME)).toBe(
      'neu1#total#1m#kzaxX6bSjEt84zx7YJp40Ralpdk9PZbUqp9a4YY8T4E#2026-11-21T12:34:00Z',
    );
  });

  it('has the digest of kind and name as stored counters have it', () => {
    // printf '7:address11:203.0.113.7' | openssl dgst -sha256 -binary | basenc --base64url
    expect(subjectHash({ kind: 'address', name: '203.0.113.7' })).toBe(
      'jPA3FR0SU9kqZNe9ZYQa6R6_W5wDcO152UmFHOiY2s8',
    );
  });

  it('ends with the shard', () => {
    expect(shardKey(counterKey(everyone, TIME), 3)).toBe(`${counterKey(everyone, TIME)}#3`);
    expect(shardKey(counterKey(everyone, TIME), 0)).toBe(`${counterKey(everyone, TIME)}#0`);
  });

  it.each([
    ['another owner', { ownerId: 'neu2' }],
    ['another scope', { scope: 'organization' }],
    ['another period', { period: '5m' }],
    ['another subject', { subject: named('ann') }],
  ] as const)('differs for %s', (_what, part) => {
    expect(counterKey({ ...everyone, ...part }, TIME)).not.toBe(counterKey(everyone, TIME));
  });

  it('is the same within a window and differs in the next', () => {
    const at = (time: string) => counterKey(everyone, Date.parse(time));
    expect(at('2026-11-21T12:34:00.000Z')).toBe(at('2026-11-21T12:34:59.999Z'));
    expect(at('2026-11-21T12:35:00.000Z')).not.toBe(at('2026-11-21T12:34:59.999Z'));
  });

  it('differs for the day of rate limits and that of usage limits', () => {
    const day = (period: '1d' | 'day') => counterKey({ ...everyone, period }, TIME);
    expect(day('1d')).not.toBe(day('day'));
  });
});

describe('the subject hash', () => {
  it.each([
    ['case', 'Ann', 'ann'],
    ['Unicode form', 'Zo\u00eb', 'Zoe\u0308'],
    ['width', 'ａnn', 'ann'],
    ['length', 'ann', 'ann '],
    ['a byte order mark', '\ufeffann', 'ann'],
    ['a dotless i', '\u0131', 'i'],
    ['a name that looks length-delimited', '3:ann', 'ann'],
    ['an empty name', '', ' '],
  ])('differs by %s', (_what, one, other) => {
    expect(subjectHash(named(one))).not.toBe(subjectHash(named(other)));
  });

  it('differs by kind for the same text as username, key id and address', () => {
    const kinds = (['username', 'keyId', 'address'] as const).map((kind) =>
      subjectHash({ kind, name: 'ann' }),
    );
    const all = [...kinds, subjectHash({ kind: 'unnamed' }), subjectHash({ kind: 'everyone' })];
    expect(new Set(all).size).toBe(5);
  });

  it('of a name never equals that of unnamed callers', () => {
    fc.assert(
      fc.property(anyText(300), (name) => {
        for (const kind of ['username', 'keyId', 'address'] as const) {
          expect(subjectHash({ kind, name })).not.toBe(subjectHash({ kind: 'unnamed' }));
        }
      }),
    );
  });

  it('is equal for equal names only', () => {
    const names = anyText(300);
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(subjectHash(named(one)) === subjectHash(named(other))).toBe(one === other);
      }),
    );
  });

  it('has the same length for the longest name', () => {
    expect(subjectHash(named('\u{1f600}'.repeat(256)))).toHaveLength(43);
  });
});
