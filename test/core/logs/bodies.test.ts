// What becomes of a text in the log: all of it, an HMAC, or nothing.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBodyPolicy, createKeepText, TEXT_BUDGET_BYTES } from '../../../core/logs/bodies.ts';

/** HMAC-SHA-256, test case 2 of RFC 4231: key "Jefe", data "what do ya want for nothing?", as base64url. */
const RFC_4231 = {
  key: 'Jefe',
  text: 'what do ya want for nothing?',
  hash: Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString(
    'base64url',
  ),
};

describe('bodies: hash', () => {
  it('keeps an HMAC-SHA-256 under the key of the organization, and the size in UTF-8', () => {
    const kept = createKeepText('hash', RFC_4231.key)(RFC_4231.text);
    expect(kept).toEqual({ kind: 'hash', hash: RFC_4231.hash, bytes: 28, key: '5e7d4b41a7b805a0' });
    expect(createKeepText('hash', 'key')('ä😀')).toMatchObject({ bytes: 6 });
  });

  it('gives equal texts equal hashes, and other hashes under another key', () => {
    const keep = createKeepText('hash', 'key one');
    expect(keep('text')).toEqual(keep('text'));
    expect(keep('text')).not.toEqual(keep('text '));
    expect(keep('text')).not.toEqual(createKeepText('hash', 'key two')('text'));
  });

  it('hashes a text once for an entry, however often it stands in it', () => {
    const keep = createKeepText('hash', 'key');
    const [prompt, input, answer, output] = ['question', 'question', 'reply', 'reply'].map(keep);
    // The same value: a second hash would have made another one.
    expect(input).toBe(prompt);
    expect(output).toBe(answer);
    expect(answer).not.toBe(prompt);
  });

  it('keeps nothing without a key: a hash that anyone could try texts against would give them away', () => {
    expect(createKeepText('hash', undefined)('text')).toBeUndefined();
  });

  it('does not use up the budget, since a hash is short', () => {
    const keep = createKeepText('hash', 'key');
    keep('a'.repeat(TEXT_BUDGET_BYTES + 1));
    expect(keep('more')).toMatchObject({ kind: 'hash', bytes: 4 });
  });
});

describe('bodies: { full: SHARE }', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `execution-${index}=`);
  const fullOf = (basisPoints: number) =>
    new Set(ids.filter((id) => chooseBodyPolicy({ full: basisPoints }, id) === 'full'));

  it('keeps about that share in full, the same ones each time, and hashes the others', () => {
    const some = fullOf(500);
    // 5% of 20,000 are 1,000; six standard deviations are 185.
    expect(Math.abs(some.size - 1_000)).toBeLessThan(185);
    expect(fullOf(500)).toEqual(some);
    const policies = new Set(ids.map((id) => chooseBodyPolicy({ full: 500 }, id)));
    expect([...policies].sort()).toEqual(['full', 'hash']);
  });

  it('keeps those of a smaller share when the share grows, all at 100%, and hardly any at 0.01%', () => {
    const [few, more] = [fullOf(500), fullOf(2_500)];
    expect([...few].filter((id) => !more.has(id))).toEqual([]);
    expect(fullOf(10_000).size).toBe(ids.length);
    expect(fullOf(1).size).toBeLessThan(15);
  });

  it('is the policy itself where it is one', () => {
    for (const policy of ['full', 'hash', 'none'] as const)
      expect(chooseBodyPolicy(policy, 'execution-1=')).toBe(policy);
  });

  // So that an auditor can repeat the choice: the first 8 bytes of SHA-256 over `2:8:"bodies"14:"KyLvZGJ6oAME"`, modulo 10,000.
  it('is by the hash that docs/logs.md names', () => {
    const digest = createHash('sha256').update('2:8:"bodies"14:"KyLvZGJ6oAME"').digest();
    const bucket = Number(digest.readBigUInt64BE(0) % 10_000n);
    expect(chooseBodyPolicy({ full: bucket }, 'KyLvZGJ6oAME')).toBe('hash');
    expect(chooseBodyPolicy({ full: bucket + 1 }, 'KyLvZGJ6oAME')).toBe('full');
  });
});

describe('bodies: none', () => {
  it('keeps nothing at all, with or without a key', () => {
    expect(createKeepText('none', 'key')('text')).toBeUndefined();
    expect(createKeepText('none', undefined)('')).toBeUndefined();
  });
});

describe('bodies: full', () => {
  it('keeps texts as they are, an empty one too', () => {
    const keep = createKeepText('full', undefined);
    expect(keep('Hello, wörld')).toEqual({ kind: 'full', text: 'Hello, wörld', bytes: 13 });
    expect(keep('')).toEqual({ kind: 'full', text: '', bytes: 0 });
  });

  it('stores an unpaired surrogate, which UTF-8 cannot encode, as the replacement character', () => {
    const keep = createKeepText('full', undefined);
    expect(keep('a\ud83db')).toEqual({ kind: 'full', text: 'a\ufffdb', bytes: 5 });
  });

  it('cuts what goes beyond the budget of the entry, says so, and tells the size of the whole', () => {
    const keep = createKeepText('full', undefined);
    expect(keep('a'.repeat(TEXT_BUDGET_BYTES - 3))).not.toHaveProperty('cut');
    expect(keep('hello')).toEqual({ kind: 'full', text: 'hel', bytes: 5, cut: true });
    expect(keep('more')).toEqual({ kind: 'full', text: '', bytes: 4, cut: true });
  });

  it.each([
    ['ä', 1],
    ['€', 2],
    ['😀', 3],
  ])('drops %s whole when only %i of its bytes have room', (character, room) => {
    const keep = createKeepText('full', undefined);
    keep('a'.repeat(TEXT_BUDGET_BYTES - room));
    expect(keep(`${character}b`)).toMatchObject({ text: '', cut: true });
  });

  it('keeps a byte order mark at the beginning of a text that it cuts', () => {
    const kept = createKeepText('full', undefined)(`\u{feff}${'a'.repeat(TEXT_BUDGET_BYTES)}`);
    if (kept?.kind !== 'full') throw new Error('the text was not kept in full');
    expect(kept.text.slice(0, 3)).toBe('\u{feff}aa');
    // The mark takes three bytes, every other character one.
    expect(kept.text.length).toBe(TEXT_BUDGET_BYTES - 2);
  });

  it('keeps a beginning of each text, splits no character, and stays within the budget, whatever comes', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme-composite', maxLength: 40 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 60 }), (list, room) => {
        const keep = createKeepText('full', undefined);
        keep('a'.repeat(TEXT_BUDGET_BYTES - room));
        let used = 0;
        for (const text of list) {
          const kept = keep(text);
          if (kept?.kind !== 'full') throw new Error('a text was not kept in full');
          expect(text.startsWith(kept.text)).toBe(true);
          expect(kept.text.isWellFormed()).toBe(true);
          expect(kept.cut === true).toBe(kept.text !== text);
          expect(kept.bytes).toBe(Buffer.byteLength(text));
          used += Buffer.byteLength(kept.text);
        }
        expect(used).toBeLessThanOrEqual(room);
      }),
    );
  });
});
