// The provider for endpoints of OpenAI's kind that are called by Responses.
import { lazy } from '../../../../core/async/lazy.ts';
import type { ModelProvider } from '../../../../core/ports/providers.ts';
import type { ApiKeySource } from '../../api-key.ts';
import type { ProviderPorts } from '../../ports.ts';
import { traceHeaders } from '../../trace-headers.ts';
import { type OpenaiSettings, withCredentials } from '../credentials.ts';
import { toEndpointUrl } from '../request.ts';

const loadResponses = lazy(() => import('./generate.ts'));
const loadResponsesStream = lazy(() => import('./stream.ts'));
const loadResponsesRequest = lazy(() => import('./request.ts'));

/** Reasoning goes to and fro here, which Chat Completions have no place for. */
export function createResponsesProvider(
  settings: OpenaiSettings,
  ports: ApiKeySource & ProviderPorts,
): ModelProvider {
  const url = toEndpointUrl(settings, 'responses');
  return {
    omissionsOf: async (request) => (await loadResponsesRequest()).omissionsOfResponses(request),
    async generate(request) {
      const { generateResponse } = await loadResponses();
      return withCredentials(settings, ports, (headers) =>
        generateResponse({ url, headers: { ...headers, ...traceHeaders(request) } }, ports, request),
      );
    },
    async *stream(request) {
      const { openResponse } = await loadResponsesStream();
      yield* await withCredentials(settings, ports, (headers) =>
        openResponse({ url, headers: { ...headers, ...traceHeaders(request) } }, ports, request),
      );
    },
  };
}
