// Names the caller for everything behind this step: entry, line, limits, cache, idempotency, rollouts, texts of the flow.
import { type Admission, requireAdmission } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { digestUsername, USER_KEY_NAME } from '../../../core/ports/user-key.ts';
import type { KnownSettings } from '../../../core/settings/settings-cache.ts';
import type { ExecutionPorts, Run } from '../run.ts';
import { nameEndUser } from './labels.ts';

/**
 * The caller, under the digest of the username where the neuron has `usernameAs: hmac`. Throws what access control
 * decided, 503 `dependency_unavailable` while the key cannot be read, and 500 `configuration` without one.
 */
export async function admitCaller(
  run: Pick<Run, 'request' | 'admission'>,
  stored: KnownSettings | undefined,
  ports: Pick<ExecutionPorts, 'secrets'>,
): Promise<Admission> {
  const admission = requireAdmission(run.request, stored);
  const { username } = admission;
  // Until it is known how the neuron names users, not even the entry of a failure names one.
  run.admission = username === undefined ? admission : { ...admission, username: undefined };
  const named =
    username === undefined
      ? admission
      : { ...admission, username: await nameUser(username, admission, stored, ports) };
  return nameEndUser(named, run.request);
}

/** Undefined for settings of another neuron, with which the request ends anyway. */
async function nameUser(
  username: string,
  { organizationId, neuronId }: Admission,
  stored: KnownSettings | undefined,
  { secrets }: Pick<ExecutionPorts, 'secrets'>,
): Promise<string | undefined> {
  const settings = stored?.verdict.usable === true ? stored.verdict.settings : undefined;
  if (settings?.organizationId !== organizationId || settings.neuronId !== neuronId) return undefined;
  if (settings.neuron.access?.jwt?.usernameAs !== 'hmac') return username;
  const key = await secrets.read(organizationId, 'providers', USER_KEY_NAME).catch((cause: unknown) => {
    throw new ServiceError('dependency_unavailable', {
      reason: 'the key of usernames could not be read',
      cause,
    });
  });
  if (key !== undefined) return digestUsername(username, key);
  const reason = `usernameAs: hmac needs the key ${USER_KEY_NAME}: apply the organization again with the rights of an operator`;
  throw new ServiceError('configuration', { reason });
}
