// Renders vectors as a list of embeddings (platform.openai.com/docs/api-reference/embeddings/object).
import { encodeFloat32 } from '../../text/float32.ts';
import { cacheHeader, jsonAnswer, leftOutHeader, rateLimitHeaders, receiptHeaders } from '../headers.ts';
import { requestIdHeaders } from '../openai/errors.ts';
import type { Answer, AnswerDetail, RunResult } from '../surface.ts';
import type { EmbeddingsInvocation } from './parse.ts';

export function renderEmbeddings(result: RunResult, detail: AnswerDetail<EmbeddingsInvocation>): Answer {
  const { model, encoding } = detail.invocation.form;
  const { vectors = [], usage: { input: tokens } = { input: 0 } } = result;
  const toEmbedding = encoding === 'base64' ? encodeFloat32 : toNumbers;
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: toEmbedding(vector),
  }));
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return jsonAnswer(
    {
      ...requestIdHeaders(detail.executionId),
      ...cacheHeader(result.cache, detail.receipt !== undefined),
      ...leftOutHeader(detail.leftOut),
      ...receiptHeaders(detail.receipt),
      ...rateLimitHeaders(detail.rateLimit),
    },
    { object: 'list', data, model, usage },
  );
}

/** Digits that tell every number of 32 bits from its neighbours; without them it would be written with seventeen. */
const DIGITS = 9;

function toNumbers(vector: Float32Array): readonly number[] {
  return Array.from(vector, (value) => Number(value.toPrecision(DIGITS)));
}
