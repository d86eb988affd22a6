// A provider's API key: read from the organization's secrets for each attempt, and read afresh when the provider refuses it.

import { ServiceError } from '../../core/contract/service-error.ts';
import { ProviderFailure } from '../../core/ports/providers.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { SecretReference } from '../../core/settings/scalars.ts';
import { decodeEscapes } from '../../core/text/escapes.ts';

/** Visible ASCII: anything else cannot stand in a header, and no provider issues it. */
const KEY_SHAPE = /^[\x21-\x7e]+$/;

/** Whose key, and where it is read. */
export interface ApiKeySource {
  readonly organizationId: string;
  readonly secrets: SecretReader;
}

/**
 * Runs an attempt with the key that `reference` names. A 401 may mean that the key was changed since it was cached: it is read
 * once more, and another value is tried once. A 401 or 403 that stays names the secret, and never its value. Throws `ServiceError` `configuration` when the secret is not set or cannot be a key,
 * `dependency_unavailable` when secrets cannot be read.
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

/** A refusal of the key with the name of its secret, and without its value where the provider quotes it. */
function withSecret(thrown: unknown, { secret }: SecretReference, key: string): unknown {
  if (!(thrown instanceof ProviderFailure)) return thrown;
  const { kind, status, retryAfterMs, remedy, cause } = thrown;
  const { code, message } = thrown.explanation;
  const explanation = {
    code: code?.replaceAll(key, '[redacted]'),
    message: message === undefined ? undefined : decodeEscapes(message).replaceAll(key, '[redacted]'),
  };
  const isKeyRejected = status === 401 || status === 403;
  return new ProviderFailure(kind, {
    ...{ status, retryAfterMs, remedy, explanation, cause },
    ...(isKeyRejected ? { secret } : {}),
  });
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
