// Verifies the signature of a token with a shared secret (RFC 7518, section 3.2).
import { compactVerify } from 'jose/jws/compact/verify';
import type { VerifyWithSecret } from '../../core/ports/jwt.ts';

/** With jose: aws-jwt-verify has no HMAC. */
export const verifyWithSecret: VerifyWithSecret = async ({ text }, algorithm, secret) => {
  try {
    await compactVerify(text, new TextEncoder().encode(secret), { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
};
