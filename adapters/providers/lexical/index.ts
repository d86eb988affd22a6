// Embeddings without a model and without a network: hashed character n-grams. Near are texts that are spelled alike, not texts
// that mean the same.
import type { EmbeddingProvider } from '../../../core/ports/providers.ts';
import { embedSpelling } from './spelling.ts';

/** Deterministic, and free. The model's name is not looked at. */
export function createLexicalEmbeddings(): EmbeddingProvider {
  return {
    async embed({ text, dimensions }) {
      return { vector: embedSpelling(text, dimensions), tokensInput: 0 };
    },
  };
}
