// A neuron that answers embeddings, where it could never work: rejected with file, line, path and what to do.
import { describe, expect, it } from 'vitest';
import { errors, validate } from './validate-text.ts';

const PROVIDERS = `organization: acme
providers:
  demo: { type: echo }
  words: { type: lexical }
  openai: { type: openai, baseUrl: https://api.openai.com/v1 }
  aws: { type: bedrock, region: us-east-1 }
`;
const neuron = (flow: string, more = '') =>
  `${PROVIDERS}---\nneuron: acme/n\naccess: { apiKey: true }\n${more}flow:\n${flow}`;
const embed = (provider: string, model: string, more = '') =>
  neuron(`  - embed: { provider: ${provider}, model: "${model}"${more === '' ? '' : `, ${more}`} }\n`);

describe('a step embed', () => {
  it.each([
    ['lexical', embed('words', 'any', 'dimensions: 100')],
    ['OpenAI', embed('openai', 'text-embedding-3-small', 'retries: 1, timeout: 5s')],
    ['Titan', embed('aws', 'amazon.titan-embed-text-v2:0', 'dimensions: 512')],
    ['Cohere v4', embed('aws', 'us.cohere.embed-v4:0', 'dimensions: 1536, inputType: search_query')],
    ['Cohere v3', embed('aws', 'cohere.embed-multilingual-v3', 'inputType: clustering')],
  ])('may ask %s', (_who, text) => {
    expect(errors(text)).toEqual([]);
  });

  it.each([
    ['before another', '  - embed: { provider: words, model: m }\n  - stop: {}\n'],
    ['after another', '  - systemInstructions: x\n  - embed: { provider: words, model: m }\n'],
    ['in a branch', '  - ifInputContains: { any: [x], then: [embed: { provider: words, model: m }] }\n'],
  ])('may not stand %s', (_where, flow) => {
    expect(errors(neuron(flow))).toEqual([
      expect.stringMatching(/embed: must be the only step of its flow$/),
    ]);
  });

  it.each([
    [
      'semantic caching',
      neuron(
        '  - embed: { provider: words, model: m }\n',
        'caching: { semantic: { threshold: 0.9, embedding: { provider: words, model: m } } }\n',
      ),
      /caching\.semantic: compares texts/,
    ],
    [
      'a provider of texts',
      embed('demo', 'm'),
      /embed\.provider: demo is of type echo, which makes no embeddings/,
    ],
    [
      'a fallback of texts',
      embed('words', 'm', 'fallbacks: [{ provider: demo, model: m }]'),
      /fallbacks\[0\]\.provider: demo is of type echo/,
    ],
    ['an unknown provider', embed('wrds', 'm'), /did you mean words\?/],
    [
      'dimensions that Titan has not',
      embed('aws', 'amazon.titan-embed-text-v2:0', 'dimensions: 300'),
      /dimensions: must be 256, 512 or 1024 for aws\/amazon/,
    ],
    [
      'dimensions that Cohere v3 has not',
      embed('aws', 'cohere.embed-english-v3', 'dimensions: 512, inputType: search_query'),
      /dimensions: must be 1024 for/,
    ],
    ['no input type for Cohere', embed('aws', 'cohere.embed-v4:0'), /needs inputType/],
    [
      'an input type for Titan',
      embed('aws', 'amazon.titan-embed-text-v2:0', 'inputType: search_query'),
      /inputType: is unknown to aws/,
    ],
    [
      'an input type for OpenAI',
      embed('openai', 'text-embedding-3-small', 'inputType: search_query'),
      /inputType: is unknown to openai/,
    ],
    [
      'an unknown input type',
      embed('aws', 'cohere.embed-v4:0', 'inputType: query'),
      /inputType: must be one of search_document/,
    ],
    [
      'a model of texts on Bedrock',
      embed('aws', 'us.amazon.nova-lite-v1:0'),
      /of the models on Bedrock that make vectors/,
    ],
    ['a member of callModel', embed('words', 'm', 'outputSchema: {}'), /outputSchema/],
    ['too many dimensions', embed('words', 'm', 'dimensions: 20000'), /dimensions: must be/],
  ])('may not have %s', (_what, text, message) => {
    expect(errors(text)).toEqual([expect.stringMatching(message)]);
  });

  it('warns of a fallback to another model', () => {
    const text = embed(
      'openai',
      'a',
      'fallbacks: [{ provider: words, model: b }, { provider: words, model: a }]',
    );
    const { warnings } = validate(text);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('must be the same model as a under another name'),
    ]);
  });
});
