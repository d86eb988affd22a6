// The routes and the query parameters, held against the contract.
import { describe, expect, it } from 'vitest';
import { isOfOrganization, QUERY_PARAMETERS, ROUTES } from '../../../core/contract/routes.ts';

describe('the routes', () => {
  it("are three of the service itself, and OpenAI's and Anthropic's at a neuron and at an organization", () => {
    expect(ROUTES.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /{organization}/{neuron}',
      'POST /{organization}/{neuron}/feedback',
      'POST /{organization}/{neuron}/{revision}',
      'POST /v1/{organization}/{neuron}/chat/completions',
      'POST /v1/{organization}/{neuron}/embeddings',
      'POST /v1/{organization}/{neuron}/responses',
      'POST /v1/{organization}/{neuron}/messages',
      'POST /v1/{organization}/{neuron}/v1/messages',
      'POST /v1/{organization}/{neuron}/messages/count_tokens',
      'POST /v1/{organization}/{neuron}/v1/messages/count_tokens',
      'GET /v1/{organization}/{neuron}/models',
      'GET /v1/{organization}/{neuron}/models/{model+}',
      'GET /v1/{organization}/{neuron}/v1/models',
      'GET /v1/{organization}/{neuron}/v1/models/{model+}',
      'POST /v1/{organization}/chat/completions',
      'POST /v1/{organization}/embeddings',
      'POST /v1/{organization}/responses',
      'POST /v1/{organization}/messages',
      'POST /v1/{organization}/v1/messages',
      'POST /v1/{organization}/messages/count_tokens',
      'POST /v1/{organization}/v1/messages/count_tokens',
      'GET /v1/{organization}/models',
      'GET /v1/{organization}/models/{model+}',
      'GET /v1/{organization}/v1/models',
      'GET /v1/{organization}/v1/models/{model+}',
      'POST /v1/{organization}/mcp',
    ]);
  });

  it('have a name each', () => {
    expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(ROUTES.length);
  });

  it('list the parameters that their paths hold, in order', () => {
    for (const { path, pathParameters } of ROUTES) {
      expect([...path.matchAll(/\{([a-z]+)\+?\}/g)].map(([, name]) => name)).toEqual(pathParameters);
    }
  });

  it('name no neuron on an organization, and never one without it', () => {
    const [ofOrganization, others] = [true, false].map((is) =>
      ROUTES.filter((route) => isOfOrganization(route) === is),
    );
    expect(ofOrganization?.every(({ path }) => !path.includes('{neuron}'))).toBe(true);
    expect(others?.every(({ path }) => path.includes('/{organization}/{neuron}'))).toBe(true);
    expect(ofOrganization).toHaveLength(12);
  });

  it('read the query parameters of the reference SDK under its names', () => {
    expect(Object.values(QUERY_PARAMETERS).toSorted()).toEqual(['bypassCache', 'key', 'rawOutput']);
  });
});
