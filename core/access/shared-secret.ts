// Verifies a token with the organization's shared secret, which may have changed since it was last read.
import type { SecretAlgorithm, VerifyWithSecret } from '../ports/jwt.ts';
import type { SecretReader } from '../ports/stores.ts';
import { findSecretFlaw } from './shared-secret-strength.ts';
import type { Token } from './token-shape.ts';

/** `configuration`: there is no usable secret. `unavailable`: the store of secrets failed. */
type SignatureResult =
  | { readonly outcome: 'valid' }
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'configuration'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly cause: unknown };

export interface SecretPorts {
  readonly secrets: SecretReader;
  readonly verifyWithSecret: VerifyWithSecret;
}

interface SecretOwner {
  readonly organizationId: string;
  readonly secretName: string;
}

/** Reads the secret again when the signature fails; the reader bounds how often. */
export async function verifyBySecret(
  owner: SecretOwner,
  token: Token,
  algorithm: SecretAlgorithm,
  ports: SecretPorts,
): Promise<SignatureResult> {
  const { organizationId, secretName } = owner;
  const read = (fresh: boolean) => ports.secrets.read(organizationId, 'jwt', secretName, { fresh });
  try {
    const secret = await read(false);
    const result = await verify(secret, token, algorithm, ports);
    if (result.outcome !== 'invalid') return result;
    const again = await read(true);
    return again === secret ? result : await verify(again, token, algorithm, ports);
  } catch (cause) {
    return { outcome: 'unavailable', cause };
  }
}

async function verify(
  secret: string | undefined,
  token: Token,
  algorithm: SecretAlgorithm,
  { verifyWithSecret }: SecretPorts,
): Promise<SignatureResult> {
  if (secret === undefined) return { outcome: 'configuration', reason: 'the secret for JWTs is not set' };
  // A secret that was set without the command was never checked. With a public key as the secret everybody could sign.
  const flaw = findSecretFlaw(secret);
  if (flaw !== undefined) return { outcome: 'configuration', reason: `the secret for JWTs ${flaw}` };
  const valid = await verifyWithSecret(token.text, algorithm, secret);
  return { outcome: valid ? 'valid' : 'invalid' };
}
