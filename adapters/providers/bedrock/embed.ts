// Embeddings on Amazon Bedrock: Titan Text Embeddings V2 (bedrock/latest/userguide/model-parameters-titan-embed-text.html) and Cohere
// Embed v3 and v4 (model-parameters-embed-v3.html, model-parameters-embed-v4.html).
import {
  type EmbeddingProvider,
  type EmbeddingRequest,
  type Embeddings,
  ProviderFailure,
} from '../../../core/ports/providers.ts';
import { memberOf } from '../../../core/text/json.ts';
import { embedInCalls } from '../embedding-calls.ts';
import { requireVectors } from '../embedding-vectors.ts';
import { type JsonAnswer, toCount } from '../post-json.ts';
import { traceHeaders } from '../trace-headers.ts';
import { toBedrockFailure } from './errors.ts';
import type { BedrockSettings } from './index.ts';
import { type BedrockPorts, sendToModel } from './send.ts';

/** The form that the models of one vendor speak. */
interface EmbeddingForm {
  readonly inputsPerCall: number;
  toBody(request: EmbeddingRequest): object;
  vectorsOf(json: unknown): unknown;
  tokensOf(answer: JsonAnswer): unknown;
}

/** Models of other vendors take other bodies: they answer 400. */
export function createBedrockEmbeddings({ region }: BedrockSettings, ports: BedrockPorts): EmbeddingProvider {
  return {
    takesTokens: false,
    embed(request) {
      const form = isCohere(request.model) ? COHERE : TITAN;
      return embedInCalls(request, form.inputsPerCall, (part) => embed(region, form, part, ports));
    },
  };
}

/** By model id or inference profile: `cohere.embed-v4:0`, `global.cohere.embed-v4:0`, or the end of an ARN. */
function isCohere(model: string): boolean {
  return /(?:^|[./])cohere\.embed/.test(model);
}

async function embed(
  region: string,
  form: EmbeddingForm,
  request: EmbeddingRequest,
  ports: BedrockPorts,
): Promise<Embeddings> {
  const { model, inputs, dimensions, signal } = request;
  const body = form.toBody(request);
  const headers = traceHeaders(request);
  const answer = await sendToModel({ region, model, operation: 'invoke', body, headers, signal }, ports);
  const { status, json } = answer;
  if (status !== 200) throw toBedrockFailure(answer, ports.clock.now());
  const found = form.vectorsOf(json);
  return {
    vectors: requireVectors(Array.isArray(found) ? found : undefined, {
      count: inputs.length,
      dimensions,
      status,
    }),
    tokensInput: toCount(form.tokensOf(answer)),
  };
}

const TITAN: EmbeddingForm = {
  inputsPerCall: 1,
  toBody: ({ inputs: [inputText], dimensions }) => ({
    inputText,
    ...(dimensions === undefined ? {} : { dimensions }),
    normalize: true,
  }),
  vectorsOf: (json) => [memberOf(json, 'embedding')],
  tokensOf: ({ json }) => memberOf(json, 'inputTextTokenCount'),
};

/** The only count of tokens that Bedrock gives for these models. */
const TOKENS_HEADER = 'x-amzn-bedrock-input-token-count';

const COHERE: EmbeddingForm = {
  inputsPerCall: 96,
  toBody({ model, inputs, dimensions, inputType }) {
    // v3 makes vectors of one length, and has no member for it.
    const isFixed = model.includes('-v3');
    if (isFixed && dimensions !== undefined && dimensions !== V3_DIMENSIONS) {
      throw new ProviderFailure('configuration', { members: ['dimensions'] });
    }
    return {
      texts: inputs,
      input_type: inputType ?? 'search_document',
      embedding_types: ['float'],
      ...(isFixed || dimensions === undefined ? {} : { output_dimension: dimensions }),
    };
  },
  // By type where types were asked for; v3 answered a plain list before it had types.
  vectorsOf(json) {
    const embeddings = memberOf(json, 'embeddings');
    return Array.isArray(embeddings) ? embeddings : memberOf(embeddings, 'float');
  },
  tokensOf: ({ headers }) => Number(headers[TOKENS_HEADER] ?? Number.NaN),
};

const V3_DIMENSIONS = 1_024;
