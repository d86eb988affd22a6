// The routes of the service as data: deployed by lib/, typed in client/, asserted in tests.

/** Where a path begins: nowhere for the form of the service itself, which is not below `/v1`. */
type Base = 'native' | 'neuron' | 'organization';

type NativeOperation = 'execute' | 'executeRevision' | 'sendFeedback';

/** The one operation that is below the URL of an organization alone. */
type ProtocolOperation = 'callProtocol';

/** Operations of OpenAI's and Anthropic's interfaces. */
type ForeignOperation =
  | 'chatCompletions'
  | 'createResponse'
  | 'createMessage'
  | 'createMessageBelowV1'
  | 'countTokens'
  | 'countTokensBelowV1'
  | 'embeddings'
  | 'listModels'
  | 'retrieveModel'
  | 'listModelsBelowV1'
  | 'retrieveModelBelowV1';

/** A path of the REST API in API Gateway's notation, and what it does. */
export interface Route {
  readonly name: NativeOperation | ForeignOperation | `${ForeignOperation | ProtocolOperation}OfOrganization`;
  /** The same at the base URL of a neuron and at that of an organization. */
  readonly operation: NativeOperation | ForeignOperation | ProtocolOperation;
  readonly base: Base;
  readonly method: 'POST' | 'GET';
  /** The form of its requests and answers. */
  readonly surface: 'native' | 'openai' | 'responses' | 'anthropic' | 'embeddings' | 'mcp';
  readonly path: string;
  readonly pathParameters: readonly string[];
}

/** Paths below a base URL. Anthropic's own clients add a version to theirs. A model is greedy: the slash of an id may arrive decoded. */
const BELOW: readonly (Pick<Route, 'method' | 'surface'> & {
  readonly operation: ForeignOperation;
  readonly below: string;
})[] = [
  { operation: 'chatCompletions', method: 'POST', surface: 'openai', below: 'chat/completions' },
  { operation: 'embeddings', method: 'POST', surface: 'embeddings', below: 'embeddings' },
  { operation: 'createResponse', method: 'POST', surface: 'responses', below: 'responses' },
  { operation: 'createMessage', method: 'POST', surface: 'anthropic', below: 'messages' },
  { operation: 'createMessageBelowV1', method: 'POST', surface: 'anthropic', below: 'v1/messages' },
  { operation: 'countTokens', method: 'POST', surface: 'anthropic', below: 'messages/count_tokens' },
  {
    operation: 'countTokensBelowV1',
    method: 'POST',
    surface: 'anthropic',
    below: 'v1/messages/count_tokens',
  },
  { operation: 'listModels', method: 'GET', surface: 'openai', below: 'models' },
  { operation: 'retrieveModel', method: 'GET', surface: 'openai', below: 'models/{model+}' },
  { operation: 'listModelsBelowV1', method: 'GET', surface: 'anthropic', below: 'v1/models' },
  { operation: 'retrieveModelBelowV1', method: 'GET', surface: 'anthropic', below: 'v1/models/{model+}' },
];

/** At the URL of an organization the body names the neuron, or the path the model. */
const BASE_PATHS = {
  neuron: '/v1/{organization}/{neuron}',
  organization: '/v1/{organization}',
} as const;

function routesBelow(base: 'neuron' | 'organization'): readonly Route[] {
  return BELOW.map(({ below, ...route }) => {
    const path = `${BASE_PATHS[base]}/${below}`;
    const name = base === 'neuron' ? route.operation : (`${route.operation}OfOrganization` as const);
    return { ...route, name, base, path, pathParameters: parametersOf(path) };
  });
}

function nativeRoute(operation: NativeOperation, path: string): Route {
  const pathParameters = parametersOf(path);
  return {
    name: operation,
    operation,
    base: 'native',
    method: 'POST',
    surface: 'native',
    path,
    pathParameters,
  };
}

function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
}

export const ROUTES: readonly Route[] = [
  nativeRoute('execute', '/{organization}/{neuron}'),
  nativeRoute('sendFeedback', '/{organization}/{neuron}/feedback'),
  nativeRoute('executeRevision', '/{organization}/{neuron}/{revision}'),
  ...routesBelow('neuron'),
  ...routesBelow('organization'),
  {
    name: 'callProtocolOfOrganization',
    operation: 'callProtocol',
    base: 'organization',
    method: 'POST',
    surface: 'mcp',
    path: `${BASE_PATHS.organization}/mcp`,
    pathParameters: ['organization'],
  },
];

/** The routes of every base URL below `/v1`, as clients write them behind it. */
export const ROUTES_BELOW_BASE: readonly string[] = BELOW.map(
  ({ method, below }) => `${method} ${below.replace('+', '')}`,
);

/** The route of a resource's path; undefined for any other path. */
export function routeOf(path: string | undefined): Route | undefined {
  return ROUTES.find((route) => route.path === path);
}

/** True for a route of an organization's URL, whose path names no neuron. */
export function isOfOrganization({ base }: Route): boolean {
  return base === 'organization';
}

/** Query parameters that the service reads; all others are ignored. */
export const QUERY_PARAMETERS = {
  bypassCache: 'bypassCache',
  rawOutput: 'rawOutput',
  previewKey: 'key',
} as const;
