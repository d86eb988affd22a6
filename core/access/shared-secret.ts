// Verifies a token with the organization's shared secret, which may have changed since it was last read, or with the one before it.
import type { SecretAlgorithm, VerifyWithSecret } from '../ports/jwt.ts';
import type { SecretReader } from '../ports/stores.ts';
import { findSecretFlaw, findSecretWeakness } from './shared-secret-strength.ts';
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
  /** While the secret is rotated: the name of the one that verifies too. */
  readonly previousSecretName?: string | undefined;
}

/** The values of the secret and, if it has a name, of the previous one; undefined where none is set. */
type SecretValues = readonly (string | undefined)[];

/** Reads the secrets again when the signature fails; the reader bounds how often. */
export async function verifyBySecret(
  owner: SecretOwner,
  token: Token,
  algorithm: SecretAlgorithm,
  ports: SecretPorts,
): Promise<SignatureResult> {
  try {
    const values = await readValues(owner, ports.secrets, false);
    const result = await verifyByAny(values, token, algorithm, ports);
    if (result.outcome !== 'invalid') return result;
    const again = await readValues(owner, ports.secrets, true);
    const isSame = again.every((value, index) => value === values[index]);
    return isSame ? result : await verifyByAny(again, token, algorithm, ports);
  } catch (cause) {
    return { outcome: 'unavailable', cause };
  }
}

/** One after the other: all values are in one secret of the store, which is read again at most once. */
async function readValues(
  { organizationId, secretName, previousSecretName }: SecretOwner,
  secrets: SecretReader,
  fresh: boolean,
): Promise<SecretValues> {
  const read = (name: string) => secrets.read(organizationId, 'jwt', name, { fresh });
  const current = await read(secretName);
  return previousSecretName === undefined ? [current] : [current, await read(previousSecretName)];
}

/** Valid by any of the secrets. Otherwise `configuration` where one is unusable: the token may have been signed with it. */
async function verifyByAny(
  [current, ...previous]: SecretValues,
  token: Token,
  algorithm: SecretAlgorithm,
  ports: SecretPorts,
): Promise<SignatureResult> {
  const result = await verify('secret', current, findSecretFlaw, { token, algorithm, ports });
  if (result.outcome === 'valid') return result;
  // A weak secret is rejected too: a rotation must end it, not prolong it.
  const findFlaw = (value: string) => findSecretFlaw(value) ?? findSecretWeakness(value, [algorithm]);
  for (const value of previous) {
    const other = await verify('previous secret', value, findFlaw, { token, algorithm, ports });
    if (other.outcome === 'valid' || result.outcome === 'invalid') return other;
  }
  return result;
}

async function verify(
  which: string,
  secret: string | undefined,
  findFlaw: (secret: string) => string | undefined,
  {
    token,
    algorithm,
    ports,
  }: { readonly token: Token; readonly algorithm: SecretAlgorithm; readonly ports: SecretPorts },
): Promise<SignatureResult> {
  if (secret === undefined) return { outcome: 'configuration', reason: `the ${which} for JWTs is not set` };
  // A secret that was set without the command was never checked. With a public key as the secret everybody could sign.
  const flaw = findFlaw(secret);
  if (flaw !== undefined) return { outcome: 'configuration', reason: `the ${which} for JWTs ${flaw}` };
  const valid = await ports.verifyWithSecret(token.text, algorithm, secret);
  return { outcome: valid ? 'valid' : 'invalid' };
}
