// Fetches a JWK Set. How often is decided in core/access; which addresses may be connected to, in adapters/http.
import type { FetchKeySet } from '../../core/ports/jwt.ts';
import type { Http } from '../http/message.ts';
import { parseKeySet } from './parse-key-set.ts';

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
