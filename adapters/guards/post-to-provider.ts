// Asks a provider of the organization on behalf of a guard: at its address, with its key and headers, and with failures of guards.
import { ServiceError } from '../../core/contract/service-error.ts';
import { GuardFailure } from '../../core/ports/guards.ts';
import { ProviderFailure } from '../../core/ports/providers.ts';
import { type OpenaiSettings, withCredentials } from '../providers/openai/credentials.ts';
import type { GuardOwner, GuardPorts } from './ports.ts';
import { postForVerdict } from './post-json.ts';

export interface ProviderQuestion {
  readonly url: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** The provider that a guard names. Throws `ServiceError` `configuration` for one that is not there, or is not of type `openai`. */
export function openaiSettingsOf(name: string, { providers }: Pick<GuardOwner, 'providers'>): OpenaiSettings {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider?.type === 'openai') return provider;
  throw new ServiceError('configuration', {
    reason: `a guard names ${name}, which is no provider of type openai`,
  });
}

/** The JSON of a 200. Throws as `postForVerdict` and `withCredentials` do, and a rejected key, read anew once, as `rejected`. */
export async function postToProvider(
  settings: OpenaiSettings,
  { url, body, signal }: ProviderQuestion,
  ports: GuardPorts & GuardOwner,
): Promise<unknown> {
  const text = JSON.stringify(body);
  try {
    return await withCredentials(settings, ports, (headers) =>
      postForVerdict(ports.http, { url, headers, text, signal }).catch(toRejectedKey),
    );
  } catch (thrown) {
    throw thrown instanceof ProviderFailure ? new GuardFailure('rejected', thrown.status) : thrown;
  }
}

/** As those who read keys know it. */
function toRejectedKey(thrown: unknown): never {
  const isKey = thrown instanceof GuardFailure && thrown.status === 401;
  throw isKey ? new ProviderFailure('configuration', { status: 401 }) : thrown;
}
