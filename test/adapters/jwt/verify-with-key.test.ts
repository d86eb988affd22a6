// Signatures with public keys: each algorithm on its own key, and nothing else on it.
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWithKey } from '../../../adapters/jwt/verify-signature.ts';
import type { KeyAlgorithm } from '../../../core/ports/jwt.ts';
import { JWKS_ALGORITHMS } from '../../../core/settings/access-schema.ts';
import { CLAIMS, encode, signWithKey } from '../../core/access/tokens.ts';
import { type KeyPair, PAIRS } from './key-pairs.ts';

const verifierOf =
  ({ publicKey }: KeyPair) =>
  (token: string, algorithm: KeyAlgorithm) =>
    verifyWithKey(token, algorithm, publicKey);

const signed = (alg: KeyAlgorithm, pair = PAIRS[alg], claims: unknown = CLAIMS) =>
  signWithKey(pair.privateKey, claims, { alg, kid: 'a' });

describe.each(JWKS_ALGORITHMS)('%s', (algorithm) => {
  const verify = verifierOf(PAIRS[algorithm]);

  it('verifies what was signed with the private half, as often as it is asked', async () => {
    const token = signed(algorithm);
    expect(await verify(token, algorithm)).toBe(true);
    expect(await verify(token, algorithm)).toBe(true);
  });

  it('verifies the signature alone, whatever the claims are', async () => {
    for (const claims of [{}, { exp: 1 }, { sub: 1, scope: ['a'], jti: 2, iss: 3, exp: 'never' }, []]) {
      expect(await verify(signed(algorithm, undefined, claims), algorithm)).toBe(true);
    }
  });

  it('refuses every changed part', async () => {
    const token = signed(algorithm);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const flipped = Buffer.from(signature, 'base64url');
    flipped[flipped.length - 1]! ^= 1;
    for (const part of [
      { header: encode({ alg: algorithm, kid: 'b' }) },
      { payload: encode({ ...CLAIMS, sub: 'eve' }) },
      { signature: flipped.toString('base64url') },
      { signature: '' },
      { signature: 'AA' },
      { signature: signature.slice(0, -4) },
      { signature: `${signature}AAAA` },
    ]) {
      const changed = { header, payload, signature, ...part };
      const text = `${changed.header}.${changed.payload}.${changed.signature}`;
      expect(await verify(text, algorithm), JSON.stringify(part)).toBe(false);
    }
  });

  it('refuses a signature of another key of its kind', async () => {
    const other = generateKeyPairSync('ed25519');
    const pair =
      algorithm === 'EdDSA'
        ? other
        : algorithm.startsWith('ES')
          ? generateKeyPairSync('ec', { namedCurve: curveOf(algorithm) })
          : generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await verify(signed(algorithm, pair), algorithm)).toBe(false);
  });

  it('refuses its signature under every other algorithm of its type', async () => {
    const token = signed(algorithm);
    for (const other of JWKS_ALGORITHMS.filter(
      (one) => one !== algorithm && PAIRS[one] === PAIRS[algorithm],
    )) {
      expect(await verify(token, other), other).toBe(false);
    }
  });
});

function curveOf(algorithm: string): string {
  return { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[algorithm] ?? '';
}

describe('ES256', () => {
  const verify = verifierOf(PAIRS.ES256);
  const input = `${encode({ alg: 'ES256' })}.${encode(CLAIMS)}`;
  const withSignature = (signature: Buffer) => `${input}.${signature.toString('base64url')}`;

  it.each([
    ['nothing but zeros (CVE-2022-21449)', Buffer.alloc(64)],
    ['a zero r', Buffer.concat([Buffer.alloc(32), Buffer.alloc(32, 1)])],
    ['a zero s', Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32)])],
    [
      'the order of the curve',
      Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'.repeat(2), 'hex'),
    ],
    ['DER instead of r and s', sign('sha256', Buffer.from(input), PAIRS.ES256.privateKey)],
  ])('refuses a signature of %s', async (_name, signature) => {
    expect(await verify(withSignature(signature), 'ES256')).toBe(false);
  });
});

describe('PS256', () => {
  it('refuses a salt of another length than the hash (RFC 7518, section 3.5)', async () => {
    const input = `${encode({ alg: 'PS256' })}.${encode(CLAIMS)}`;
    const key = PAIRS.PS256.privateKey;
    const signature = sign('sha256', Buffer.from(input), { key, padding: 6, saltLength: 0 });
    const token = `${input}.${signature.toString('base64url')}`;
    expect(await verifierOf(PAIRS.PS256)(token, 'PS256')).toBe(false);
  });
});

describe('EdDSA with Ed448', () => {
  const pair = generateKeyPairSync('ed448');
  const verify = verifierOf(pair);
  const token = signed('EdDSA', pair);

  it('verifies what was signed with the private half, under that name alone', async () => {
    expect(await verify(token, 'EdDSA')).toBe(true);
    expect(await verify(token, 'ES256')).toBe(false);
  });

  it('refuses every changed part, and a signature of another key', async () => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const flipped = Buffer.from(signature, 'base64url');
    flipped[flipped.length - 1]! ^= 1;
    for (const changed of [
      `${encode({ alg: 'EdDSA' })}.${payload}.${signature}`,
      `${header}.${encode({ ...CLAIMS, sub: 'eve' })}.${signature}`,
      `${header}.${payload}.${flipped.toString('base64url')}`,
      `${header}.${payload}.`,
      signed('EdDSA', generateKeyPairSync('ed448')),
      signed('EdDSA'),
    ]) {
      expect(await verify(changed, 'EdDSA'), changed).toBe(false);
    }
  });
});
