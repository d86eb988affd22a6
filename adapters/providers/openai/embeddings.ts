// Embeddings of every OpenAI-compatible endpoint (platform.openai.com/docs/api-reference/embeddings/create).
import { type Embedding, type EmbeddingProvider, ProviderFailure } from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { memberOf } from '../../../core/text/json.ts';
import { withApiKey } from '../api-key.ts';
import { postJson, toCount } from '../post-json.ts';
import { toOpenaiFailure } from './errors.ts';
import type { OpenaiPorts } from './index.ts';
import { toEndpointUrl } from './request.ts';

type OpenaiSettings = Extract<Provider, { type: 'openai' }>;
type EmbeddingPorts = Omit<OpenaiPorts, 'openHttp'>;
type EmbeddingRequest = Parameters<EmbeddingProvider['embed']>[0];

/** The model must support the requested dimensions, as OpenAI's third generation does. */
export function createOpenaiEmbeddings(settings: OpenaiSettings, ports: EmbeddingPorts): EmbeddingProvider {
  const { apiKey } = settings;
  return {
    embed(request) {
      if (apiKey === undefined) return embed(settings, ports, request, {});
      return withApiKey(apiKey, ports, (key) =>
        embed(settings, ports, request, { authorization: `Bearer ${key}` }),
      );
    },
  };
}

async function embed(
  { baseUrl }: OpenaiSettings,
  { http, clock }: EmbeddingPorts,
  { model, text, dimensions, signal }: EmbeddingRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Embedding> {
  const answer = await postJson(http, {
    url: toEndpointUrl(baseUrl, 'embeddings'),
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
