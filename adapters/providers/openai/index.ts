// The provider for every OpenAI-compatible endpoint: OpenAI itself, Azure OpenAI, Ollama, vLLM and others.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider } from '../../../core/ports/providers.ts';
import type { ApiKeySource } from '../api-key.ts';
import { omissionsOfOpenai } from '../omissions.ts';
import type { ProviderPorts } from '../ports.ts';
import { traceHeaders } from '../trace-headers.ts';
import { complete } from './complete.ts';
import { type OpenaiSettings, withCredentials } from './credentials.ts';
import { toEndpointUrl } from './request.ts';

const loadStream = lazy(() => import('./stream.ts'));
const loadResponses = lazy(() => import('./responses/index.ts'));
const loadResponsesRequest = lazy(() => import('./responses/request.ts'));

export interface OpenaiPorts extends ApiKeySource, ProviderPorts {}

export function createOpenaiProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
  return settings.api === 'responses' ? responsesProvider(settings, ports) : chatProvider(settings, ports);
}

/** Reasoning goes to and fro here, which Chat Completions have no place for. */
function responsesProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
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
      const { openResponse } = await loadResponses();
      yield* await withCredentials(settings, ports, (headers) =>
        openResponse({ url, headers: { ...headers, ...traceHeaders(request) } }, ports, request),
      );
    },
  };
}

function chatProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
  return {
    omissionsOf: omissionsOfOpenai,
    generate: (request) =>
      withCredentials(settings, ports, (headers) => complete(settings, ports, request, headers)),
    async *stream(request) {
      const { openCompletion } = await loadStream();
      yield* await withCredentials(settings, ports, (headers) =>
        openCompletion(settings, ports, request, headers),
      );
    },
  };
}
