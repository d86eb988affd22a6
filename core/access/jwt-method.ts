// Reads from the settings of a neuron how JWTs are verified. The family of algorithms never comes from a token (RFC 8725, section 3.1).

import type { KeyAlgorithm, SecretAlgorithm } from '../ports/jwt.ts';
import { JWKS_ALGORITHMS, type JwtAccess, SHARED_SECRET_ALGORITHMS } from '../settings/access-schema.ts';
import type { ClaimRules } from './token-claims.ts';
import { toUsernamePath } from './username.ts';

type SignatureMethod =
  | {
      readonly kind: 'sharedSecret';
      /** Name among the organization's secrets for JWTs. */
      readonly secretName: string;
      /** Name of the secret before it, while both verify. */
      readonly previousSecretName?: string | undefined;
      readonly algorithms: readonly SecretAlgorithm[];
    }
  | {
      readonly kind: 'jwks';
      readonly urls: readonly string[];
      readonly algorithms: readonly KeyAlgorithm[];
    };

/** A method with the algorithm that a token names. */
export type ChosenMethod =
  | {
      readonly kind: 'sharedSecret';
      readonly secretName: string;
      readonly previousSecretName?: string | undefined;
      readonly algorithm: SecretAlgorithm;
    }
  | { readonly kind: 'jwks'; readonly urls: readonly string[]; readonly algorithm: KeyAlgorithm };

/** The settings of JWTs. */
export interface JwtMethod {
  readonly signature: SignatureMethod;
  readonly claims: ClaimRules;
  /** Undefined: callers have no username. */
  readonly usernamePath: readonly string[] | undefined;
  readonly requireUsername: boolean;
}

/** Undefined for settings that `apply` rejects: not exactly one method, or an algorithm of another family. */
export function toJwtMethod(jwt: JwtAccess): JwtMethod | undefined {
  const signature = toSignatureMethod(jwt);
  if (signature === undefined) return undefined;
  return {
    signature,
    claims: {
      requireExpiry: jwt.requireExpiry,
      issuers: toList(jwt.issuer),
      audiences: toList(jwt.audience),
    },
    usernamePath: toUsernamePath(jwt.usernamePath),
    requireUsername: jwt.requireUsername,
  };
}

/** Undefined for an algorithm that the method does not list, such as one of another family, or `none`. */
export function chooseAlgorithm(method: SignatureMethod, name: string): ChosenMethod | undefined {
  if (method.kind === 'sharedSecret') {
    const algorithm = method.algorithms.find((one) => one === name);
    return algorithm === undefined ? undefined : { ...method, algorithm };
  }
  const algorithm = method.algorithms.find((one) => one === name);
  return algorithm === undefined ? undefined : { ...method, algorithm };
}

function toSignatureMethod({ sharedSecret, jwks, algorithms }: JwtAccess): SignatureMethod | undefined {
  if ((sharedSecret === undefined) === (jwks === undefined)) return undefined;
  if (sharedSecret !== undefined) {
    // Longer hashes have to be listed.
    const chosen = chooseAlgorithms(algorithms, SHARED_SECRET_ALGORITHMS, ['HS256']);
    if (chosen === undefined) return undefined;
    const { secret: secretName, previous: previousSecretName } = sharedSecret;
    return { kind: 'sharedSecret', secretName, previousSecretName, algorithms: chosen };
  }
  const chosen = chooseAlgorithms(algorithms, JWKS_ALGORITHMS, JWKS_ALGORITHMS);
  if (jwks === undefined || jwks.length === 0 || chosen === undefined) return undefined;
  return { kind: 'jwks', urls: jwks, algorithms: chosen };
}

function chooseAlgorithms<Algorithm extends string>(
  listed: readonly string[] | undefined,
  family: readonly Algorithm[],
  byDefault: readonly Algorithm[],
): readonly Algorithm[] | undefined {
  if (listed === undefined) return byDefault;
  const chosen = family.filter((algorithm) => listed.includes(algorithm));
  return listed.every((one) => chosen.some((algorithm) => algorithm === one)) ? chosen : undefined;
}

function toList(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}
