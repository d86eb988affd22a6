// Requests a chat completion in one piece.
import type { ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import type { ProviderPorts } from '../ports.ts';
import { postJson } from '../post-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import type { OpenaiSettings } from './credentials.ts';
import { isFilteredPrompt, toOpenaiFailure } from './errors.ts';
import { buildCompletionRequest, toEndpointUrl } from './request.ts';
import { FILTERED, toModelResult } from './response.ts';

/** Throws `ProviderFailure`. */
export async function complete(
  settings: OpenaiSettings,
  { http, clock }: Pick<ProviderPorts, 'http' | 'clock'>,
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
