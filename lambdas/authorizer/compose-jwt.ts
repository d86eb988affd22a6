// Puts together what judging JWTs asks: the secrets of organizations and the key sets behind URLs, each with its cache.
import { createHttp } from '../../adapters/http/request.ts';
import { createKeySetFetch } from '../../adapters/jwks/fetch-key-set.ts';
import { verifyWithSecret } from '../../adapters/jwt/verify-signature.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createSecretReader } from '../../adapters/secrets/reader.ts';
import type { JwtPorts } from '../../core/access/jwt.ts';
import { cacheKeySets } from '../../core/access/key-set-cache.ts';
import type { AuthorizerEnvironment } from '../environment.ts';

/** Key sets kept in memory; each is at most 100 KB as text. */
const MAX_KEY_SETS = 200;

/** Made once per environment; asks nobody before the first token comes. */
export function composeJwt(environment: AuthorizerEnvironment): JwtPorts {
  return {
    secrets: createSecretReader({
      prefix: environment.secretPrefix,
      ttlMs: environment.secretsTtlMs,
      clock: systemClock,
    }),
    verifyWithSecret,
    keySets: cacheKeySets(createKeySetFetch(createHttp()), systemClock, {
      ttlMs: environment.keySetsTtlMs,
      maxStaleMs: environment.keySetsMaxStaleMs,
      refetchAfterMs: environment.keySetsRefetchAfterMs,
      errorBackoffMs: environment.keySetsErrorBackoffMs,
      maximum: MAX_KEY_SETS,
    }),
  };
}
