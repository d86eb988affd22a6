// Verifies signatures of JWTs (RFC 7515); every other rule for tokens is in core/access.
import { type KeyObject, verify } from 'node:crypto';
import { compactVerify } from 'jose/jws/compact/verify';
import type { KeyAlgorithm, VerifyWithSecret } from '../../core/ports/jwt.ts';

/** The secret's UTF-8 bytes are the key (RFC 7518, section 3.2). */
export const verifyWithSecret: VerifyWithSecret = (token, algorithm, secret) =>
  isVerified(token, algorithm, new TextEncoder().encode(secret));

/** True when the token is signed with the private half of this key. Never throws. */
export async function verifyWithKey(
  token: string,
  algorithm: KeyAlgorithm,
  key: KeyObject,
): Promise<boolean> {
  // jose has only Ed25519; Node verifies the other curve of RFC 8037.
  if (key.asymmetricKeyType === 'ed448') return algorithm === 'EdDSA' && isSignedWithEd448(token, key);
  return isVerified(token, algorithm, key);
}

async function isVerified(token: string, algorithm: string, key: KeyObject | Uint8Array): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}

function isSignedWithEd448(token: string, key: KeyObject): boolean {
  const end = token.lastIndexOf('.');
  return verify(null, Buffer.from(token.slice(0, end)), key, Buffer.from(token.slice(end + 1), 'base64url'));
}
