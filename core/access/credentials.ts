// Authenticates the caller of a request by its credential: an API key, looked up by its digest, or a JWT.
import type { KeyGrants, KeyStore, StoredKey } from '../ports/keys.ts';
import { matchesName } from '../settings/names/model-names.ts';
import { isApiKey, parseApiKey } from './api-key.ts';
import { parseForeignKey } from './foreign-key.ts';
import { type JwtPorts, verifyJwt } from './jwt.ts';
import { toJwtMethod } from './jwt-method.ts';
import type { AccessFacts, AccessRequest, Credential } from './request.ts';
import type { NeuronAccess } from './settings.ts';

/** Every invalid credential is answered with the same 401; one that cannot be checked has another code. */
export type CredentialResult =
  | {
      readonly outcome: 'valid';
      readonly authentication: 'apiKey';
      readonly keyId: string;
      readonly keyLimits: StoredKey['usageLimits'];
      readonly keyGrants: KeyGrants | undefined;
      readonly reason: string;
    }
  | {
      readonly outcome: 'valid';
      readonly authentication: 'jwt';
      readonly username: string | undefined;
      readonly conditions?: readonly string[];
      readonly reason: string;
    }
  | { readonly outcome: 'invalid'; readonly keyId?: string | undefined; readonly reason: string }
  | { readonly outcome: 'configuration'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

export interface CredentialPorts {
  readonly keys: KeyStore;
  readonly jwt: JwtPorts;
}

/** The result, and the checks that passed before it. */
interface AuthenticatedCredential {
  readonly result: CredentialResult;
  readonly details: readonly string[];
}

/** Adds the credential of a request, parsed once for all that ask for it. */
export function toAccessFacts(request: Omit<AccessRequest, 'organization' | 'neuron'>): AccessFacts {
  return { ...request, credential: parseCredential(request.authorizations) };
}

/** A token with the prefix of API keys is one and nothing else. Another one is a JWT by its form, or a key of another system. */
function parseCredential(authorizations: readonly string[]): Credential {
  const bearer = readBearer(authorizations);
  if ('reason' in bearer) return { kind: 'none', reason: bearer.reason };
  const { token } = bearer;
  if (isApiKey(token)) return { kind: 'apiKey', digest: parseApiKey(token)?.digest };
  const foreign = parseForeignKey(token);
  return foreign === undefined
    ? { kind: 'jwt', text: token }
    : { kind: 'apiKey', digest: foreign.digest, isForeign: true };
}

/**
 * Starts the read of a well-formed key before the settings are known; the returned store answers with it. Without such a key nothing
 * is read. Made for one request: never keep the result.
 */
export function startKeyLookup({ credential }: AccessFacts, keys: KeyStore): KeyStore {
  if (credential.kind !== 'apiKey' || credential.digest === undefined) return keys;
  const presented = credential.digest;
  const started = keys.read(presented);
  // A decision may need no key, and an unhandled rejection would end the process.
  started.catch(() => undefined);
  return { read: (digest) => (digest === presented ? started : keys.read(digest)) };
}

/** Authenticates the caller by the credential of its request. */
export async function authenticate(
  settings: NeuronAccess,
  { credential, timeMs }: AccessFacts,
  ports: CredentialPorts,
): Promise<AuthenticatedCredential> {
  const details: string[] = [];
  const check = async (): Promise<CredentialResult> => {
    if (credential.kind === 'none') return invalid(credential.reason);
    return credential.kind === 'apiKey'
      ? authenticateApiKey(credential, settings, timeMs, ports.keys)
      : verifyToken(credential.text, settings, timeMs, ports.jwt, details);
  };
  return { result: await check(), details };
}

/** Reads the store only for a key whose form and checksum are right: another one has no digest. */
async function authenticateApiKey(
  { digest, isForeign }: Extract<Credential, { kind: 'apiKey' }>,
  settings: NeuronAccess,
  timeMs: number,
  keys: KeyStore,
): Promise<CredentialResult> {
  if (settings.access.apiKey !== true) {
    return invalid(
      isForeign === true
        ? 'the token is neither an API key nor a signed JWT'
        : 'API keys are not enabled for this neuron',
    );
  }
  if (digest === undefined) return invalid('the API key is malformed');
  let key: StoredKey | undefined;
  try {
    key = await keys.read(digest);
  } catch (cause) {
    return { outcome: 'unavailable', reason: 'the API key could not be read', cause };
  }
  if (key === undefined) return invalid('the API key is unknown');
  return checkKey(key, settings, timeMs);
}

async function verifyToken(
  text: string,
  { access, conditions, organizationId }: NeuronAccess,
  timeMs: number,
  ports: JwtPorts,
  details: string[],
): Promise<CredentialResult> {
  const method = access.jwt === undefined ? undefined : toJwtMethod(access.jwt);
  if (method === undefined) return invalid('the token is not an API key');
  const presented = { text, method, conditions, organizationId, timeMs };
  const result = await verifyJwt(presented, ports, (passed) => void details.push(passed));
  return result.outcome === 'valid' ? { ...result, authentication: 'jwt' } : result;
}

function checkKey(key: StoredKey, settings: NeuronAccess, timeMs: number): CredentialResult {
  // First, and without its id: the key of another organization must not appear in this one's log.
  if (key.organizationId !== settings.organizationId) {
    return invalid('the API key belongs to another organization');
  }
  const { keyId } = key;
  if (key.revokedAt !== undefined) return invalid('the API key is revoked', keyId);
  // A time that cannot be parsed counts as expired.
  if (key.expiresAt !== undefined && !(timeMs < Date.parse(key.expiresAt))) {
    return invalid('the API key has expired', keyId);
  }
  if (!isFor(key, settings)) return invalid('the API key is not for this neuron', keyId);
  const reason = `the API key ${keyId} is valid`;
  const facts = { keyId, keyLimits: key.usageLimits, keyGrants: grantsOf(key) };
  return { outcome: 'valid', authentication: 'apiKey', ...facts, reason };
}

/** A pattern is of slugs: a neuron that takes a slug that fits is meant, too. */
function isFor({ neurons, neuronPatterns }: StoredKey, { neuronId, slug }: NeuronAccess): boolean {
  if (neurons === undefined) return true;
  return neurons.includes(neuronId) || neuronPatterns?.some((pattern) => matchesName(pattern, slug)) === true;
}

/** The grants of a key that its calls carry along; undefined for none. */
function grantsOf({ tags, pause, onBehalfOf, tagsFromCalls }: StoredKey): KeyGrants | undefined {
  const grants: KeyGrants = {
    ...(tags === undefined ? {} : { tags }),
    ...(onBehalfOf === true ? { onBehalfOf } : {}),
    ...(tagsFromCalls === true ? { tagsFromCalls } : {}),
    ...(pause === undefined ? {} : { pausedForSeconds: pause.retryAfterSeconds }),
  };
  return Object.keys(grants).length === 0 ? undefined : grants;
}

function invalid(reason: string, keyId?: string): CredentialResult {
  return { outcome: 'invalid', keyId, reason };
}

/** The token, or the reason why there is none. */
type Bearer = { readonly token: string } | { readonly reason: string };

// The scheme's case does not matter (RFC 9110, section 11.1); the token is a b64token (RFC 6750, section 2.1).
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** API Gateway takes 10,240 bytes of headers in all; a longer token is rejected. */
const MAX_LENGTH = 8_192;

/** Takes exactly one `Authorization` header: of two, other software might use the other one. */
export function readBearer(authorizations: readonly string[]): Bearer {
  const [authorization, ...more] = authorizations;
  if (authorization === undefined) return { reason: 'the request carries no Authorization header' };
  if (more.length > 0) return { reason: 'the request carries more than one Authorization header' };
  if (authorization.length > MAX_LENGTH) return { reason: 'the Authorization header is too long' };
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined ? { reason: 'the Authorization header holds no bearer token' } : { token };
}
