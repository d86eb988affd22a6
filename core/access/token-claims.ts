// Validates the claims of a token: its times, its issuer and its audience (RFC 7519, section 4.1).
import { type JsonObject, memberOf } from '../text/json.ts';

/** The rules of the settings for claims; without a list every value is valid. */
export interface ClaimRules {
  readonly requireExpiry: boolean;
  readonly issuers: readonly string[] | undefined;
  readonly audiences: readonly string[] | undefined;
}

/** Tolerated difference between the clocks of issuers and of AWS. */
const LEEWAY_MS = 5_000;

/** The error of claims at `timeMs` (milliseconds since the Unix epoch), as constant text; undefined for valid claims. */
export function findClaimError(claims: JsonObject, rules: ClaimRules, timeMs: number): string | undefined {
  return (
    findTimeError(claims, rules, timeMs) ?? findIssuerError(claims, rules) ?? findAudienceError(claims, rules)
  );
}

function findTimeError(
  claims: JsonObject,
  { requireExpiry }: ClaimRules,
  timeMs: number,
): string | undefined {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    // Some numbers of JSON become Infinity, which no time exceeds.
    if (Object.hasOwn(claims, name) && !Number.isFinite(claims[name]))
      return `the ${name} of the token is not a number of seconds`;
  }
  const expiry = memberOf(claims, 'exp');
  if (typeof expiry !== 'number') {
    if (requireExpiry) return 'the token has no exp';
  } else if (!(timeMs < expiry * 1000 + LEEWAY_MS)) return 'the token has expired';
  const begin = memberOf(claims, 'nbf');
  if (typeof begin === 'number' && !(timeMs >= begin * 1000 - LEEWAY_MS)) return 'the token is not valid yet';
  return undefined;
}

function findIssuerError(claims: JsonObject, { issuers }: ClaimRules): string | undefined {
  const issuer = memberOf(claims, 'iss');
  if (issuer !== undefined && typeof issuer !== 'string') return 'the iss of the token is not text';
  if (issuers === undefined) return undefined;
  if (issuer === undefined) return 'the token has no iss';
  return issuers.includes(issuer) ? undefined : 'the iss of the token is not one that the settings list';
}

function findAudienceError(claims: JsonObject, { audiences }: ClaimRules): string | undefined {
  const audience = memberOf(claims, 'aud');
  const named: readonly unknown[] = Array.isArray(audience)
    ? audience
    : audience === undefined
      ? []
      : [audience];
  if (!named.every((one) => typeof one === 'string'))
    return 'the aud of the token is neither text nor a list of texts';
  if (audiences === undefined) return undefined;
  if (named.length === 0) return 'the token has no aud';
  return named.some((one) => audiences.includes(one))
    ? undefined
    : 'the aud of the token is not one that the settings list';
}
