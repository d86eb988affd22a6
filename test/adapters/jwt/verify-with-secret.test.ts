// Signatures with a shared secret.
import { describe, expect, it } from 'vitest';
import { verifyWithSecret } from '../../../adapters/jwt/verify-signature.ts';
import type { SecretAlgorithm } from '../../../core/ports/jwt.ts';
import { SHARED_SECRET_ALGORITHMS } from '../../../core/settings/access-schema.ts';
import { CLAIMS, SECRET, signWithKey, signWithSecret } from '../../core/access/tokens.ts';
import { PAIRS } from './key-pairs.ts';

const signed = (alg: SecretAlgorithm, secret = SECRET) => signWithSecret(CLAIMS, { alg }, secret);

describe.each(SHARED_SECRET_ALGORITHMS)('%s', (algorithm) => {
  it('verifies what was signed with the secret', async () => {
    expect(await verifyWithSecret(signed(algorithm), algorithm, SECRET)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'x',
    `${SECRET} `,
    ` ${SECRET}`,
    `${SECRET}\n`,
    SECRET.toUpperCase(),
    SECRET.slice(0, -1),
  ])('refuses it under another secret: %j', async (secret) => {
    expect(await verifyWithSecret(signed(algorithm), algorithm, secret)).toBe(false);
  });

  it('takes the secret as UTF-8, nothing of it trimmed or decoded', async () => {
    for (const secret of [' süß\n', 'aGVsbG8=', '00ff', '密码', 'a'.repeat(1_000)]) {
      expect(await verifyWithSecret(signed(algorithm, secret), algorithm, secret), secret).toBe(true);
    }
  });

  it('refuses its signature under every other algorithm', async () => {
    for (const other of SHARED_SECRET_ALGORITHMS.filter((one) => one !== algorithm)) {
      expect(await verifyWithSecret(signed(algorithm), other, SECRET)).toBe(false);
    }
  });

  it.each(['', 'AA', 'A'.repeat(200)])(
    'refuses a signature of the wrong length without throwing: %j',
    async (signature) => {
      const [header, payload] = signed(algorithm).split('.');
      expect(await verifyWithSecret(`${header}.${payload}.${signature}`, algorithm, SECRET)).toBe(false);
    },
  );
});

it('refuses a public key that somebody took for the secret', async () => {
  const pem = PAIRS.RS256.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const token = signWithKey(PAIRS.RS256.privateKey, CLAIMS, { alg: 'RS256' });
  expect(await verifyWithSecret(token, 'HS256', pem)).toBe(false);
});
