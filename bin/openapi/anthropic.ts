// Anthropic's Messages in the OpenAPI document: what of them is taken. The whole of it is Anthropic's own document.
import { RESPONSE_HEADERS } from '../../core/contract/headers.ts';
import type { Route } from '../../core/contract/routes.ts';
import { MESSAGE_FIELDS } from '../../core/surfaces/anthropic/fields.ts';
import { errorsOf, eventStream, fieldsOf, json, named, type OpenapiObject, object, ref } from './headers.ts';
import { errorHeaders, HEADERS_OF_RUNS, OF_RUNS, STATUSES } from './openai.ts';

const TOO_LARGE = { 413: 'The conversation is longer than the neuron allows.' } as const;
const ALL_STATUSES: Readonly<Record<number, string>> = {
  ...STATUSES,
  ...TOO_LARGE,
  400: 'A field is not taken: the message begins with its path.',
  429: 'A limit is exceeded. `billing_error` where it will not pass within a minute.',
};

/** Routes that count the tokens of a request. */
const COUNTS: ReadonlySet<Route['operation']> = new Set<Route['operation']>([
  'countTokens',
  'countTokensBelowV1',
]);

const SUMMARIES: Readonly<Partial<Record<Route['operation'], string>>> = {
  listModelsBelowV1: "Lists the models of the base URL in Anthropic's form",
  countTokens: 'Counts the tokens that a message would send, at most',
  countTokensBelowV1: 'Counts the tokens that a message would send, at most',
  retrieveModelBelowV1: "Describes a model in Anthropic's form",
};

function summaryOf({ base, operation }: Route): string {
  const run = base === 'organization' ? 'the neuron that `model` names' : 'the deployed version';
  return SUMMARIES[operation] ?? `Runs ${run} for a client of Messages`;
}

/** One route of Anthropic's interface. */
export function anthropicOperation(route: Route): OpenapiObject {
  const isRun = route.method === 'POST';
  const isCount = COUNTS.has(route.operation);
  const statuses = Object.keys(ALL_STATUSES).filter(
    (status) => (isRun || !(OF_RUNS.has(status) || status in TOO_LARGE)) && !(isCount && status === '409'),
  );
  return {
    operationId: route.name,
    tags: ['anthropic'],
    summary: summaryOf(route),
    // The URL of an organization takes API keys only.
    security: [...(route.base === 'organization' ? [] : [{}]), { bearer: [] }, { anthropicKey: [] }],
    parameters: [...route.pathParameters, ...(isRun && !isCount ? ['idempotencyKey'] : [])].map((name) =>
      ref('parameters', name),
    ),
    ...(isRun
      ? {
          requestBody: {
            required: true,
            content: json(ref('schemas', isCount ? 'AnthropicCountRequest' : 'AnthropicRequest')),
          },
        }
      : {}),
    responses: {
      '200': ref('responses', isCount ? 'TokenCount' : isRun ? 'AnthropicMessage' : 'Models'),
      ...Object.fromEntries(statuses.map((status) => [status, ref('responses', `AnthropicError${status}`)])),
    },
  };
}

export const ANTHROPIC_SCHEMAS: OpenapiObject = {
  AnthropicCountRequest: object(
    ['model', 'messages'],
    { model: { type: 'string' }, messages: { type: 'array', items: { type: 'object' } } },
    'A request for a message. `max_tokens` may be left out.',
  ),
  TokenCount: object(['input_tokens'], { input_tokens: { type: 'integer', minimum: 0 } }),
  AnthropicRequest: object(
    ['model', 'max_tokens', 'messages'],
    fieldsOf(MESSAGE_FIELDS.fields),
    'Fields that are not listed are left out.',
  ),
  AnthropicMessage: object(['id', 'type', 'role', 'model', 'content', 'stop_reason', 'usage'], {
    id: { type: 'string' },
    type: { const: 'message' },
    role: { const: 'assistant' },
    model: { type: 'string', description: 'As the request named it.' },
    content: { type: 'array', items: { type: 'object' } },
    stop_reason: { enum: ['end_turn', 'max_tokens', 'tool_use', 'refusal'] },
    usage: { type: 'object' },
  }),
  AnthropicError: object(['type', 'error'], {
    type: { const: 'error' },
    error: object(['type', 'message'], { type: { type: 'string' }, message: { type: 'string' } }),
    request_id: { type: ['string', 'null'] },
  }),
};

const { requestId, anthropicRequestId } = RESPONSE_HEADERS;

export const ANTHROPIC_RESPONSES: OpenapiObject = {
  TokenCount: {
    description: 'The tokens of the input, at most.',
    headers: named([RESPONSE_HEADERS.executionId, anthropicRequestId]),
    content: json(ref('schemas', 'TokenCount')),
  },
  AnthropicMessage: {
    description: 'The run ended, or was stopped by its flow.',
    headers: named([anthropicRequestId, ...HEADERS_OF_RUNS.filter((name) => name !== requestId)]),
    content: {
      ...json(ref('schemas', 'AnthropicMessage')),
      ...eventStream('With `"stream": true`: events, of which `message_stop` or `error` is the last.'),
    },
  },
  ...errorsOf('AnthropicError', ALL_STATUSES, (status) => ({
    headers: named([anthropicRequestId, ...errorHeaders(status)]),
    content: json(ref('schemas', 'AnthropicError')),
  })),
};
