// The provider for every OpenAI-compatible endpoint: OpenAI itself, Azure OpenAI, Ollama, vLLM and others.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider } from '../../../core/ports/providers.ts';
import type { ApiKeySource } from '../api-key.ts';
import { omissionsOfOpenai } from '../omissions.ts';
import type { ProviderPorts } from '../ports.ts';
import { complete } from './complete.ts';
import { type OpenaiSettings, withCredentials } from './credentials.ts';
import { createResponsesProvider } from './responses/provider.ts';

const loadStream = lazy(() => import('./stream.ts'));

export interface OpenaiPorts extends ApiKeySource, ProviderPorts {}

export function createOpenaiProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
  return settings.api === 'responses'
    ? createResponsesProvider(settings, ports)
    : chatProvider(settings, ports);
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
