// The provider for every OpenAI-compatible endpoint: OpenAI itself, Azure OpenAI, Ollama, vLLM and others.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider, ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import type { ApiKeySource } from '../api-key.ts';
import { omissionsOfOpenai } from '../omissions.ts';
import type { ProviderPorts } from '../ports.ts';
import { postJson } from '../post-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import { type OpenaiSettings, withCredentials } from './credentials.ts';
import { isFilteredPrompt, toOpenaiFailure } from './errors.ts';
import { buildCompletionRequest, toEndpointUrl } from './request.ts';
import { FILTERED, toModelResult } from './response.ts';

const loadStream = lazy(() => import('./stream.ts'));

export interface OpenaiPorts extends ApiKeySource, ProviderPorts {}

export function createOpenaiProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
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

async function complete(
  settings: OpenaiSettings,
  { http, clock }: OpenaiPorts,
  request: ModelRequest,
  headers: Readonly<Record<string, string>>,
): Promise<ModelResult> {
  const answer = await postJson(http, {
    url: toEndpointUrl(settings, 'chat/completions'),
    headers: { ...headers, ...traceHeaders(request) },
    body: buildCompletionRequest(settings.baseUrl, request),
    signal: request.signal,
  });
  if (answer.status === 200) return toModelResult(answer.json, answer.status);
  if (isFilteredPrompt(answer)) return FILTERED;
  throw toOpenaiFailure(answer, clock.now());
}
