// The form of API keys. The vectors were made with Python's zlib.crc32 and hashlib.sha256.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateApiKey, isApiKey, parseApiKey } from '../../../core/access/api-key.ts';

const VECTORS = [
  {
    key: 'nrn_000000000000_0000000000000000000000000000004U8dzD',
    keyId: '000000000000',
    digest: '446dde26c30cda8262731800b41f0799a490163dbb78fc0a3504c5e1972b4388',
  },
  {
    key: 'nrn_k7Qx2MvB9aZt_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O54dgFzi',
    keyId: 'k7Qx2MvB9aZt',
    digest: '301ed0fa3ef1dd3ce87af2584eea7e205740d5168e34f1d037ebbac02c27f876',
  },
] as const;

const [, { key: KEY }] = VECTORS;

describe('reading a key', () => {
  it.each(VECTORS)('gives the id and the digest of $key', ({ key, keyId, digest }) => {
    expect(parseApiKey(key)).toEqual({ keyId, digest });
  });

  it('takes a checksum that begins with zeros', () => {
    expect(parseApiKey('nrn_k7Qx2MvB9aZt_jJb0gUGtgoE9FtA5GPC8AqZzwosrd400CPw2')?.keyId).toBe('k7Qx2MvB9aZt');
  });

  it('refuses a key with any one character changed', () => {
    for (let place = 0; place < KEY.length; place += 1) {
      const other = KEY[place] === 'x' ? 'y' : 'x';
      expect(parseApiKey(KEY.slice(0, place) + other + KEY.slice(place + 1))).toBeUndefined();
    }
  });

  it.each([
    '',
    'nrn_',
    KEY.slice(0, -1),
    `${KEY}0`,
    ` ${KEY}`,
    `${KEY}\n`,
    KEY.toUpperCase(),
    KEY.toLowerCase(),
    KEY.slice(0, 16),
    `${KEY}=`,
    `${KEY}--`,
    'nrn_*',
    KEY.replaceAll('_', '-'),
    KEY.replace('nrn_', 'nrnx_'),
    KEY.replace('nrn_', ''),
    `${KEY.slice(0, 17)}-${KEY.slice(18)}`,
    'nrn_k7Qx2MvB9aZt_',
    'nrn_k7Qx2MvB9aZ_tA1b2C3d4E5f6G7h8I9j0K1l2M3n4O54dgFzi',
  ])('refuses %j', (token) => {
    expect(parseApiKey(token)).toBeUndefined();
  });
});

describe('a right checksum', () => {
  it.each([
    'nrn_nrn_k7Qx2MvB9aZt_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O50yEcqp',
    'nrn_k7Qx2MvB9aZt_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O50000004JGkv6',
    'nrn_k7Qx2MvB9aZt_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O0viYUD',
    'nrn_k7Qx2MvB9aZt-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O507LzH5',
    'nrn_k7Qx2MvB9aZt_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O~0W9aMw',
    'nrn_k7Qx2MvB9aZ_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O50s11tg',
  ])('refuses %s all the same, whose form is wrong', (token) => {
    expect(parseApiKey(token)).toBeUndefined();
  });
});

describe('the prefix', () => {
  it('marks a token as an API key and nothing else', () => {
    expect(isApiKey('nrn_anything')).toBe(true);
    expect(isApiKey('NRN_anything')).toBe(false);
    expect(isApiKey('xnrn_anything')).toBe(false);
    expect(isApiKey('eyJhbGciOiJIUzI1NiJ9.e30.c2ln')).toBe(false);
  });
});

describe('making a key', () => {
  const random = { fraction: () => 0, bytes: (count: number) => Uint8Array.from(randomBytes(count)) };

  it('gives a key that reads back as what is stored of it', () => {
    const made = generateApiKey(random);
    expect(made.key).toMatch(/^nrn_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}$/);
    expect(parseApiKey(made.key)).toEqual({ keyId: made.keyId, digest: made.digest });
    expect(made.prefix).toBe(made.key.slice(0, 16));
    expect(made.prefix).toBe(`nrn_${made.keyId}`);
    expect(made.lastFour).toBe(made.key.slice(49));
  });

  it('gives the key of all zeros for bytes of zeros', () => {
    const zeros = { fraction: () => 0, bytes: (count: number) => new Uint8Array(count) };
    expect(generateApiKey(zeros)).toEqual({
      ...VECTORS[0],
      prefix: 'nrn_000000000000',
      lastFour: '8dzD',
    });
  });

  it('throws away the bytes that would make some characters likelier than others', () => {
    let next = 0;
    // Every byte value in turn: 248 to 255 must leave no trace, 61 is z and 62 is 0 again.
    const counting = {
      fraction: () => 0,
      bytes: (count: number) => Uint8Array.from({ length: count }, () => next++ % 256),
    };
    const counts = new Map<string, number>();
    for (let made = 0; made < 248 * 4; made += 1) {
      const { keyId, key } = generateApiKey(counting);
      for (const character of keyId + key.slice(17, 47)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    // 992 keys of 42 characters are 168 rounds through the 248 bytes, each round 4 of each character.
    expect([...counts.values()]).toEqual(Array.from({ length: 62 }, () => 168 * 4));
  });

  it('asks for more bytes when some were thrown away', () => {
    let asked = 0;
    const meagre = {
      fraction: () => 0,
      bytes: (count: number) => {
        asked += 1;
        return Uint8Array.from({ length: count }, (_, place) => (place === 0 ? 61 : 255));
      },
    };
    expect(generateApiKey(meagre).keyId).toBe('zzzzzzzzzzzz');
    expect(asked).toBe(42);
  });
});
