// The routes and the query parameters, held against the contract.
import { describe, expect, it } from 'vitest';
import { QUERY_PARAMETERS, ROUTES } from '../../../core/contract/routes.ts';

describe('the routes', () => {
  it('are two, both POST', () => {
    expect(ROUTES.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /{organization}/{neuron}',
      'POST /{organization}/{neuron}/{revision}',
    ]);
  });

  it('list the parameters that their paths hold, in order', () => {
    for (const { path, pathParameters } of ROUTES) {
      expect([...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name)).toEqual(pathParameters);
    }
  });

  it('read the query parameters of the reference SDK under its names', () => {
    expect(Object.values(QUERY_PARAMETERS).toSorted()).toEqual(['bypassCache', 'key', 'rawOutput']);
  });
});
