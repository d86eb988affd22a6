// Verifies a JWT. Top to bottom this is the whole of it: form, algorithm and claims first, since they cost nothing, then the
// signature, then the username. No part of the token is used before all of it is valid.
import { conditionId, type TokenCondition } from '../settings/access-schema.ts';
import { type JsonObject, memberOf } from '../text/json.ts';
import { type ChosenMethod, chooseAlgorithm, type JwtMethod } from './jwt-method.ts';
import type { KeySets } from './key-set-cache.ts';
import { searchKeySets } from './key-set-order.ts';
import { type SecretPorts, verifyBySecret } from './shared-secret.ts';
import { findClaimError } from './token-claims.ts';
import { readToken, type Token } from './token-shape.ts';
import { findUsername } from './username.ts';

/** Every invalid token is answered with the same 401; one that cannot be verified has another code. `reason` never quotes the token. */
export type JwtResult =
  | {
      readonly outcome: 'valid';
      readonly username: string | undefined;
      /** Ids of the conditions that the token's claims fulfil; absent for none. */
      readonly conditions?: readonly string[];
      readonly reason: string;
    }
  | { readonly outcome: 'invalid'; readonly reason: string }
  | { readonly outcome: 'configuration'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

export interface JwtPorts extends SecretPorts {
  readonly keySets: KeySets;
}

/** A token, with the settings and the time to verify it by. */
interface PresentedJwt {
  readonly text: string;
  readonly method: JwtMethod;
  /** Conditions of limits on the claims of a token. */
  readonly conditions: readonly TokenCondition[];
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/** Verifies the token; never throws. `note` receives each check that passed, for `neuron explain`. */
export async function verifyJwt(
  { text, method, conditions, organizationId, timeMs }: PresentedJwt,
  ports: JwtPorts,
  note: (passed: string) => void = () => undefined,
): Promise<JwtResult> {
  // 1. Three parts of base64url, the first two JSON objects, no crit.
  const reading = readToken(text);
  if ('reason' in reading) return invalid(reading.reason);
  const { token } = reading;
  note('the token has the form of a signed JWT');

  // 2. The algorithm is of the family of the settings and listed there.
  const chosen = chooseAlgorithm(method.signature, token.algorithm);
  if (chosen === undefined) return invalid('the algorithm of the token is not one that the settings list');
  note('its algorithm is listed');

  // 3. Times, issuer and audience.
  const claimError = findClaimError(token.claims, method.claims, timeMs);
  if (claimError !== undefined) return invalid(claimError);
  note('its times, issuer and audience are valid');

  // 4. The signature, with a key that the settings name.
  const failure = await findSignatureError(token, chosen, organizationId, { ...ports, note });
  if (failure !== undefined) return failure;

  // 5. The username.
  const username =
    method.usernamePath === undefined ? undefined : findUsername(token.claims, method.usernamePath);
  if (username === undefined && method.requireUsername)
    return invalid('the token has no username that can be used');

  // 6. The limits that are for callers with its claims.
  const fulfilled = conditions.filter((condition) => isFulfilled(token.claims, condition));
  for (const { claim } of fulfilled) note(`limits for its claim ${claim} hold`);
  return {
    outcome: 'valid',
    username,
    ...(fulfilled.length === 0 ? {} : { conditions: fulfilled.map(conditionId) }),
    reason:
      username === undefined ? 'the JWT is valid, without a username' : 'the JWT is valid, with a username',
  };
}

/** A member of the payload itself, as text: neither a number nor a list is one of the values. */
function isFulfilled(claims: JsonObject, { claim, is }: TokenCondition): boolean {
  const value = memberOf(claims, claim);
  return is.some((one) => one === value);
}

/** Undefined for a valid signature. */
async function findSignatureError(
  token: Token,
  method: ChosenMethod,
  organizationId: string,
  { note, ...ports }: JwtPorts & { readonly note: (passed: string) => void },
): Promise<JwtResult | undefined> {
  if (method.kind === 'jwks') {
    const { urls, algorithm } = method;
    const search = await searchKeySets(urls, token, algorithm, ports.keySets, (url, result) =>
      note(`${url} ${result}`),
    );
    if (search === 'valid') return undefined;
    if (search === 'invalid') return invalid('no key of the JWKS endpoints verifies the token');
    return { outcome: 'unavailable', reason: 'no JWKS endpoint gave keys', cause: undefined };
  }
  const { secretName, previousSecretName, algorithm } = method;
  const owner = { organizationId, secretName, previousSecretName };
  const result = await verifyBySecret(owner, token, algorithm, ports);
  switch (result.outcome) {
    case 'valid':
      note('its signature was made with the shared secret');
      return undefined;
    case 'invalid':
      return invalid('the signature of the token was not made with the shared secret');
    case 'configuration':
      return result;
    case 'unavailable':
      return { ...result, reason: 'the secret for JWTs could not be read' };
  }
}

function invalid(reason: string): JwtResult {
  return { outcome: 'invalid', reason };
}
