// Verifies the signature of a token with one public key: aws-jwt-verify where it knows the algorithm, jose for RSA-PSS.
import { createPublicKey } from 'node:crypto';
import type { Jwk, JwksCache, JwkWithKid } from 'aws-jwt-verify/jwk';
import { JwtVerifierBase } from 'aws-jwt-verify/jwt-verifier';
import { compactVerify } from 'jose/jws/compact/verify';
import type { KeyAlgorithm, SignedToken } from '../../core/ports/jwt.ts';

/** The public members of a key (RFC 7518, section 6; RFC 8037, section 2). */
export type PublicJwk = Pick<Jwk, 'kty' | 'n' | 'e' | 'crv' | 'x' | 'y'>;

/** Verifies with the key that it was made for; never throws. */
export type VerifySignature = (token: SignedToken, algorithm: KeyAlgorithm) => Promise<boolean>;

/** What the library looks its own keys up by; each verifier here has one key alone. */
const ONLY_KEY = 'key';
const UNUSED_URL = 'https://jwks.invalid/';
const ANYBODY = { issuer: null, audience: null };

/** Makes the verifier of one key. Throws on a key that cannot be read. */
export function createSignatureVerifier(jwk: PublicJwk): VerifySignature {
  const verifier = new SignatureVerifier(jwk);
  const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return async (token, algorithm) => {
    try {
      if (algorithm.startsWith('PS')) await compactVerify(token.text, publicKey, { algorithms: [algorithm] });
      else verifier.verifySignature(token, algorithm);
      return true;
    } catch {
      return false;
    }
  };
}

/**
 * A class, because the library gives its bare verification of signatures to subclasses alone. It is handed no claims: those, the
 * choice of the key and everything else about the token are judged in core/access.
 */
class SignatureVerifier extends JwtVerifierBase<typeof ANYBODY, typeof ANYBODY & { jwksUri: string }, false> {
  constructor(jwk: PublicJwk) {
    super({ ...ANYBODY, jwksUri: UNUSED_URL }, keepOne({ ...jwk, kid: ONLY_KEY }));
  }

  /** Throws unless the signature is of this key. */
  verifySignature({ header, payload, signature }: SignedToken, algorithm: string): void {
    this.verifyDecomposedJwtSync(
      {
        header: { alg: algorithm, kid: ONLY_KEY },
        headerB64: header,
        // With an issuer and a `kid` the library keeps what it has made of the key.
        payload: { iss: ONLY_KEY },
        payloadB64: payload,
        signatureB64: signature,
      },
      UNUSED_URL,
      ANYBODY,
    );
  }
}

/** A cache in the library's terms that has this key and fetches nothing. */
function keepOne(jwk: JwkWithKid): JwksCache {
  const none = (): never => {
    throw new Error('keys are fetched elsewhere');
  };
  return { getCachedJwk: () => jwk, getJwk: async () => jwk, getJwks: none, addJwks: none };
}
