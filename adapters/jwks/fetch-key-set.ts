// Fetches a JWK Set. How often is decided in core/access; which addresses may be connected to, in adapters/http.
import type { FetchKeySet, VerificationKey } from '../../core/ports/jwt.ts';
import { memberOf } from '../../core/text/json.ts';
import type { Http } from '../http/message.ts';
import { toUsableKey } from './usable-key.ts';

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
