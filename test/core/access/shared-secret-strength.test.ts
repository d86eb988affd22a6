// Which values are no secrets for JWTs, and which are weak ones.
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecretFlaw, findSecretWeakness } from '../../../core/access/shared-secret-strength.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const large = generateKeyPairSync('rsa', { modulusLength: 4096 }).publicKey;
const ec = (['P-256', 'P-384', 'P-521'] as const).map(
  (namedCurve) => generateKeyPairSync('ec', { namedCurve }).publicKey,
);
const okp = [generateKeyPairSync('ed25519').publicKey, generateKeyPairSync('ed448').publicKey];
const publicKeys = [rsa.publicKey, small, large, ...ec, ...okp];

const KEY = 'is a key or certificate that others have too';
const JWK = 'is a JSON Web Key, not the secret itself';
const KNOWN = 'is a value that is known from documentation and examples';

describe('a value that is no secret', () => {
  it.each(['', ' ', '\n', '\t \r\n', '\u00a0', '\ufeff'])('refuses blanks: %j', (value) => {
    expect(findSecretFlaw(value)).toBe('is empty');
  });

  it('refuses public and private keys as PEM, whatever is before and after them', () => {
    const texts = [
      ...publicKeys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString()),
      rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----',
      '-----  BEGIN PUBLIC KEY-----',
    ];
    for (const text of texts) {
      for (const value of [
        text,
        ` ${text}`,
        `\n\n${text}`,
        `\ufeff${text}`,
        text.replaceAll('\n', '\\n'),
        `key: ${text}`,
      ]) {
        expect(findSecretFlaw(value), JSON.stringify(value.slice(0, 40))).toBe(KEY);
      }
    }
  });

  it('refuses public keys as base64 of their DER, in one line or several', () => {
    for (const key of publicKeys) {
      const base64 = key.export({ type: 'spki', format: 'der' }).toString('base64');
      expect(findSecretFlaw(base64), base64.slice(0, 30)).toBe(KEY);
      expect(findSecretFlaw(` ${base64.replaceAll(/(.{64})/g, '$1\n')}`)).toBe(KEY);
      expect(findSecretFlaw(base64.replaceAll(/(.{4})/g, '$1 \r\n'))).toBe(KEY);
    }
    const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64');
    expect(findSecretFlaw(pkcs1)).toBe(KEY);
  });

  it.each([
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 ada@example.com',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ada',
    'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY= ada',
    '\n ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7',
  ])('refuses a public key of SSH: %j', (value) => {
    expect(findSecretFlaw(value)).toBe(KEY);
  });

  it('refuses keys and key sets in JSON', () => {
    const jwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }));
    for (const value of [jwk, ` ${jwk}\n`, `{"keys":[${jwk}]}`, '{"kty":"oct","k":"c2VjcmV0"}']) {
      expect(findSecretFlaw(value)).toBe(JWK);
    }
  });

  it.each(['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '0', '🔑🔑🔑🔑'])(
    'refuses one character over and over: %j',
    (value) => {
      expect(findSecretFlaw(value)).toBe('is one character over and over');
    },
  );

  it.each([
    'secret',
    'Secret',
    ' secret\n',
    'your-256-bit-secret',
    'your_256_bit_secret',
    'a-string-secret-at-least-256-bits-long',
    'super-secret-jwt-token-with-at-least-32-characters-long',
    'SuperSecretKey!',
    'change me',
    'shhhhh',
    'keyboard cat',
    'my-32-character-ultra-secure-and-ultra-long-secret',
    'JWT_SECRET',
    '12345678901234567890123456789012',
  ])('refuses what everybody knows, in every spelling: %j', (value) => {
    expect(findSecretFlaw(value)).toBe(KNOWN);
  });
});

describe('a secret', () => {
  it.each([
    'q3t6w9z$C&F)J@NcRfUjXn2r5u7x!A%D',
    'geheimnis',
    'secret of acme, made on a Tuesday',
    '{"not":"a key"}',
    '{ broken json with "kty"',
    '["keys","kty"]',
    '"kty"',
    'null',
    '0123',
    'MIIB but nothing of a key',
    'begin----- and no key',
    '密码密码密码密码密码密码',
  ])('is taken: %j', (value) => {
    expect(findSecretFlaw(value)).toBeUndefined();
  });

  it('is taken when it is random', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 64 });
    const taken = (random: Uint8Array) =>
      findSecretFlaw(`.${Buffer.from(random).toString('hex')}`) === undefined;
    fc.assert(fc.property(bytes, taken));
  });

  it('is weak below 32 bytes of UTF-8', () => {
    expect(findSecretWeakness('x'.repeat(32))).toBeUndefined();
    expect(findSecretWeakness('ü'.repeat(16))).toBeUndefined();
    expect(findSecretWeakness('x'.repeat(31))).toBe(
      'has 31 bytes; whoever has one token can try out secrets of less than 32 bytes unseen',
    );
  });

  it('is weak below the size of the longest hash that is listed', () => {
    const weak = (bytes: number, algorithm: string, least: number) =>
      `has ${bytes} bytes; ${algorithm} requires at least ${least}, the size of its hash`;
    expect(findSecretWeakness('x'.repeat(32), ['HS256'])).toBeUndefined();
    expect(findSecretWeakness('x'.repeat(47), ['HS384'])).toBe(weak(47, 'HS384', 48));
    expect(findSecretWeakness('x'.repeat(48), ['HS384'])).toBeUndefined();
    expect(findSecretWeakness('x'.repeat(63), ['HS512'])).toBe(weak(63, 'HS512', 64));
    expect(findSecretWeakness('x'.repeat(64), ['HS512'])).toBeUndefined();
    expect(findSecretWeakness('x'.repeat(40), ['HS512', 'HS256', 'HS384'])).toBe(weak(40, 'HS512', 64));
    expect(findSecretWeakness('x'.repeat(31), ['HS512'])).toContain('less than 32 bytes');
  });

  it('is checked in an instant, however long it is', () => {
    const long = [
      'a'.repeat(65_536),
      '-----'.repeat(13_000),
      `{${'['.repeat(60_000)}`,
      ' '.repeat(65_535).concat('x'),
    ];
    for (const value of long) findSecretFlaw(value);
    expect(findSecretFlaw(`${' '.repeat(65_000)}x y`)).toBeUndefined();
  });
});
