// OpenAI's interface in the OpenAPI document: what of it is taken. The whole of it is OpenAI's own document.
import { RESPONSE_HEADERS } from '../../core/contract/headers.ts';
import type { Route } from '../../core/contract/routes.ts';
import { MAX_DIMENSIONS } from '../../core/settings/flow-schema.ts';
import { MAX_INPUTS } from '../../core/surfaces/embeddings/parse.ts';
import { OPENAI_FIELDS } from '../../core/surfaces/openai/fields.ts';
import { RESPONSE_FIELDS } from '../../core/surfaces/responses/fields.ts';
import { errorsOf, eventStream, fieldsOf, json, named, type OpenapiObject, object, ref } from './headers.ts';

export const STATUSES: Readonly<Record<number, string>> = {
  400: 'A field is not taken: `param` names it.',
  401: 'No valid credential.',
  403: 'Access control refuses the page, the address or everybody.',
  404: 'There is no such model, or the API key may not call it.',
  409: 'The first call with this idempotency key is still running.',
  429: 'A limit is exceeded. `insufficient_quota` where it will not pass within a minute.',
  500: 'The neuron or the service is broken.',
  503: 'The service, a store or the model provider is not available now.',
};

const SUMMARIES: Readonly<Partial<Record<Route['operation'], string>>> = {
  chatCompletions: 'Runs the deployed version for an OpenAI client',
  createResponse: 'Runs the deployed version for a client of Responses',
  embeddings: 'Makes vectors of texts, at a neuron whose flow is `embed`',
  listModels: 'Lists the neuron as the one model',
  retrieveModel: 'Describes the neuron as a model',
};

const SUMMARIES_OF_ORGANIZATION: typeof SUMMARIES = {
  chatCompletions: 'Runs the neuron that `model` names for an OpenAI client',
  createResponse: 'Runs the neuron that `model` names for a client of Responses',
  embeddings: 'Makes vectors of texts by the neuron that `model` names',
  listModels: 'Lists the models that the API key may call',
  retrieveModel: 'Describes a model that the API key may call',
};

/** A sentence for the list of routes. */
function summaryOf({ base, operation }: Route): string | undefined {
  return (base === 'organization' ? SUMMARIES_OF_ORGANIZATION : SUMMARIES)[operation];
}

/** The request and the answer of a route that runs a neuron. */
const FORMS: Readonly<
  Partial<Record<Route['operation'], { readonly request: string; readonly answer: string }>>
> = {
  chatCompletions: { request: 'ChatCompletionRequest', answer: 'ChatCompletion' },
  embeddings: { request: 'EmbeddingRequest', answer: 'Embeddings' },
  createResponse: { request: 'ResponseRequest', answer: 'Response' },
};

/** Statuses that a request for the list of models never gets. */
export const OF_RUNS: ReadonlySet<string> = new Set(['400', '409']);

/** One route of OpenAI's interface. */
export function openaiOperation(route: Route): OpenapiObject {
  const forms = FORMS[route.operation];
  const isRun = forms !== undefined;
  const statuses = Object.keys(STATUSES).filter((status) => isRun || !OF_RUNS.has(status));
  return {
    operationId: route.name,
    tags: ['openai'],
    summary: summaryOf(route),
    ...(route.base === 'organization' ? { security: [{ bearer: [] }] } : {}),
    parameters: [...route.pathParameters, ...(isRun ? ['idempotencyKey'] : [])].map((name) =>
      ref('parameters', name),
    ),
    ...(isRun ? { requestBody: { required: true, content: json(ref('schemas', forms.request)) } } : {}),
    responses: {
      '200': ref('responses', forms?.answer ?? 'Models'),
      ...Object.fromEntries(statuses.map((status) => [status, ref('responses', `OpenaiError${status}`)])),
    },
  };
}

const TEXT_INPUT: OpenapiObject = { type: 'string', minLength: 1 };
const TOKENS: OpenapiObject = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0 } };

function listOf(items: OpenapiObject): OpenapiObject {
  return { type: 'array', minItems: 1, maxItems: MAX_INPUTS, items };
}

