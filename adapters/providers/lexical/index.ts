// Embeddings without a model or a network: hashed character n-grams. Texts are near that are spelled alike, not that mean the same.
import { setImmediate } from 'node:timers/promises';
import type { EmbeddingProvider } from '../../../core/ports/providers.ts';

/** As many as the response cache compares. */
const DEFAULT_DIMENSIONS = 512;

/** Texts between two looks at the clock: long ones take some milliseconds each, and the process has others to serve. */
const TEXTS_AT_ONCE = 16;

/** Deterministic, and free. The model's name does not matter. */
export function createLexicalEmbeddings(): EmbeddingProvider {
  return {
    takesTokens: false,
    async embed({ inputs, dimensions = DEFAULT_DIMENSIONS, signal }) {
      const vectors: number[][] = [];
      for (const [index, input] of inputs.entries()) {
        if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) await setImmediate();
        signal.throwIfAborted();
        vectors.push(embedSpelling(String(input), dimensions));
      }
      return { vectors, tokensInput: 0 };
    },
  };
}

const MIN_GRAM = 3;
const MAX_GRAM = 5;
/** A whole word weighs more than a part of it. */
const WORD_WEIGHT = 2;

/**
 * A vector of length 1 that counts words, and runs of three to five of their characters, each in a place by its hash. Case, forms of
 * accents, punctuation and spaces do not matter.
 */
export function embedSpelling(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  for (const word of words) {
    add(vector, `=${word}`, WORD_WEIGHT);
    const characters = [...`^${word}$`];
    for (let size = MIN_GRAM; size <= MAX_GRAM; size += 1) {
      for (let at = 0; at + size <= characters.length; at += 1) {
        add(vector, characters.slice(at, at + size).join(''), 1);
      }
    }
  }
  // A text of only punctuation has no words, and a vector of zeros has no direction.
  if (words.length === 0) add(vector, text, 1);
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (norm === 0) return vector.fill(1 / Math.sqrt(dimensions));
  return vector.map((value) => value / norm);
}

/** The hash gives the sign too, so that two runs in one place cancel out as often as they add up. */
function add(vector: number[], gram: string, weight: number): void {
  const hash = fnv1a(gram);
  const place = (hash >>> 1) % vector.length;
  vector[place] = (vector[place] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
}

/** FNV-1a, 32 bits, over UTF-16 units (draft-eastlake-fnv), mixed once more because its low bits are weak. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
