// Reads the bearer token of a request (RFC 6750, section 2.1).

/** The token, or why there is none. */
type Bearer = { readonly token: string } | { readonly reason: string };

// The scheme's case does not matter (RFC 9110, section 11.1); the token is a b64token (RFC 6750, section 2.1).
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** API Gateway takes 10,240 bytes of headers in all; a longer token is rejected. */
const MAX_LENGTH = 8_192;

/** Takes exactly one `Authorization` header: of two, another reader might believe the other one. */
export function readBearer(authorizations: readonly string[]): Bearer {
  const [authorization, ...more] = authorizations;
  if (authorization === undefined) return { reason: 'the request carries no Authorization header' };
  if (more.length > 0) return { reason: 'the request carries more than one Authorization header' };
  if (authorization.length > MAX_LENGTH) return { reason: 'the Authorization header is too long' };
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined ? { reason: 'the Authorization header holds no bearer token' } : { token };
}
