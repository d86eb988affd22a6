// Embeddings of every OpenAI-compatible endpoint (platform.openai.com/docs/api-reference/embeddings/create).
import { type Embedding, type EmbeddingProvider, ProviderFailure } from '../../../core/ports/providers.ts';
import { memberOf } from '../../../core/text/json.ts';
import { postJson, toCount } from '../post-json.ts';
import { type OpenaiSettings, withCredentials } from './credentials.ts';
import { toOpenaiFailure } from './errors.ts';
import type { OpenaiPorts } from './index.ts';
import { toEndpointUrl } from './request.ts';

type EmbeddingPorts = Omit<OpenaiPorts, 'openHttp'>;
type EmbeddingRequest = Parameters<EmbeddingProvider['embed']>[0];

/** The model must support the requested dimensions, as OpenAI's third generation does. */
export function createOpenaiEmbeddings(settings: OpenaiSettings, ports: EmbeddingPorts): EmbeddingProvider {
  return {
    embed: (request) =>
      withCredentials(settings, ports, (headers) => embed(settings, ports, request, headers)),
  };
}

async function embed(
  settings: OpenaiSettings,
  { http, clock }: EmbeddingPorts,
  { model, text, dimensions, signal }: EmbeddingRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Embedding> {
  const answer = await postJson(http, {
    url: toEndpointUrl(settings, 'embeddings'),
    headers,
    body: { model, input: text, dimensions, encoding_format: 'float' },
    signal,
  });
  if (answer.status !== 200) throw toOpenaiFailure(answer, clock.now());
  const data = memberOf(answer.json, 'data');
  const vector = memberOf(Array.isArray(data) ? data[0] : undefined, 'embedding');
  if (!isVector(vector, dimensions)) throw new ProviderFailure('malformed_answer', { status: answer.status });
  return { vector, tokensInput: toCount(memberOf(memberOf(answer.json, 'usage'), 'prompt_tokens')) };
}

function isVector(value: unknown, dimensions: number): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length === dimensions &&
    value.every((part) => typeof part === 'number' && Number.isFinite(part)) &&
    value.some((part) => part !== 0)
  );
}
