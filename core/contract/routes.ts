// The routes of the service as data: deployed by lib/, typed in client/, asserted in tests.

/** A path of the REST API in API Gateway's notation, and what it does. */
export interface Route {
  readonly name: 'execute' | 'executeRevision';
  readonly method: 'POST';
  readonly path: string;
  readonly pathParameters: readonly string[];
}

export const ROUTES = [
  {
    name: 'execute',
    method: 'POST',
    path: '/{organization}/{neuron}',
    pathParameters: ['organization', 'neuron'],
  },
  {
    name: 'executeRevision',
    method: 'POST',
    path: '/{organization}/{neuron}/{revision}',
    pathParameters: ['organization', 'neuron', 'revision'],
  },
] as const satisfies readonly Route[];

/** Query parameters that the service reads; all others are ignored. */
export const QUERY_PARAMETERS = {
  bypassCache: 'bypassCache',
  rawOutput: 'rawOutput',
  previewKey: 'key',
} as const;
