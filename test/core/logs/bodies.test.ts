// What becomes of a text in the log: all of it, an HMAC, or nothing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeepText, TEXT_BUDGET_BYTES } from '../../../core/logs/bodies.ts';

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
