// Embeddings by Amazon Titan Text Embeddings V2 (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html).
import { type Embedding, type EmbeddingProvider, ProviderFailure } from '../../../core/ports/providers.ts';
import { memberOf } from '../../../core/text/json.ts';
import { toCount } from '../post-json.ts';
import { toBedrockFailure } from './errors.ts';
import type { BedrockSettings } from './index.ts';
import { type BedrockPorts, sendToModel } from './send.ts';

/** Models of other vendors take other bodies: they answer 400. */
export function createBedrockEmbeddings({ region }: BedrockSettings, ports: BedrockPorts): EmbeddingProvider {
  return {
    async embed({ model, text, dimensions, signal }) {
      const body = { inputText: text, dimensions, normalize: true };
      const answer = await sendToModel({ region, model, operation: 'invoke', body, signal }, ports);
      if (answer.status !== 200) throw toBedrockFailure(answer, ports.clock.now());
      return toEmbedding(answer.json, dimensions, answer.status);
    },
  };
}

function toEmbedding(json: unknown, dimensions: number, status: number): Embedding {
  const vector = memberOf(json, 'embedding');
  if (!isVector(vector) || vector.length !== dimensions || vector.every((number) => number === 0)) {
    throw new ProviderFailure('malformed_answer', { status });
  }
  return { vector, tokensInput: toCount(memberOf(json, 'inputTextTokenCount')) };
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((number) => Number.isFinite(number));
}
