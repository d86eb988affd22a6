// Reads the secret of a guard by a service.
import { ServiceError } from '../../core/contract/service-error.ts';
import type { GuardOwner, GuardPorts } from './ports.ts';

/** Throws `ServiceError` `configuration` for one that is not set. */
export async function readGuardSecret(
  name: string,
  { organizationId, secrets }: Pick<GuardPorts & GuardOwner, 'organizationId' | 'secrets'>,
): Promise<string> {
  const key = await secrets.read(organizationId, 'providers', name).catch((cause: unknown) => {
    throw new ServiceError('dependency_unavailable', { reason: 'the secrets cannot be read', cause });
  });
  if (key) return key;
  throw new ServiceError('configuration', { reason: `the secret ${name} of a guard is not set` });
}
