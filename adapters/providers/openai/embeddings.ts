// Embeddings of every OpenAI-compatible endpoint (platform.openai.com/docs/api-reference/embeddings/create).
import {
  type EmbeddingProvider,
  type EmbeddingRequest,
  type Embeddings,
  ProviderFailure,
} from '../../../core/ports/providers.ts';
import { memberOf } from '../../../core/text/json.ts';
import { embedInCalls } from '../embedding-calls.ts';
import { requireVectors } from '../embedding-vectors.ts';
import { type JsonAnswer, postJson, toCount, toModelVersion } from '../post-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import { type OpenaiSettings, withCredentials } from './credentials.ts';
import { toOpenaiFailure } from './errors.ts';
import type { OpenaiPorts } from './index.ts';
import { toEndpointUrl } from './request.ts';

type EmbeddingPorts = Omit<OpenaiPorts, 'openHttp'>;

/** OpenAI takes 2,048, but the answer must be of bounded size: 3,072 numbers of 24 characters each are 74 KB. */
const INPUTS_PER_CALL = 100;

/** Dimensions that are asked for must be supported by the model, as by OpenAI's third generation. */
export function createOpenaiEmbeddings(settings: OpenaiSettings, ports: EmbeddingPorts): EmbeddingProvider {
  const embedAll = (request: EmbeddingRequest, headers: Readonly<Record<string, string>>) =>
    embedInCalls(request, INPUTS_PER_CALL, (part) => embed(settings, ports, part, headers));
  return {
    takesTokens: true,
    embed: (request) => withCredentials(settings, ports, (headers) => embedAll(request, headers)),
  };
}

async function embed(
  settings: OpenaiSettings,
  { http, clock }: EmbeddingPorts,
  request: EmbeddingRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Embeddings> {
  const { model, inputs, dimensions, signal } = request;
  const [first] = inputs;
  const answer = await postJson(http, {
    url: toEndpointUrl(settings, 'embeddings'),
    headers: { ...headers, ...traceHeaders(request) },
    body: {
      model,
      input: inputs.length === 1 && typeof first === 'string' ? first : inputs,
      ...(dimensions === undefined ? {} : { dimensions }),
      // Not every compatible server knows base64.
      encoding_format: 'float',
    },
    signal,
  });
  if (answer.status !== 200) throw toOpenaiFailure(answer, clock.now());
  return toEmbeddings(answer, request);
}

function toEmbeddings({ json, status }: JsonAnswer, { inputs, dimensions }: EmbeddingRequest): Embeddings {
  const expected = { count: inputs.length, dimensions, status };
  const vectors = requireVectors(inOrder(memberOf(json, 'data'), expected), expected);
  return {
    vectors,
    tokensInput: toCount(memberOf(memberOf(json, 'usage'), 'prompt_tokens')),
    modelVersion: toModelVersion(memberOf(json, 'model')),
  };
}

/** By `index`, which is the order where it is there; throws for one that is there twice, or names no input. */
function inOrder(
  data: unknown,
  { count, status }: { readonly count: number; readonly status: number },
): unknown[] {
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  const places = items.map((item, position) => memberOf(item, 'index') ?? position);
  const known = new Set(
    places.filter((place) => Number.isInteger(place) && Number(place) >= 0 && Number(place) < count),
  );
  if (items.length !== count || known.size !== count)
    throw new ProviderFailure('malformed_answer', { status });
  const ordered = new Array<unknown>(count);
  for (const [position, item] of items.entries())
    ordered[Number(places[position])] = memberOf(item, 'embedding');
  return ordered;
}
