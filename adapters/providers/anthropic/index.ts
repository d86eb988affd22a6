// The provider for Anthropic's Messages API.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider, ModelRequest } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { type ApiKeySource, withApiKey } from '../api-key.ts';
import type { ProviderPorts } from '../ports.ts';
import { postJson } from '../post-json.ts';
import { withHeaders } from '../request-headers.ts';
import { traceHeaders } from '../trace-headers.ts';
import { toAnthropicFailure } from './errors.ts';
import {
  buildMessagesHeaders,
  buildMessagesRequest,
  omissionsOfMessagesRequest,
  toMessagesUrl,
} from './request.ts';
import { readMessage } from './response.ts';

const loadStream = lazy(() => import('./stream.ts'));

type AnthropicSettings = Extract<Provider, { type: 'anthropic' }>;

interface AnthropicPorts extends ApiKeySource, ProviderPorts {}

export function createAnthropicProvider(settings: AnthropicSettings, ports: AnthropicPorts): ModelProvider {
  return {
    omissionsOf: omissionsOfMessagesRequest,
    generate: (request) =>
      withKey(settings, ports, request, async (headers) => {
        const answer = await postJson(ports.http, {
          url: toMessagesUrl(settings.baseUrl),
          headers: { ...headers, ...traceHeaders(request) },
          body: buildMessagesRequest(request),
          signal: request.signal,
        });
        if (answer.status === 200) return readMessage(request, answer);
        throw toAnthropicFailure(answer, ports.clock.now());
      }),
    async *stream(request) {
      const { openMessage } = await loadStream();
      yield* await withKey(settings, ports, request, (headers) =>
        openMessage(settings.baseUrl, ports, request, headers),
      );
    },
  };
}

/** The key, the version of the API, and the headers of the organization. */
function withKey<Result>(
  { apiKey, headers }: AnthropicSettings,
  ports: ApiKeySource,
  request: ModelRequest,
  attempt: (headers: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  return withApiKey(apiKey, ports, (key) =>
    withHeaders(headers, ports, (added) => attempt(joined(added, buildMessagesHeaders(key, request)))),
  );
}

/** The service's own headers stand; betas of the organization and of the caller add up. */
function joined(
  added: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const betas = [added[BETA], own[BETA]].filter((one) => one !== undefined);
  return { ...added, ...own, ...(betas.length === 0 ? {} : { [BETA]: betas.join(',') }) };
}

const BETA = 'anthropic-beta';