export const OPENAI_SCHEMAS: OpenapiObject = {
  ChatCompletionRequest: object(
    ['model', 'messages'],
    fieldsOf(OPENAI_FIELDS),
    'Fields that are not listed are refused.',
  ),
  ResponseRequest: object(
    ['model', 'input'],
    fieldsOf(RESPONSE_FIELDS.fields),
    'Fields that are not listed are left out.',
  ),
  Response: object(['id', 'object', 'created_at', 'status', 'model', 'output'], {
    id: { type: 'string' },
    object: { const: 'response' },
    created_at: { type: 'integer', description: 'Seconds since the Unix epoch.' },
    status: { enum: ['completed', 'incomplete', 'failed'] },
    model: { type: 'string', description: 'As the request named it.' },
    output: { type: 'array', items: { type: 'object' } },
    store: { const: false },
    usage: { type: 'object' },
  }),
  ChatCompletion: object(['id', 'object', 'created', 'model', 'choices'], {
    id: { type: 'string' },
    object: { const: 'chat.completion' },
    created: { type: 'integer', description: 'Seconds since the Unix epoch.' },
    model: { type: 'string', description: 'As the request named it.' },
    choices: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 1 },
    usage: { type: 'object' },
  }),
  EmbeddingRequest: object(
    ['model', 'input'],
    {
      model: { type: 'string', description: 'The slug of the neuron, or ORGANIZATION/NEURON.' },
      input: {
        description: 'A text, or up to 2,048; ids of tokens where the provider is OpenAI-compatible.',
        oneOf: [TEXT_INPUT, TOKENS, listOf(TEXT_INPUT), listOf(TOKENS)],
      },
      encoding_format: { type: 'string', enum: ['float', 'base64'], default: 'float' },
      dimensions: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_DIMENSIONS,
        description: 'Where the neuron has none of its own.',
      },
      user: { type: 'string', description: 'left out' },
    },
    'Fields that are not listed are left out, and named in X-Neuron-Left-Out.',
  ),
  EmbeddingList: object(['object', 'data', 'model', 'usage'], {
    object: { const: 'list' },
    data: {
      type: 'array',
      items: object(['object', 'index', 'embedding'], {
        object: { const: 'embedding' },
        index: { type: 'integer' },
        embedding: {
          description: 'Numbers, or as base64 numbers of 32 bits, the least significant byte first.',
          oneOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }],
        },
      }),
    },
    model: { type: 'string', description: 'As the request named it.' },
    usage: object(['prompt_tokens', 'total_tokens'], {
      prompt_tokens: { type: 'integer' },
      total_tokens: { type: 'integer' },
    }),
  }),
  OpenaiError: object(['error'], {
    error: object(['message', 'type', 'param', 'code'], {
      message: { type: 'string' },
      type: { type: 'string' },
      param: { type: ['string', 'null'] },
      code: { type: ['string', 'null'] },
    }),
  }),
};

const { requestId, executionId, cache, stream, leftOut, rateLimitPolicy, rateLimit, idempotencyReplayed } =
  RESPONSE_HEADERS;
export const HEADERS_OF_RUNS = [
  requestId,
  executionId,
  cache,
  stream,
  leftOut,
  rateLimitPolicy,
  rateLimit,
  idempotencyReplayed,
];

export function errorHeaders(status: number): string[] {
  const { retryAfter, shouldRetry } = RESPONSE_HEADERS;
  return [
    ...(status === 400 ? [idempotencyReplayed] : []),
    ...(status === 409 || status === 429 || status === 503 ? [retryAfter] : []),
    ...(status < 429 ? [] : [shouldRetry]),
  ];
}

export const OPENAI_RESPONSES: OpenapiObject = {
  ChatCompletion: {
    description: 'The run ended, or was stopped by its flow.',
    headers: named(HEADERS_OF_RUNS),
    content: {
      ...json(ref('schemas', 'ChatCompletion')),
      ...eventStream('With `"stream": true`: chunks, and `[DONE]` or an error, last.'),
    },
  },
  Response: {
    description: 'The run ended, or was stopped by its flow.',
    headers: named(HEADERS_OF_RUNS),
    content: {
      ...json(ref('schemas', 'Response')),
      ...eventStream(
        'With `"stream": true`: events, of which `response.completed`, `.incomplete` or `.failed` is the last.',
      ),
    },
  },
  Embeddings: {
    description: 'A vector for each text, in their order.',
    headers: named(HEADERS_OF_RUNS.filter((name) => name !== stream)),
    content: json(ref('schemas', 'EmbeddingList')),
  },
  Models: { description: 'The models of the base URL.', content: json({ type: 'object' }) },
  ...errorsOf('OpenaiError', STATUSES, (status) => ({
    headers: named([requestId, ...errorHeaders(status)]),
    content: json(ref('schemas', 'OpenaiError')),
  })),
};
