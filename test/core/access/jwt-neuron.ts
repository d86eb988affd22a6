// Neurons that take JWTs, over the real verification and key sets in memory: what the tests of whole tokens have in common.
import { parseKeySet } from '../../../adapters/jwks/fetch-key-set.ts';
import { type JwtPorts, type JwtResult, verifyJwt } from '../../../core/access/jwt.ts';
import { type JwtMethod, toJwtMethod } from '../../../core/access/jwt-method.ts';
import { cacheKeySets } from '../../../core/access/key-set-cache.ts';
import { accessSchema } from '../../../core/settings/access-schema.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { NOW } from './examples.ts';
import { portsWithSecrets } from './tokens.ts';

export const JWKS_URL = 'https://login.example.com/jwks';
/** Settings as a file has them. */
export const BY_SECRET = { sharedSecret: { secret: 'support-jwt' } };
export const BY_JWKS = { jwks: [JWKS_URL] };

/** The method that settings come to; throws for settings that come to none. */
export function methodOf(jwt: object): JwtMethod {
  const parsed = accessSchema.parse({ jwt }).jwt;
  const method = parsed === undefined ? undefined : toJwtMethod(parsed);
  if (method === undefined) throw new Error('these settings are no method');
  return method;
}

/** Ports with the example secret and key sets by URL; a URL without one fails. `fetches` are those that were made. */
export function portsWithKeys(
  sets: Readonly<Record<string, readonly unknown[]>>,
): JwtPorts & { readonly fetches: string[] } {
  const fetches: string[] = [];
  const fetchKeySet = async (url: string) => {
    fetches.push(url);
    const keys = sets[url];
    if (keys === undefined) throw new Error('the endpoint is down');
    return parseKeySet(Buffer.from(JSON.stringify({ keys })));
  };
  const limits = {
    ttlMs: 600_000,
    maxStaleMs: 3_600_000,
    refetchAfterMs: 30_000,
    errorBackoffMs: 10_000,
    maximum: 10,
  };
  return {
    ...portsWithSecrets(),
    keySets: cacheKeySets(fetchKeySet, createMemoryClock(NOW), limits),
    fetches,
  };
}

/** The result for a token of the example organization. */
export function verifyText(
  text: string,
  jwt: object,
  ports: JwtPorts,
  { timeMs = NOW, note }: { readonly timeMs?: number; readonly note?: (passed: string) => void } = {},
): Promise<JwtResult> {
  return verifyJwt(
    { text, method: methodOf(jwt), conditions: [], organizationId: 'org-acme', timeMs },
    ports,
    note,
  );
}
