// The routes and the query parameters, held against the contract.
import { describe, expect, it } from 'vitest';
import { QUERY_PARAMETERS, ROUTES } from '../../../core/contract/routes.ts';

describe('the routes', () => {
  it("are two of the service itself, five of OpenAI's and two of Anthropic's", () => {
    expect(ROUTES.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /{organization}/{neuron}',
      'POST /{organization}/{neuron}/{revision}',
      'POST /v1/{organization}/{neuron}/chat/completions',
      'POST /v1/{organization}/{neuron}/embeddings',
      'POST /v1/{organization}/{neuron}/responses',
      'POST /v1/{organization}/{neuron}/messages',
      'POST /v1/{organization}/{neuron}/v1/messages',
      'GET /v1/{organization}/{neuron}/models',
      'GET /v1/{organization}/{neuron}/models/{model+}',
    ]);
  });

  it('list the parameters that their paths hold, in order', () => {
    for (const { path, pathParameters } of ROUTES) {
      expect([...path.matchAll(/\{([a-z]+)\+?\}/g)].map(([, name]) => name)).toEqual(pathParameters);
    }
  });

  it('read the query parameters of the reference SDK under its names', () => {
    expect(Object.values(QUERY_PARAMETERS).toSorted()).toEqual(['bypassCache', 'key', 'rawOutput']);
  });
});
