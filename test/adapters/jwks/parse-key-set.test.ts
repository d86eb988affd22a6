// Key sets as they come: which keys are taken, which are left out, and what is no set at all.
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeySet } from '../../../adapters/jwks/fetch-key-set.ts';
import { JWKS_ALGORITHMS } from '../../../core/settings/access-schema.ts';
import { CLAIMS, signWithKey } from '../../core/access/tokens.ts';
import { jwkOf, PAIRS } from '../jwt/key-pairs.ts';

const parse = (value: unknown) => parseKeySet(Buffer.from(JSON.stringify(value)));
const RSA = jwkOf(PAIRS.RS256, { kid: 'rsa' });
const EC = jwkOf(PAIRS.ES256, { kid: 'ec' });
const GOOD = { ...RSA, kid: 'good' };

/** The kids of what is taken of keys that stand before and after a good one. */
const taken = (...keys: unknown[]) => parse({ keys: [...keys, GOOD] }).map(({ kid }) => kid);

describe('a key', () => {
  it.each([
    ['RSA', RSA, ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
    ['P-256', EC, ['ES256']],
    ['P-384', jwkOf(PAIRS.ES384), ['ES384']],
    ['P-521', jwkOf(PAIRS.ES512), ['ES512']],
    ['Ed25519', jwkOf(PAIRS.EdDSA), ['EdDSA']],
    ['Ed448', jwkOf(generateKeyPairSync('ed448')), ['EdDSA']],
  ])('of %s verifies the algorithms of its type', (_name, jwk, algorithms) => {
    expect(parse({ keys: [jwk] })).toMatchObject([{ kid: jwk['kid'], algorithms }]);
  });

  it.each(JWKS_ALGORITHMS)('that names %s verifies that alone', (alg) => {
    expect(parse({ keys: [jwkOf(PAIRS[alg], { alg })] })).toMatchObject([{ algorithms: [alg] }]);
  });

  it.each(JWKS_ALGORITHMS)('verifies tokens signed by %s, under that name alone', async (alg) => {
    const [key] = parse({ keys: [jwkOf(PAIRS[alg], { use: 'sig', key_ops: ['verify'] })] });
    const text = signWithKey(PAIRS[alg].privateKey, CLAIMS, { alg });
    expect(await key?.verify(text, alg)).toBe(true);
    for (const other of JWKS_ALGORITHMS.filter((one) => one !== alg)) {
      expect(await key?.verify(text, other), other).toBe(false);
    }
  });

  it('may say more than is known here', () => {
    expect(
      taken({
        ...RSA,
        use: 'sig',
        key_ops: ['sign', 'verify'],
        x5c: ['MIIC'],
        x5u: 'http://127.0.0.1/',
        ext: true,
        foo: {},
      }),
    ).toEqual(['rsa', 'good']);
  });

  it('may have no kid, or the same one as another', () => {
    expect(parse({ keys: [jwkOf(PAIRS.ES256), EC, { ...RSA, kid: 'ec' }] }).map(({ kid }) => kid)).toEqual([
      undefined,
      'ec',
      'ec',
    ]);
  });
});

/** RSA keys with any modulus or exponent; nobody has their private halves. */
const rsaWith = (members: object) => ({ ...RSA, ...members });
const rsaOf = (modulusLength: number) => jwkOf(generateKeyPairSync('rsa', { modulusLength }));

describe('a key that is left out, while the good one beside it stays', () => {
  it.each([
    ['text', 'a key'],
    ['null', null],
    ['a number', 1],
    ['a list', [RSA]],
    ['an empty object', {}],
    ['a shared secret', { kty: 'oct', k: 'c2VjcmV0', kid: 'oct', alg: 'HS256' }],
    ['of an unknown type', { ...RSA, kty: 'PQC' }],
    ['of a type in another case', { ...RSA, kty: 'rsa' }],
    ['of a type that objects inherit', { ...RSA, kty: 'constructor' }],
    ['of an unknown curve', { ...EC, crv: 'P-192' }],
    ['for key agreement', jwkOf(generateKeyPairSync('x25519'))],
    ['of secp256k1', jwkOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))],
    ['for encryption', { ...RSA, use: 'enc' }],
    ['for an unknown use', { ...RSA, use: '' }],
    ['for signing only', { ...RSA, key_ops: ['sign'] }],
    ['for nothing', { ...RSA, key_ops: [] }],
    ['for operations that are no list', { ...RSA, key_ops: 'verify' }],
    ['for an algorithm of another type', { ...RSA, alg: 'ES256' }],
    ['for an algorithm of another curve', { ...EC, alg: 'ES384' }],
    ['for encryption by its algorithm', { ...RSA, alg: 'RSA-OAEP-256' }],
    ['for HMAC, with a public key', { ...RSA, alg: 'HS256' }],
    ['for no algorithm', { ...RSA, alg: 'none' }],
    ['for an algorithm that is no text', { ...RSA, alg: ['RS256'] }],
    ['with a kid that is no text', { ...RSA, kid: 1 }],
    ['without a modulus', { kty: 'RSA', e: 'AQAB' }],
    ['with a modulus that is no text', rsaWith({ n: 1 })],
    ['with an empty modulus', rsaWith({ n: '' })],
    ['with exponent 1', rsaWith({ e: 'AQ' })],
    ['with exponent 0', rsaWith({ e: 'AA' })],
    ['with exponent 2', rsaWith({ e: 'Ag' })],
    ['with an exponent of 40 bits', rsaWith({ e: Buffer.from('ff00000001', 'hex').toString('base64url') })],
    ['of RSA with 1,024 bits', rsaOf(1024)],
    ['of RSA with 2,040 bits', rsaOf(2040)],
    ['of RSA with 16,384 bits', rsaWith({ n: Buffer.alloc(2048, 0xff).toString('base64url') })],
    ['with a point beside its curve', { ...EC, x: EC['y'], y: EC['x'] }],
    ['with half a point', { kty: 'EC', crv: 'P-256', x: EC['x'] }],
    ['with a modulus of one byte and no exponent', { kty: 'RSA', n: 'AA' }],
    ['with a short coordinate', { ...EC, x: 'AA' }],
    ['with two short coordinates', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }],
    ['with a short EdDSA key', { ...jwkOf(PAIRS.EdDSA), x: 'AA' }],
    ['with its private half', { ...PAIRS.RS256.privateKey.export({ format: 'jwk' }), kid: 'private' }],
    ['with an empty private half', { ...RSA, d: '' }],
  ])('is one %s', (_name, key) => {
    expect(taken(key)).toEqual(['good']);
  });

  it('is in the test above for its own reason', () => {
    expect(
      createPublicKey({ key: rsaOf(2048) as never, format: 'jwk' }).asymmetricKeyDetails?.modulusLength,
    ).toBe(2048);
    expect(taken(rsaOf(2048), rsaWith({ e: 'Aw' }))).toEqual([undefined, 'rsa', 'good']);
  });
});

