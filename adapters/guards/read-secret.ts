// Reads the secret of a guard by a service.
import { ServiceError } from '../../core/contract/service-error.ts';
import { GuardFailure } from '../../core/ports/guards.ts';
import type { GuardOwner, GuardPorts } from './ports.ts';

type SecretSource = Pick<GuardPorts & GuardOwner, 'organizationId' | 'secrets'>;

/**
 * Runs an attempt with a secret. A 401 may mean that it has changed since it was cached: it is read once more, and a new value is tried once.
 * Throws `ServiceError` `configuration` for one that is not set.
 */
export async function withGuardSecret<Result>(
  name: string,
  source: SecretSource,
  attempt: (secret: string) => Promise<Result>,
): Promise<Result> {
  const secret = await read(name, source, false);
  try {
    return await attempt(secret);
  } catch (thrown) {
    if (!(thrown instanceof GuardFailure) || thrown.status !== 401) throw thrown;
    const fresh = await read(name, source, true);
    if (fresh === secret) throw thrown;
    return attempt(fresh);
  }
}

async function read(
  name: string,
  { organizationId, secrets }: SecretSource,
  fresh: boolean,
): Promise<string> {
  const key = await secrets.read(organizationId, 'providers', name, { fresh }).catch((cause: unknown) => {
    throw new ServiceError('dependency_unavailable', { reason: 'the secrets cannot be read', cause });
  });
  if (key) return key;
  throw new ServiceError('configuration', { reason: `the secret ${name} of a guard is not set` });
}
