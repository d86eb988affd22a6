// A provider's API key: read from the organization's secrets for each attempt, and read again when the provider rejects it.
import { ServiceError } from '../../core/contract/service-error.ts';
import { ProviderFailure } from '../../core/ports/providers.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { SecretReference } from '../../core/settings/scalars.ts';
import { decodeEscapes } from '../../core/text/escapes.ts';

/** Visible ASCII: a header takes nothing else, and no provider issues other keys. */
const KEY_SHAPE = /^[\x21-\x7e]+$/;

export interface ApiKeySource {
  readonly organizationId: string;
  readonly secrets: SecretReader;
}

/**
 * Runs an attempt with the key that `reference` names. A 401 may mean that the key has changed since it was cached: it is read once
 * more, and a new value is tried once. The failure of another 401 or 403 names the secret, never its value. Throws `ServiceError`
 * `configuration` when the secret is not set or cannot be a key, `dependency_unavailable` when secrets cannot be read.
 */
export async function withApiKey<Result>(
  reference: SecretReference,
  source: ApiKeySource,
  attempt: (key: string) => Promise<Result>,
): Promise<Result> {
  const key = await readKey(reference, source, false);
  try {
    return await attempt(key);
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure) || thrown.status !== 401)
      throw withSecret(thrown, reference, key);
    const fresh = await readKey(reference, source, true);
    if (fresh === key) throw withSecret(thrown, reference, key);
    return attempt(fresh).catch((again: unknown) => Promise.reject(withSecret(again, reference, fresh)));
  }
}

/** Adds the secret's name to a rejection of the key, and redacts the key where the provider quotes it. */
function withSecret(thrown: unknown, { secret }: SecretReference, key: string): unknown {
  if (!(thrown instanceof ProviderFailure)) return thrown;
  const { kind, status, retryAfterMs, remedy, cause } = thrown;
  const { code, message } = thrown.explanation;
  const explanation = {
    code: code?.replaceAll(key, '[redacted]'),
    message: message === undefined ? undefined : decodeEscapes(message).replaceAll(key, '[redacted]'),
  };
  const isKeyRejected = status === 401 || status === 403;
  const detail = { status, retryAfterMs, remedy, explanation, cause };
  return new ProviderFailure(kind, isKeyRejected ? { ...detail, secret } : detail);
}

async function readKey(
  { secret }: SecretReference,
  { organizationId, secrets }: ApiKeySource,
  fresh: boolean,
): Promise<string> {
  const key = await secrets.read(organizationId, 'providers', secret, { fresh }).catch((cause: unknown) => {
    throw new ServiceError('dependency_unavailable', { reason: 'the secrets cannot be read', cause });
  });
  if (key === undefined) {
    throw new ServiceError('configuration', { reason: `the secret ${secret} for providers is not set` });
  }
  if (!KEY_SHAPE.test(key)) {
    throw new ServiceError('configuration', {
      reason: `the secret ${secret} holds characters that no API key has`,
    });
  }
  return key;
}
