// Judges the credential of a request: one API key, looked up by its digest. JWTs come here too, once there are any.
import type { KeyStore, StoredKey } from '../ports/keys.ts';
import { isApiKey, type PresentedKey, parseApiKey } from './api-key.ts';
import { readBearer } from './bearer.ts';
import type { AccessRequest } from './request.ts';
import type { UsableSettings } from './settings.ts';

/** What became of the credential. Every way to fail is one 401; a store that fails is none. */
export type CredentialVerdict =
  | { readonly outcome: 'holds'; readonly keyId: string; readonly reason: string }
  | { readonly outcome: 'fails'; readonly keyId: string | undefined; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

/** Asks the store only for a key whose form and checksum are right. */
export async function judgeCredential(
  settings: UsableSettings,
  request: AccessRequest,
  keys: KeyStore,
): Promise<CredentialVerdict> {
  const presented = presentedKey(request.authorizations);
  if ('reason' in presented) return fails(presented.reason);
  let key: StoredKey | undefined;
  try {
    key = await keys.read(presented.digest);
  } catch (cause) {
    return { outcome: 'unavailable', reason: 'the API key could not be read', cause };
  }
  if (key === undefined) return fails('the API key is unknown');
  return judgeKey(key, settings, request.timeMs);
}

/**
 * Begins the read of a well-formed key before the settings are known, and hands it to whoever asks for that very digest.
 * Without such a key nothing is read. Made for one request: never keep the result.
 */
export function startKeyLookup(authorizations: readonly string[], keys: KeyStore): KeyStore {
  const presented = presentedKey(authorizations);
  if ('reason' in presented) return keys;
  const started = keys.read(presented.digest);
  // A decision that needs no key leaves this promise alone, and a rejection that nobody sees would end the process.
  started.catch(() => undefined);
  return { read: (digest) => (digest === presented.digest ? started : keys.read(digest)) };
}

// A token with the prefix of API keys is judged as one and as nothing else; no other token is a credential yet.
function presentedKey(authorizations: readonly string[]): PresentedKey | { readonly reason: string } {
  const bearer = readBearer(authorizations);
  if ('reason' in bearer) return bearer;
  if (!isApiKey(bearer.token)) return { reason: 'the token is not an API key' };
  return parseApiKey(bearer.token) ?? { reason: 'the API key is malformed' };
}

function judgeKey(key: StoredKey, settings: UsableSettings, timeMs: number): CredentialVerdict {
  // First of all, and without its id: what another organization's key is does not belong in this one's log.
  if (key.organizationId !== settings.organizationId) {
    return fails('the API key belongs to another organization');
  }
  const { keyId } = key;
  if (key.revokedAt !== undefined) return fails('the API key is revoked', keyId);
  // Written so that a time that cannot be read is over.
  if (key.expiresAt !== undefined && !(timeMs < Date.parse(key.expiresAt))) {
    return fails('the API key has expired', keyId);
  }
  if (key.neurons !== undefined && !key.neurons.includes(settings.neuronId)) {
    return fails('the API key is not for this neuron', keyId);
  }
  return { outcome: 'holds', keyId, reason: `the API key ${keyId} holds` };
}

function fails(reason: string, keyId?: string): CredentialVerdict {
  return { outcome: 'fails', keyId, reason };
}