describe('a set', () => {
  it('may be empty, and may say more than its keys', () => {
    expect(parse({ keys: [] })).toEqual([]);
    expect(parse({ keys: [GOOD], next: 'https://a.example/', expires: 0 })).toHaveLength(1);
  });

  it('may begin with a byte order mark', () => {
    expect(parseKeySet(Buffer.from(`\ufeff${JSON.stringify({ keys: [GOOD] })}`))).toHaveLength(1);
  });

  it('holds 50 keys at most, the unusable ones counted', () => {
    const unusable = { kty: 'oct' };
    expect(parse({ keys: [...Array(49).fill(unusable), GOOD] })).toHaveLength(1);
    expect(() => parse({ keys: [...Array(50).fill(unusable), GOOD] })).toThrow(
      'the key set has more than 50 keys',
    );
  });

  it.each([
    ['nothing', ''],
    ['HTML', '<html><body>Sign in</body></html>'],
    ['cut JSON', '{"keys":[{"kty":"RSA"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a single key', JSON.stringify(GOOD)],
    ['keys that are no list', '{"keys":{"0":{}}}'],
    ['keys that only a prototype has', '{"__proto__":{"keys":[]}}'],
    ['certificates by kid', '{"kid-1":"-----BEGIN CERTIFICATE-----"}'],
  ])('refuses %s, and quotes nothing of it', (_name, text) => {
    expect(() => parseKeySet(Buffer.from(text))).toThrow(/^the answer is not a JSON Web Key Set$/);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseKeySet(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow(
      'the answer is not a JSON Web Key Set',
    );
  });

  it('never throws because of a key, whatever it holds', () => {
    const member = fc.constantFrom(
      'kty',
      'use',
      'key_ops',
      'alg',
      'kid',
      'n',
      'e',
      'crv',
      'x',
      'y',
      'd',
      '__proto__',
    );
    const value = fc.oneof(
      fc.constantFrom('RSA', 'EC', 'OKP', 'oct', 'P-256', 'Ed25519', 'sig', 'RS256', 'AQAB', RSA['n']),
      fc.jsonValue(),
    );
    const key = fc.array(fc.tuple(member, value)).map((entries) => Object.fromEntries(entries) as object);
    fc.assert(
      fc.property(fc.array(fc.oneof(key, fc.jsonValue()), { maxLength: 10 }), (keys) => {
        expect(taken(...keys)).toContain('good');
      }),
    );
  });
});
