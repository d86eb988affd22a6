// Builds a Messages request (platform.claude.com/docs/en/api/messages).
import type { ModelRequest } from '../../../core/ports/providers.ts';

/** The version of the API that requests and answers here are of. */
const API_VERSION = '2023-06-01';

/** Where to send a call. */
export function toMessagesUrl(baseUrl: string): string {
  return toUrl(baseUrl, 'messages');
}

/** Where the list of models is. */
export function toModelsUrl(baseUrl: string): string {
  return toUrl(baseUrl, 'models');
}

function toUrl(baseUrl: string, endpoint: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/${endpoint}`;
  return url.href;
}

export function buildMessagesHeaders(key: string): Record<string, string> {
  return { 'x-api-key': key, 'anthropic-version': API_VERSION };
}

/** The body of one call. The API has no seed, and its temperature ends at 1, where others go to 2. */
export function buildMessagesRequest(request: ModelRequest): Record<string, unknown> {
  const { model, system, prompt, maxTokens, temperature, topP, stopSequences } = request;
  return {
    model,
    max_tokens: maxTokens,
    ...(system === undefined ? {} : { system }),
    messages: [{ role: 'user', content: prompt }],
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
  };
}
