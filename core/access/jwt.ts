// Judges a JWT. Top to bottom this is the whole of it: form, algorithm and claims first, since they cost nothing, then the
// signature, then the username. Nothing of the token is used before all of it holds.
import { type ChosenMethod, chooseAlgorithm, type JwtMethod } from './jwt-method.ts';
import type { KeySets } from './key-set-cache.ts';
import { searchKeySets } from './key-set-order.ts';
import { type SecretPorts, verifyBySecret } from './shared-secret.ts';
import { refuseClaims } from './token-claims.ts';
import { readToken, type Token } from './token-shape.ts';
import { findUsername } from './username.ts';

/** What became of a token. Every way to fail is one 401; what cannot be judged is none. `reason` is constant text, never the token's. */
export type JwtVerdict =
  | { readonly outcome: 'holds'; readonly username: string | undefined; readonly reason: string }
  | { readonly outcome: 'fails'; readonly reason: string }
  | { readonly outcome: 'configuration'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

/** What judging a token asks. */
export interface JwtPorts extends SecretPorts {
  readonly keySets: KeySets;
}

/** A token against a neuron, at a moment. */
export interface PresentedJwt {
  readonly text: string;
  readonly method: JwtMethod;
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/** Judges the token; never throws. `note` is told what passed, for `neuron explain`. */
export async function verifyJwt(
  { text, method, organizationId, timeMs }: PresentedJwt,
  ports: JwtPorts,
  note: (passed: string) => void = () => undefined,
): Promise<JwtVerdict> {
  // 1. Three parts of base64url, the first two JSON objects, no crit.
  const reading = readToken(text);
  if ('reason' in reading) return fails(reading.reason);
  const { token } = reading;
  note('the token has the form of a signed JWT');

  // 2. The algorithm is of the family of the settings and listed there.
  const chosen = chooseAlgorithm(method.signature, token.algorithm);
  if (chosen === undefined) return fails('the algorithm of the token is not one that the settings list');
  note('its algorithm is listed');

  // 3. Times, issuer and audience.
  const refusal = refuseClaims(token.claims, method.claims, timeMs);
  if (refusal !== undefined) return fails(refusal);
  note('its times, issuer and audience hold');

  // 4. The signature, with a key of the settings' choice.
  const failure = await refuseSignature(token, chosen, organizationId, { ...ports, note });
  if (failure !== undefined) return failure;

  // 5. The username.
  const username =
    method.usernamePath === undefined ? undefined : findUsername(token.claims, method.usernamePath);
  if (username === undefined && method.requireUsername)
    return fails('the token has no username that can be used');
  return {
    outcome: 'holds',
    username,
    reason: username === undefined ? 'the JWT holds, without a username' : 'the JWT holds, with a username',
  };
}

/** Undefined for a signature that holds. */
async function refuseSignature(
  token: Token,
  method: ChosenMethod,
  organizationId: string,
  { note, ...ports }: JwtPorts & { readonly note: (passed: string) => void },
): Promise<JwtVerdict | undefined> {
  if (method.kind === 'jwks') {
    const { urls, algorithm } = method;
    const search = await searchKeySets(urls, token, algorithm, ports.keySets, (url, finding) =>
      note(`${url} ${finding}`),
    );
    if (search === 'holds') return undefined;
    if (search === 'fails') return fails('no key of the JWKS endpoints verifies the token');
    return { outcome: 'unavailable', reason: 'no JWKS endpoint gave keys', cause: undefined };
  }
  const { secretName, algorithm } = method;
  const verdict = await verifyBySecret({ organizationId, secretName }, token, algorithm, ports);
  switch (verdict.outcome) {
    case 'holds':
      note('its signature was made with the shared secret');
      return undefined;
    case 'fails':
      return fails('the signature of the token was not made with the shared secret');
    case 'configuration':
      return verdict;
    case 'unavailable':
      return { ...verdict, reason: 'the secret for JWTs could not be read' };
  }
}

function fails(reason: string): JwtVerdict {
  return { outcome: 'fails', reason };
}
