// Requests a provider's list of models, which costs nothing and shows whether address and key are valid.
import { ServiceError } from '../../core/contract/service-error.ts';
import type { Provider } from '../../core/settings/organization-schema.ts';
import { HttpFailure } from '../http/failure.ts';
import type { Http } from '../http/message.ts';
import { buildMessagesHeaders, toModelsUrl } from './anthropic/request.ts';
import { type ApiKeySource, withApiKey } from './api-key.ts';
import { failureOfStatus } from './http-status.ts';
import { withCredentials } from './openai/credentials.ts';
import { toEndpointUrl } from './openai/request.ts';
import { withHeaders } from './request-headers.ts';

/** Lists of hundreds of models are below 1 MB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

interface ProbePorts extends ApiKeySource {
  readonly http: Http;
  readonly signal: AbortSignal;
}

type Headers = Readonly<Record<string, string>>;

/**
 * The status of a 2xx answer; undefined for a type that is not probed. Throws `ProviderFailure` for any other status, `HttpFailure`
 * without an answer, and `ServiceError` as `withApiKey` does.
 */
export async function probeProvider(settings: Provider, ports: ProbePorts): Promise<number | undefined> {
  switch (settings.type) {
    case 'openai': {
      const url = toEndpointUrl(settings, 'models');
      return withCredentials(settings, ports, (headers) => get(url, headers, ports));
    }
    case 'anthropic':
      return withApiKey(settings.apiKey, ports, (key) =>
        withHeaders(settings.headers, ports, (added) =>
          get(toModelsUrl(settings.baseUrl), { ...added, ...buildMessagesHeaders(key) }, ports),
        ),
      );
    case 'bedrock':
    case 'echo':
    case 'lexical':
      return undefined;
  }
}

async function get(url: string, headers: Headers, { http, signal }: ProbePorts): Promise<number> {
  const request = { method: 'GET', url, headers: { ...headers, accept: 'application/json' } } as const;
  const { status } = await http({ ...request, maxBytes: MAX_ANSWER_BYTES, signal }).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof HttpFailure) || thrown.kind !== 'refused') throw thrown;
      throw new ServiceError('configuration', { reason: thrown.message, cause: thrown });
    },
  );
  if (status >= 200 && status < 300) return status;
  throw failureOfStatus(status);
}
