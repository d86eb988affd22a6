// The provider for every OpenAI-compatible endpoint: OpenAI itself, Azure OpenAI, Ollama, vLLM and others.

import type { ModelProvider, ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import type { Clock } from '../../../core/time/clock.ts';
import type { Http } from '../../http/message.ts';
import { type ApiKeySource, withApiKey } from '../api-key.ts';
import { postJson } from '../post-json.ts';
import { isFilteredPrompt, toOpenaiFailure } from './errors.ts';
import { buildCompletionRequest, toEndpointUrl } from './request.ts';
import { toModelResult } from './response.ts';

type OpenaiSettings = Extract<Provider, { type: 'openai' }>;

/** What the provider reaches the outside through. */
export interface OpenaiPorts extends ApiKeySource {
  readonly http: Http;
  readonly clock: Clock;
}

/** Without `apiKey` no credentials are sent, as servers on one's own machine want it. */
export function createOpenaiProvider(settings: OpenaiSettings, ports: OpenaiPorts): ModelProvider {
  const { apiKey } = settings;
  return {
    generate(request) {
      if (apiKey === undefined) return complete(settings, ports, request, {});
      return withApiKey(apiKey, ports, (key) =>
        complete(settings, ports, request, { authorization: `Bearer ${key}` }),
      );
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
    headers,
    body: buildCompletionRequest(baseUrl, request),
    signal: request.signal,
  });
  if (answer.status === 200) return toModelResult(answer.json, answer.status);
  if (isFilteredPrompt(answer)) return FILTERED;
  throw toOpenaiFailure(answer, clock.now());
}

/** The prompt may have been charged for, and the refusal says nothing on it. */
const FILTERED: ModelResult = { text: '', finish: 'filtered', usage: undefined, modelVersion: undefined };
