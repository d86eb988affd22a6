// Ports of JWT authentication: verifying a signature with a given key, and fetching the keys behind a URL.
import type { JWKS_ALGORITHMS, SHARED_SECRET_ALGORITHMS } from '../settings/access-schema.ts';

/** Algorithms of a shared secret (RFC 7518, section 3.2). */
export type SecretAlgorithm = (typeof SHARED_SECRET_ALGORITHMS)[number];
/** Algorithms of public keys (RFC 7518, sections 3.3 to 3.5; RFC 8037 for EdDSA). */
export type KeyAlgorithm = (typeof JWKS_ALGORITHMS)[number];

/**
 * True when the token, in the compact serialization (RFC 7515, section 7.1), is signed with this secret, taken as UTF-8 without
 * trimming. Never throws.
 */
export type VerifyWithSecret = (
  token: string,
  algorithm: SecretAlgorithm,
  secret: string,
) => Promise<boolean>;

/** A public key that is fit for signatures. */
export interface VerificationKey {
  readonly kid: string | undefined;
  /** The algorithms of its type and curve, or the one of them that it names. */
  readonly algorithms: readonly KeyAlgorithm[];
  /** True when the token, in the compact serialization, is signed with this key's private half. Never throws. */
  verify(token: string, algorithm: KeyAlgorithm): Promise<boolean>;
}

/** Fetches the usable keys behind a URL (RFC 7517, section 5). Throws when there is no usable answer. */
export type FetchKeySet = (url: string, signal: AbortSignal) => Promise<readonly VerificationKey[]>;
