// Parses a JWT without trusting it: its form first, then its header and its claims (RFC 7515, 7519 and 8725).
import { isJsonObject, type JsonObject, memberOf } from '../text/json.ts';

/** A well-formed token, of which nothing is verified. */
export interface Token {
  /** As the header names it, also when the settings do not list it. */
  readonly algorithm: string;
  readonly kid: string | undefined;
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** The token as received, for the signature. */
  readonly text: string;
}

/** The token, or the error as constant text. */
type TokenReading = { readonly token: Token } | { readonly reason: string };

/** API Gateway takes 10,240 bytes of headers in all. */
const MAX_LENGTH = 8_192;
/** Three parts, none empty: a token without a signature has two, an encrypted one has five. */
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Three parts with dots between them, or the beginning of a header in JSON and a dot: it is a JWT or nothing. */
export function hasJwtForm(text: string): boolean {
  return COMPACT.test(text) || /^eyJ[A-Za-z0-9_-]*\./.test(text);
}

/** Parses a token. Never throws. */
export function readToken(text: string): TokenReading {
  if (text.length > MAX_LENGTH) return reject('the token is longer than 8 KB');
  if (!COMPACT.test(text)) return reject('the token is neither an API key nor a signed JWT');
  const [first, last] = [text.indexOf('.'), text.lastIndexOf('.')];
  const header = text.slice(0, first);
  const payload = text.slice(first + 1, last);
  const signature = text.slice(last + 1);
  if (decode(signature) === undefined) return reject('the signature of the token is not base64url');
  const headerObject = parseObject(header);
  if (headerObject === undefined) return reject('the header of the token is not a JSON object');
  const claims = parseObject(payload);
  if (claims === undefined) return reject('the payload of the token is not a JSON object');
  return readHeader(headerObject, claims, text);
}

/** Uses only `alg` and `kid` of the header: `jku`, `jwk`, `x5u` and `x5c` would let the token choose its own key. */
function readHeader(header: JsonObject, claims: JsonObject, text: string): TokenReading {
  // No extension is understood here, so a token that requires one is rejected (RFC 7515, section 4.1.11).
  if (Object.hasOwn(header, 'crit'))
    return reject('the header of the token has crit, and no extension is understood');
  // An unencoded payload is no JWT (RFC 7797, section 7).
  if (Object.hasOwn(header, 'b64') && header['b64'] !== true)
    return reject('the header of the token has b64, which a JWT may not');
  const algorithm = memberOf(header, 'alg');
  if (typeof algorithm !== 'string') return reject('the header of the token names no algorithm');
  const kid = memberOf(header, 'kid');
  if (kid !== undefined && typeof kid !== 'string') return reject('the kid of the token is not text');
  return { token: { algorithm, kid, header, claims, text } };
}

function parseObject(part: string): JsonObject | undefined {
  const bytes = decode(part);
  if (bytes === undefined) return undefined;
  try {
    // A byte order mark is kept, so that JSON rejects it: the same bytes must be the same token for all software.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The bytes of a part in canonical base64url: no padding, no bits beyond the last byte (RFC 4648, section 3.5). */
function decode(part: string): Uint8Array | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function reject(reason: string): TokenReading {
  return { reason };
}
