// Builds a chat completion request (platform.openai.com/docs/api-reference/chat/create).
import type { ModelRequest } from '../../../core/ports/providers.ts';

/**
 * The hosts of OpenAI's own models. Their newer models refuse `max_tokens` and take `max_completion_tokens`; compatible
 * servers know `max_tokens` and may pass over the other in silence (Ollama does), which would leave the output unbounded.
 */
const OPENAI_HOSTS = /^(?:.+\.)?api\.openai\.com$|\.openai\.azure\.com$/;

/** Where to send a call; a query of the base URL is kept (`?api-version=…`). */
export function toEndpointUrl(
  baseUrl: string,
  endpoint: 'chat/completions' | 'embeddings' | 'models',
): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint}`;
  return url.href;
}

/** The body of one call. Only what is set is sent: many models refuse what they do not know. */
export function buildCompletionRequest(baseUrl: string, request: ModelRequest): Record<string, unknown> {
  const { model, system, prompt, maxTokens, temperature, topP, stopSequences, seed } = request;
  const limit = OPENAI_HOSTS.test(new URL(baseUrl).hostname) ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt },
    ],
    [limit]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
    ...(seed === undefined ? {} : { seed }),
  };
}
