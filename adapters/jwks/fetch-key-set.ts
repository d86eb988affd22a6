// Fetches a JWK Set. How often is decided in core/access; which addresses may be connected to, in adapters/http.
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { FetchKeySet, KeyAlgorithm, VerificationKey } from '../../core/ports/jwt.ts';
import { isJsonObject, memberOf } from '../../core/text/json.ts';
import type { Http } from '../http/message.ts';
import { verifyWithKey } from '../jwt/verify-signature.ts';

/** Fifty keys of the largest accepted size are about 80 KB. */
const MAX_BYTES = 100 * 1024;

/** A fetch over `http`. Throws on everything but a whole 200 with a JWK Set: redirects are not followed. */
export function createKeySetFetch(http: Http): FetchKeySet {
  return async (url, signal) => {
    const headers = { accept: 'application/jwk-set+json, application/json' };
    const { status, body } = await http({ method: 'GET', url, headers, maxBytes: MAX_BYTES, signal });
    if (status !== 200) throw new Error(`the JWKS endpoint answered ${status}`);
    return parseKeySet(body);
  };
}

/** Each key costs time to read and to try; providers publish two to five. */
const MAX_KEYS = 50;

/** The usable keys, maybe none. Throws on text that is no JWK Set or holds more than 50 keys; the message quotes none of it. */
export function parseKeySet(body: Uint8Array): readonly VerificationKey[] {
  const keys = readKeys(body);
  if (keys === undefined) throw new Error('the answer is not a JSON Web Key Set');
  if (keys.length > MAX_KEYS) throw new Error(`the key set has more than ${MAX_KEYS} keys`);
  return keys.flatMap((key) => toUsableKey(key) ?? []);
}

function readKeys(body: Uint8Array): readonly unknown[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
  const keys = memberOf(value, 'keys');
  return Array.isArray(keys) ? keys : undefined;
}

/** Algorithms by type and curve (RFC 7518, section 3.1; RFC 8037, section 3.1). Without `oct`: a published secret is no secret. */
const ALGORITHMS: Readonly<Record<string, readonly KeyAlgorithm[]>> = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
  'OKP Ed25519': ['EdDSA'],
  'OKP Ed448': ['EdDSA'],
};
const PUBLIC_MEMBERS = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] } as const;

/** The public members of a key (RFC 7518, section 6; RFC 8037, section 2). */
type PublicJwk = Pick<JsonWebKey, 'n' | 'e' | 'crv' | 'x' | 'y'> & {
  readonly kty: keyof typeof PUBLIC_MEMBERS;
};

/** RFC 7518, section 3.3 demands 2,048 bits; beyond the other bounds, verifying one token takes milliseconds. */
const MIN_RSA_BITS = 2_048;
const MAX_RSA_BITS = 8_192;
const MIN_RSA_EXPONENT = 3n;
const MAX_RSA_EXPONENT = 2n ** 32n;

/** Undefined for a key that cannot be used. Never throws. */
function toUsableKey(value: unknown): VerificationKey | undefined {
  if (!isJsonObject(value)) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const jwk = readPublicJwk(members);
  if (jwk === undefined || !isForSignatures(members)) return undefined;
  const algorithms = chooseAlgorithms(jwk, members.get('alg'));
  const kid = members.get('kid');
  if (algorithms.length === 0 || (kid !== undefined && typeof kid !== 'string')) return undefined;
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    if (!isStrong(key)) return undefined;
    return {
      kid,
      algorithms,
      verify: async (token, algorithm) =>
        algorithms.includes(algorithm) && (await verifyWithKey(token, algorithm, key)),
    };
  } catch {
    return undefined;
  }
}

function readPublicJwk(members: ReadonlyMap<string, unknown>): PublicJwk | undefined {
  const kty = members.get('kty');
  // `d` is the private half: once published, anybody can sign with it.
  if ((kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') || members.has('d')) return undefined;
  const read = PUBLIC_MEMBERS[kty].map((name) => [name, members.get(name)] as const);
  if (!read.every(([, text]) => typeof text === 'string')) return undefined;
  return { kty, ...Object.fromEntries(read) };
}

/** True also for a key that names no use (RFC 7517, sections 4.2 and 4.3). */
function isForSignatures(members: ReadonlyMap<string, unknown>): boolean {
  const operations = members.get('key_ops');
  const use = members.get('use');
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

function chooseAlgorithms({ kty, crv }: PublicJwk, named: unknown): readonly KeyAlgorithm[] {
  const algorithms = ALGORITHMS[crv === undefined ? kty : `${kty} ${crv}`] ?? [];
  return named === undefined ? algorithms : algorithms.filter((algorithm) => algorithm === named);
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType !== 'rsa') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return (
    modulusLength >= MIN_RSA_BITS &&
    modulusLength <= MAX_RSA_BITS &&
    publicExponent >= MIN_RSA_EXPONENT &&
    publicExponent <= MAX_RSA_EXPONENT
  );
}
