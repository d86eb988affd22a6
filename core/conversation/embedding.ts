// Describes and measures the texts of a request for vectors.
import { utf8Bytes } from '../text/utf8.ts';
import type { EmbeddingInput, EmbeddingWish } from './conversation.ts';

/** The inputs for the log: a single text as it is, everything else as JSON. */
export function describeEmbedding({ inputs, isSingle }: EmbeddingWish): string {
  const [first] = inputs;
  if (isSingle && typeof first === 'string') return first;
  return JSON.stringify(isSingle ? first : inputs);
}

/** Tokens of an input beside its own, as for a message. */
const TOKENS_PER_INPUT = 64;

/** The maximum that an input can use: a token is at least one byte. */
export function maxTokensOf(input: EmbeddingInput): number {
  return (typeof input === 'string' ? utf8Bytes(input) : input.length) + TOKENS_PER_INPUT;
}
