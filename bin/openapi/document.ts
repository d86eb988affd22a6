// The public contract as an OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.1): the tables of core/contract, and the declarations that parse requests.

import { ERROR_CODES, type ErrorCode, statusOf } from '../../core/contract/error-codes.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../core/contract/headers.ts';
import { QUERY_PARAMETERS, ROUTES, type Route } from '../../core/contract/routes.ts';
import { SLUG_PATTERN } from '../../core/contract/slugs.ts';
import { ANTHROPIC_RESPONSES, ANTHROPIC_SCHEMAS, anthropicOperation } from './anthropic.ts';
import { CONVERSATION_SCHEMAS, REQUEST_PROPERTIES } from './conversation.ts';
import { ERROR_EXAMPLES, RAW_EXAMPLES, REQUEST_EXAMPLES, SUCCESS_EXAMPLES } from './examples.ts';
import { FEEDBACK_SCHEMAS, feedbackOperation } from './feedback.ts';
import { errorsOf, eventStream, HEADERS, named, type OpenapiObject, object, ref } from './headers.ts';
import { MCP_SCHEMAS, mcpOperation } from './mcp.ts';
import { OPENAI_RESPONSES, OPENAI_SCHEMAS, openaiOperation } from './openai.ts';

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'The body is not a JSON object.',
  401: 'No valid credential: one text for a missing, malformed, invalid, expired or revoked one.',
  403: 'Access control refuses the page, the address or everybody.',
  404: 'There is no such neuron, deployment or revision.',
  409: 'The first call with this idempotency key is still running, or the answer has feedback for this metric already.',
  410: 'The time for feedback on this answer is over.',
  422: 'A member or parameter has a value that is not taken, or the idempotency key was used for another request.',
  429: 'A limit is exceeded or the organization is paused.',
  500: 'The neuron or the service is broken.',
  503: 'The service, a store or the model provider is not available now.',
};

const TEXT = { type: 'string' } as const;

/** The whole document. `version` is that of the release. */
export function buildOpenapi(version: string): OpenapiObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Neuron Execution Service',
      summary: 'Runs neurons: prompts behind one HTTP route, with access control, limits and an audit trail.',
      description:
        'Every answer, errors included, may be read by pages of any origin (CORS). An API key belongs in a back end only; a front end ' +
        'sends a JWT. Answers of 409, 429 and 503 carry Retry-After: wait that long, then retry with exponential backoff.',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: SERVERS,
    tags: [
      { name: 'neurons', description: 'Calls of neurons.' },
      { name: 'openai', description: 'The same neurons for OpenAI clients.' },
      { name: 'anthropic', description: "The same neurons for Anthropic's clients." },
      { name: 'mcp', description: 'The same neurons as tools of agents.' },
    ],
    // Which of them a neuron wants is in its settings; a public one wants none.
    security: [{}, { bearer: [] }],
    paths: Object.fromEntries(
      ROUTES.map((route) => [
        // OpenAPI has no greedy parameters.
        route.path.replace('+}', '}'),
        {
          [route.method.toLowerCase()]: operationOf(route),
        },
      ]),
    ),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (back ends only) or a JWT.' },
        anthropicKey: {
          type: 'apiKey',
          in: 'header',
          name: REQUEST_HEADERS.anthropicKey,
          description: 'The same, in a header of its own.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: { ...SCHEMAS, ...OPENAI_SCHEMAS, ...ANTHROPIC_SCHEMAS, ...MCP_SCHEMAS, ...FEEDBACK_SCHEMAS },
      responses: { ...responses(), ...OPENAI_RESPONSES, ...ANTHROPIC_RESPONSES },
    },
  };
}

const SERVERS = [
  { url: 'http://127.0.0.1:3000', description: 'the local run' },
  {
    url: 'https://{api}.execute-api.{region}.amazonaws.com/{stage}',
    description: 'a deployment without a domain of its own',
    variables: {
      api: { default: 'abc1234567', description: 'id of the REST API' },
      region: { default: 'eu-west-1', description: 'AWS region' },
      stage: { default: 'prod', description: 'stage' },
    },
  },
];

function operationOf(route: Route): OpenapiObject {
  if (route.surface === 'native') return operation(route);
  if (route.surface === 'mcp') return mcpOperation(route);
  return route.surface === 'anthropic' ? anthropicOperation(route) : openaiOperation(route);
}

function operation(route: Route): OpenapiObject {
  if (route.name === 'sendFeedback') return feedbackOperation(route);
  const isRevision = route.name === 'executeRevision';
  const query = [QUERY_PARAMETERS.bypassCache, QUERY_PARAMETERS.rawOutput];
  const keys = isRevision ? ['previewKeyHeader', 'previewKeyQuery'] : [];
  const statuses = [...new Set(Object.values(ERROR_CODES).map(({ status }) => status))]
    .filter((status) => status !== 410)
    .toSorted();
  return {
    operationId: route.name,
    tags: ['neurons'],
    summary: isRevision ? 'Runs one version, deployed or not' : 'Runs the deployed version',
    parameters: [...route.pathParameters, ...query, 'idempotencyKey', ...keys].map((name) =>
      ref('parameters', name),
    ),
    requestBody: {
      required: true,
      description: 'Read as JSON whatever Content-Type says.',
      content: { 'application/json': { schema: ref('schemas', 'Request'), examples: REQUEST_EXAMPLES } },
    },
    responses: {
      '200': ref('responses', 'Success'),
      ...Object.fromEntries(statuses.map((status) => [status, ref('responses', `Error${status}`)])),
    },
  };
}

