// One key pair for each kind of key that tokens are signed with, made once per test run.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { KeyAlgorithm } from '../../../core/ports/jwt.ts';

/** Both halves of a key. */
export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A pair for each algorithm; RSA has one for all of its six. */
export const PAIRS: Readonly<Record<KeyAlgorithm, KeyPair>> = {
  RS256: rsa,
  RS384: rsa,
  RS512: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: generateKeyPairSync('ed25519'),
};

/** The public half as it stands in a key set. */
export function jwkOf(
  { publicKey }: KeyPair,
  members: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...publicKey.export({ format: 'jwk' }), ...members };
}
