// An embeddings request as clients write it, and every way in which it can be wrong.
import { describe, expect, it } from 'vitest';
import { parseEmbeddings } from '../../../../core/surfaces/embeddings/parse.ts';

const ADDRESSED = { organization: 'acme', neuron: 'vectors', maxInputBytes: 100 };
const parse = (body: object, maxInputBytes = 100) =>
  parseEmbeddings(
    {
      body: JSON.stringify({ model: 'vectors', ...body }),
      ...{ bypassCache: [], rawOutput: [], accept: [] },
    },
    { ...ADDRESSED, maxInputBytes },
  );

describe('an embeddings request', () => {
  it.each([
    ['a text', 'one', { inputs: ['one'], isSingle: true }],
    ['texts', ['one', 'two', 'one'], { inputs: ['one', 'two', 'one'], isSingle: false }],
    ['a list of one text', ['one'], { inputs: ['one'], isSingle: false }],
    ['the tokens of a text', [9906, 0], { inputs: [[9906, 0]], isSingle: true }],
    ['the tokens of texts', [[1], [2, 3]], { inputs: [[1], [2, 3]], isSingle: false }],
    ['a blank text', ' ', { inputs: [' '], isSingle: true }],
  ])('takes %s', (_what, input, expected) => {
    expect(parse({ input }).embedding).toEqual({ ...expected, dimensions: undefined });
  });

  it('has the form of its answer, and no conversation', () => {
    const body = { input: 'one', model: 'acme/vectors', encoding_format: 'base64', dimensions: 64 };
    expect(parse(body)).toMatchObject({
      form: { model: 'acme/vectors', encoding: 'base64' },
      leftOut: [],
      embedding: { dimensions: 64 },
      conversation: { messages: [], tools: [] },
      stream: false,
    });
    expect(parse({ input: 'one', encoding_format: null, dimensions: null }).form.encoding).toBe('float');
  });

  it('leaves out by name what has no effect', () => {
    const body = { input: 'one', user: 'u', input_type: 'query', unset: null };
    expect(parse(body).leftOut).toEqual(['user', 'input_type']);
  });

  it.each([
    ['nothing', {}, 'input'],
    ['null', { input: null }, 'input'],
    ['a number', { input: 5 }, 'input'],
    ['an object', { input: { text: 'one' } }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['no texts', { input: [] }, 'input'],
    ['an empty text among others', { input: ['one', ''] }, 'input[1]'],
    ['half a surrogate pair', { input: ['one', '\ud800'] }, 'input[1]'],
    ['a number among texts', { input: ['one', 5] }, 'input[1]'],
    ['a text among tokens', { input: [5, 'one'] }, 'input'],
    ['a text among lists of tokens', { input: [[5], 'one'] }, 'input[1]'],
    ['an empty list of tokens', { input: [[5], []] }, 'input[1]'],
    ['a negative token', { input: [[-1]] }, 'input[0]'],
    ['half a token', { input: [0.5] }, 'input'],
    ['a list in a list of tokens', { input: [[[1]]] }, 'input[0]'],
    ['2,049 texts', { input: new Array(2_049).fill('x') }, 'input'],
    ['another encoding', { input: 'one', encoding_format: 'int8' }, 'encoding_format'],
    ['no dimensions', { input: 'one', dimensions: 0 }, 'dimensions'],
    ['half a dimension', { input: 'one', dimensions: 1.5 }, 'dimensions'],
    ['a text for dimensions', { input: 'one', dimensions: '64' }, 'dimensions'],
  ])('is rejected with %s', (_what, body, param) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'invalid_input', param }));
  });

  it('is for the neuron of its URL alone', () => {
    expect(() => parse({ input: 'one', model: 'text-embedding-3-small' })).toThrow(
      expect.objectContaining({ code: 'model_not_found' }),
    );
  });

  it('is measured in bytes of UTF-8 over all texts, and four for each token', () => {
    expect(() => parse({ input: ['é'.repeat(25), 'é'.repeat(25)] })).not.toThrow();
    const tooLarge = expect.objectContaining({ code: 'input_too_large', param: 'input' });
    expect(() => parse({ input: ['é'.repeat(25), 'é'.repeat(26)] })).toThrow(tooLarge);
    expect(() => parse({ input: new Array(25).fill(1) })).not.toThrow();
    expect(() => parse({ input: new Array(26).fill(1) })).toThrow(tooLarge);
  });

  it('may have 2,048 texts', () => {
    expect(parse({ input: new Array(2_048).fill('x') }, 1e6).embedding.inputs).toHaveLength(2_048);
  });
});
