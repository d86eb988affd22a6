// Verifies JWTs with jose, and fetches key sets. Loaded by the first token, not by a function that starts.
import { createHttp } from '../../adapters/http/request.ts';
import { createKeySetFetch } from '../../adapters/jwks/fetch-key-set.ts';

export { verifyWithSecret } from '../../adapters/jwt/verify-signature.ts';

export const fetchKeySet = createKeySetFetch(createHttp());
