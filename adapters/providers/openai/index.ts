// The provider for every OpenAI-compatible endpoint: OpenAI itself, Azure OpenAI, Ollama, vLLM and others.
import { lazy } from '../../../core/async/lazy.ts';
import type { ModelProvider, ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { type ApiKeySource, withApiKey } from '../api-key.ts';
import type { ProviderPorts } from '../ports.ts';
import { postJson } from '../post-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import { isFilteredPrompt, toOpenaiFailure } from './errors.ts';
import { buildCompletionRequest, toEndpointUrl } from './request.ts';
import { FILTERED, toModelResult } from './response.ts';

const loadStream = lazy(() => import('./stream.ts'));

type OpenaiSettings = Extract<Provider, { type: 'openai' }>;

export interface OpenaiPorts extends ApiKeySource, ProviderPorts {}

/** Without `apiKey` no credentials are sent, for servers on one's own machine. */
export function createOpenaiProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
  const { apiKey, baseUrl } = settings;
  function withHeaders<Result>(
    attempt: (headers: Readonly<Record<string, string>>) => Promise<Result>,
  ): Promise<Result> {
    if (apiKey === undefined) return attempt({});
    return withApiKey(apiKey, ports, (key) => attempt({ authorization: `Bearer ${key}` }));
  }
  return {
    generate: (request) => withHeaders((headers) => complete(settings, ports, request, headers)),
    async *stream(request) {
      const { openCompletion } = await loadStream();
      yield* await withHeaders((headers) => openCompletion(baseUrl, ports, request, headers));
    },
  };
}

async function complete(
  { baseUrl }: OpenaiSettings,
  { http, clock }: OpenaiPorts,
  request: ModelRequest,
  headers: Readonly<Record<string, string>>,
): Promise<ModelResult> {
  const answer = await postJson(http, {
    url: toEndpointUrl(baseUrl, 'chat/completions'),
    headers: { ...headers, ...traceHeaders(request) },
    body: buildCompletionRequest(baseUrl, request),
    signal: request.signal,
  });
  if (answer.status === 200) return toModelResult(answer.json, answer.status);
  if (isFilteredPrompt(answer)) return FILTERED;
  throw toOpenaiFailure(answer, clock.now());
}