const slugParameter = (name: string, description: string, example: string): OpenapiObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern: SLUG_PATTERN.source },
  example,
});
const flagParameter = (name: string, description: string): OpenapiObject => ({
  name,
  in: 'query',
  description: `${description} \`1\` and \`0\` are taken too. Given twice or anything else: 422.`,
  schema: { type: 'boolean', default: false },
});

const PARAMETERS = {
  organization: slugParameter('organization', 'Slug of the organization.', 'acme'),
  neuron: slugParameter('neuron', 'Slug of the neuron.', 'hello'),
  model: {
    name: 'model',
    in: 'path',
    required: true,
    description:
      "Slug of the neuron, ORGANIZATION/NEURON, or on an organization's URL one of the neuron's `models`.",
    schema: TEXT,
  },
  revision: slugParameter('revision', 'Id of a version.', 'v1'),
  bypassCache: flagParameter(
    QUERY_PARAMETERS.bypassCache,
    'Forces a new execution, past the exact and the semantic cache.',
  ),
  rawOutput: flagParameter(QUERY_PARAMETERS.rawOutput, 'Answers the output as plain text and nothing else.'),
  idempotencyKey: {
    name: REQUEST_HEADERS.idempotencyKey,
    in: 'header',
    description:
      'Chosen by the caller, a new one for each request. The same request with the same key within 24 hours runs once: it gets the same answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  previewKeyHeader: {
    name: REQUEST_HEADERS.previewKey,
    in: 'header',
    description: 'Preview key of the version. This or the query parameter.',
    schema: TEXT,
  },
  previewKeyQuery: {
    name: QUERY_PARAMETERS.previewKey,
    in: 'query',
    description: 'Preview key of the version. The header is better: addresses end up in logs.',
    schema: TEXT,
  },
};

const SCHEMAS = {
  Request: {
    type: 'object',
    description: 'Members that are not known are passed over.',
    properties: REQUEST_PROPERTIES,
  },
  ...CONVERSATION_SCHEMAS,
  ToolCall: object(
    ['id', 'name', 'arguments'],
    { id: TEXT, name: TEXT, arguments: { type: 'object' } },
    "What the model wants of one of the caller's tools.",
  ),
  Success: object(['fromCache', 'executionStopped'], {
    output: { type: 'string', description: 'Absent when the run was stopped without one.' },
    toolCalls: {
      type: 'array',
      items: ref('schemas', 'ToolCall'),
      description: "Where the model called the caller's tools; `output` is then the text beside them.",
    },
    fromCache: { type: 'boolean' },
    executionStopped: { type: 'boolean', description: 'True when the run ended before its time.' },
  }),
  Error: object(['error', 'statusCode', 'code'], {
    error: { type: 'string', description: 'What happened and what to do, in words.' },
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string', description: 'What happened, for programs. Later releases may add codes.' },
    retryAfter: {
      type: 'integer',
      minimum: 1,
      description: 'Seconds, as in Retry-After; with 409, 429 and 503.',
    },
    executionId: { type: 'string', description: 'Names the run in the log.' },
  }),
};

function responses(): OpenapiObject {
  const { executionId, cache, executionStopped, cost, tokensInput, tokensOutput } = RESPONSE_HEADERS;
  const { stream, leftOut, rateLimitPolicy, rateLimit, idempotencyReplayed, feedbackToken } =
    RESPONSE_HEADERS;
  const success = {
    description: 'The run ended, or was stopped by its flow.',
    headers: named([
      ...[executionId, cache, executionStopped, cost, tokensInput, tokensOutput],
      ...[stream, leftOut, rateLimitPolicy, rateLimit, idempotencyReplayed, feedbackToken],
    ]),
    content: {
      'application/json': { schema: ref('schemas', 'Success'), examples: SUCCESS_EXAMPLES },
      'text/plain': { schema: TEXT, examples: RAW_EXAMPLES },
      ...eventStream(
        'With `Accept: text/event-stream`: events `delta`, `toolCall`, and last, once, `result` or `error`.',
      ),
    },
  };
  const errors = errorsOf('Error', STATUS_TEXTS, (status) => ({
    headers: named([executionId, ...errorHeaders(status)]),
    content: { 'application/json': errorContent(status) },
  }));
  return { Success: success, ...errors };
}

function errorHeaders(status: number): string[] {
  if (status === 401) return [RESPONSE_HEADERS.wwwAuthenticate];
  const { retryAfter, rateLimitPolicy, rateLimit, idempotencyReplayed } = RESPONSE_HEADERS;
  if (status === 422) return [idempotencyReplayed];
  if (status === 429) return [retryAfter, rateLimitPolicy, rateLimit];
  return status === 409 || status === 503 ? [retryAfter] : [];
}

function errorContent(status: number): OpenapiObject {
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => statusOf(code) === status);
  return {
    schema: {
      allOf: [ref('schemas', 'Error')],
      properties: { statusCode: { const: status }, code: { examples: codes } },
    },
    examples: Object.fromEntries(
      Object.entries(ERROR_EXAMPLES).filter(([code]) => statusOf(code as ErrorCode) === status),
    ),
  };
}
