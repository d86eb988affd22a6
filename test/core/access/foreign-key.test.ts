// Keys of other systems: what an estimator makes of random ones, of words and of patterns.
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../core/access/api-key.ts';
import { findForeignKeyFlaw, parseForeignKey } from '../../../core/access/foreign-key.ts';
import { cpuMsOf } from '../../support/cpu-ms.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';

const ROUNDS = 2_000;

/** The share of keys that could not be taken over. */
function flawed(make: () => string): number {
  const keys = Array.from({ length: ROUNDS }, make);
  return keys.filter((key) => findForeignKeyFlaw(key) !== undefined).length / ROUNDS;
}

describe('a key of another system', () => {
  it.each([
    ['LiteLLM: secrets.token_urlsafe(16)', () => `sk-${randomBytes(16).toString('base64url')}`],
    ['32 hexadecimal digits', () => randomBytes(16).toString('hex')],
    ['a UUID', () => randomUUID()],
    ['40 hexadecimal digits', () => randomBytes(20).toString('hex')],
    ['24 characters of base64url', () => `sk-${randomBytes(18).toString('base64url')}`],
    ['OpenAI: long base64', () => `sk-proj-${randomBytes(90).toString('base64url')}`],
  ])('is taken over where it is random: %s', (_name, make) => {
    // Of hexadecimal ones 1 in 1,000 is refused: twenty of 2,000 are once in more than 10^12 runs.
    expect(flawed(make)).toBeLessThan(0.01);
  });

  it.each([
    'sk-1234',
    'sk-my-company-production-key-2024-for-shop',
    `sk-${'a'.repeat(60)}`,
    'sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
    '12345678901234567890123456789012345678901234567890',
    'sk-AcmeShopBackendProductionKeyNumberOne',
    'abcd1234abcd1234abcd1234abcd1234abcd1234',
    'correct-horse-battery-staple-correct-horse',
    'sk-litellm-master-key-please-change-me-now',
    'deadbeefdeadbeefdeadbeefdeadbeef',
    '00000000000000000000000000000001',
    randomBytes(15).toString('hex'),
    randomBytes(12).toString('base64url'),
  ])('is refused where it can be guessed: %s', (key) => {
    expect(findForeignKeyFlaw(key)).toContain('can be guessed: it is worth about');
    expect(parseForeignKey(key)).toEqual({ digest: undefined });
  });

  it.each([
    [generateApiKey(createMemoryRandom(3)).key, 'begins as the keys of this service do'],
    ['nrn_x', 'begins as the keys of this service do'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.sig', 'has the form of a JWT'],
    ['aaa.bbb.ccc', 'has the form of a JWT'],
    ['with a blank', 'has characters that no bearer token has'],
    ['', 'has characters that no bearer token has'],
    ['0123456789abcdef0123456789abcdef', 'is known from documentation'],
  ])('is refused where it could be none, or is known: %s', (key, flaw) => {
    expect(findForeignKeyFlaw(key)).toContain(flaw);
  });

  it.each([
    // Digits, of ten.
    ['58203947162850397461', 66],
    // Hexadecimal, of sixteen, in either case; hyphens say nothing.
    ['A8B2C9D1E0F35A7B9C2D4E6F81A3B5C', 124],
    ['71abb771-b64f-4c22-9286-5c7ef6c4cc1', 124],
    ['71abb771_b64f_4c22_9286_5c7ef6c4cc1', 124],
    // Letters of one case and digits, of 36.
    ['k3x9q0z7w5v2j8h6g4f1', 103],
    ['K3X9Q0Z7W5V2J8H6G4F1', 103],
    // Base64, of 64, a class of which may be missing; its padding says nothing.
    ['kX9qZ7wV2jH6gF1pR8sT3', 126],
    ['kXqZwVjHgFpRsTnBmCdLx', 126],
    ['kX9qZ7wV2jH6gF1pR8sT==', 120],
    // A beginning that is most of a key is no prefix.
    ['abc-kX9qZ7wV2jH6gF1pR', 126],
    // What all keys of a system have in front.
    ['sk-kX9qZ7wV2jH6gF1pR8sT3', 126],
    ['sk-proj-kX9qZ7wV2jH6gF1pR8sT3', 126],
    ['pk_live_test_kX9qZ7wV2jH6gF1pR8sT3', 126],
    // Four equal steps: the fourth and all after it.
    ['kX9qZ7wV2jH6gF1p333333333', 120],
    ['kX9qZ7wV2jH6gF1pacegikmoq', 120],
    // Six characters again, with those before them.
    ['kX9qZ7wV2jH6kX9qZ7wV2j', 102],
    // Words, with their digits.
    ['shopping-of-the-nation-7391-x', 78],
    ['ShoppingOfTheNation', 43],
    // Ten frequent pairs are words, and eight are chance.
    ['er9in8th7he6an5re4on3at2en1nd', 92],
    ['er9in8th7he6an5re4on3at2', 124],
    // Two of five pairs are chance.
    ['er9in8th7he6qz5xw4vj3kq2', 124],
    ['er9in8th7he6qz5xw4vj3kq2zx1wx', 149],
    // No word has a large letter behind a small one.
    ['eRiNtHaNoNaTeNdTiEs', 114],
    // Hexadecimal has no words.
    ['deceadbeedcefaceaded', 80],
  ])('is worth what its characters are: %s, %d bits', (key, bits) => {
    const flaw = bits < 128 ? expect.stringContaining(`it is worth about ${bits} bits,`) : undefined;
    expect(findForeignKeyFlaw(key)).toEqual(flaw);
  });

  it('needs 128 bits and no more', () => {
    const exact = '9f86d081884c7d659a2feaa0c55ad015';
    expect(findForeignKeyFlaw(exact)).toBeUndefined();
    expect(parseForeignKey(exact)?.digest).toHaveLength(64);
    expect(parseForeignKey('xeyJhbGciOi.kX9qZ7wV2jH6gF1pR8sT3')?.digest).toHaveLength(64);
  });

  it('is never a JWT', () => {
    expect(parseForeignKey('a.b.c')).toBeUndefined();
    expect(parseForeignKey('eyJhbGciOiJub25lIn0.e30.')).toBeUndefined();
  });

  it('is read in little time, however long it is', () => {
    const texts = ['a'.repeat(8_192), 'ab'.repeat(4_096), randomBytes(6_000).toString('base64url')];
    expect(cpuMsOf(() => texts.forEach(parseForeignKey))).toBeLessThan(50);
  });
});
