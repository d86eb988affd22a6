// Embeddings of how a text is spelled.
import { describe, expect, it } from 'vitest';
import { createLexicalEmbeddings } from '../../../../adapters/providers/lexical/index.ts';

const signal = new AbortController().signal;
const embed = async (text: string, dimensions = 512) =>
  (await createLexicalEmbeddings().embed({ model: 'any', inputs: [text], dimensions, signal })).vectors[0] ??
  [];
const similarity = async (one: string, other: string) => {
  const [a, b] = [await embed(one), await embed(other)];
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
};

describe('a lexical embedding', () => {
  it.each(['Hello', '', '?!', '🏔', 'x'.repeat(10_000)])(
    'has as many numbers as asked for, and length 1: %j',
    async (text) => {
      const vector = await embed(text);
      expect(vector).toHaveLength(512);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      expect(await embed(text, 8)).toHaveLength(8);
    },
  );

  it('is the same for texts that differ in case, punctuation and spaces alone', async () => {
    expect(await similarity('Where is my order?', 'where is  my order')).toBeCloseTo(1, 6);
  });

  it('is nearer for a text with a slip than for another text', async () => {
    const slip = await similarity('Where is my order?', 'Where is my ordr?');
    const other = await similarity('Where is my order?', 'Translate this letter');
    expect(slip).toBeGreaterThan(0.75);
    expect(other).toBeLessThan(0.3);
  });

  it('costs no tokens', async () => {
    const made = await createLexicalEmbeddings().embed({
      model: 'any',
      inputs: ['Hello'],
      dimensions: 512,
      signal,
    });
    expect(made.tokensInput).toBe(0);
  });
});
