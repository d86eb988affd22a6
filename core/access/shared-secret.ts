// Verifies a token with the organization's shared secret, which may have been changed since it was last read.
import type { SecretAlgorithm, VerifyWithSecret } from '../ports/jwt.ts';
import type { SecretReader } from '../ports/stores.ts';
import { findSecretFlaw } from './shared-secret-strength.ts';
import type { Token } from './token-shape.ts';

/** `configuration`: there is no secret to verify with. `unavailable`: the store of secrets failed, with what it threw. */
type SignatureResult =
  | { readonly outcome: 'valid' }
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'configuration'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly cause: unknown };

/** What verifying needs. */
export interface SecretPorts {
  readonly secrets: SecretReader;
  readonly verifyWithSecret: VerifyWithSecret;
}

/** Whose secret. */
interface SecretOwner {
  readonly organizationId: string;
  readonly secretName: string;
}

/** Reads the secret again where the signature fails; how often that may happen is bounded by the reader. */
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
  // A secret that was set without the command was never checked. A public key as the secret would let everybody sign.
  const flaw = findSecretFlaw(secret);
  if (flaw !== undefined) return { outcome: 'configuration', reason: `the secret for JWTs ${flaw}` };
  const valid = await verifyWithSecret(token.text, algorithm, secret);
  return { outcome: valid ? 'valid' : 'invalid' };
}
