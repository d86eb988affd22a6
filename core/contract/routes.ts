// The routes of the service as data: deployed by lib/, typed in client/, asserted in tests.

/** A path of the REST API in API Gateway's notation, and what it does. */
export interface Route {
  readonly name:
    | 'execute'
    | 'executeRevision'
    | 'chatCompletions'
    | 'createResponse'
    | 'createMessage'
    | 'createMessageBelowV1'
    | 'embeddings'
    | 'listModels'
    | 'retrieveModel';
  readonly method: 'POST' | 'GET';
  /** The form of its requests and answers. */
  readonly surface: 'native' | 'openai' | 'responses' | 'anthropic' | 'embeddings';
  readonly path: string;
  readonly pathParameters: readonly string[];
}

export const ROUTES = [
  {
    name: 'execute',
    method: 'POST',
    surface: 'native',
    path: '/{organization}/{neuron}',
    pathParameters: ['organization', 'neuron'],
  },
  {
    name: 'executeRevision',
    method: 'POST',
    surface: 'native',
    path: '/{organization}/{neuron}/{revision}',
    pathParameters: ['organization', 'neuron', 'revision'],
  },
  {
    name: 'chatCompletions',
    method: 'POST',
    surface: 'openai',
    path: '/v1/{organization}/{neuron}/chat/completions',
    pathParameters: ['organization', 'neuron'],
  },
  {
    name: 'embeddings',
    method: 'POST',
    surface: 'embeddings',
    path: '/v1/{organization}/{neuron}/embeddings',
    pathParameters: ['organization', 'neuron'],
  },
  {
    name: 'createResponse',
    method: 'POST',
    surface: 'responses',
    path: '/v1/{organization}/{neuron}/responses',
    pathParameters: ['organization', 'neuron'],
  },
  {
    name: 'createMessage',
    method: 'POST',
    surface: 'anthropic',
    path: '/v1/{organization}/{neuron}/messages',
    pathParameters: ['organization', 'neuron'],
  },
  {
    // Anthropic's own clients add a version to their base URL.
    name: 'createMessageBelowV1',
    method: 'POST',
    surface: 'anthropic',
    path: '/v1/{organization}/{neuron}/v1/messages',
    pathParameters: ['organization', 'neuron'],
  },
  {
    name: 'listModels',
    method: 'GET',
    surface: 'openai',
    path: '/v1/{organization}/{neuron}/models',
    pathParameters: ['organization', 'neuron'],
  },
  {
    // Greedy: clients encode the slash of an id, and it may arrive decoded.
    name: 'retrieveModel',
    method: 'GET',
    surface: 'openai',
    path: '/v1/{organization}/{neuron}/models/{model+}',
    pathParameters: ['organization', 'neuron', 'model'],
  },
] as const satisfies readonly Route[];

/** The route of a resource's path; undefined for any other path. */
export function routeOf(path: string | undefined): Route | undefined {
  return ROUTES.find((route) => route.path === path);
}

/** Query parameters that the service reads; all others are ignored. */
export const QUERY_PARAMETERS = {
  bypassCache: 'bypassCache',
  rawOutput: 'rawOutput',
  previewKey: 'key',
} as const;
