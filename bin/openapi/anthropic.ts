// Anthropic's Messages in the OpenAPI document: what of them is taken. The whole of it is Anthropic's own document.
import { RESPONSE_HEADERS } from '../../core/contract/headers.ts';
import type { Route } from '../../core/contract/routes.ts';
import { MESSAGE_FIELDS } from '../../core/surfaces/anthropic/fields.ts';
import { named, type OpenapiObject, ref } from './headers.ts';
import { errorHeaders, HEADERS_OF_RUNS, json, STATUSES } from './openai.ts';

const TOO_LARGE = { 413: 'The conversation is longer than the neuron allows.' } as const;
const ALL_STATUSES: Readonly<Record<number, string>> = {
  ...STATUSES,
  ...TOO_LARGE,
  400: 'A field is not taken: the message begins with its path.',
  429: 'A limit is exceeded. `billing_error` where it will not pass within a minute.',
};

/** One of the routes of Messages. */
export function anthropicOperation(route: Route): OpenapiObject {
  return {
    operationId: route.name,
    tags: ['anthropic'],
    summary: 'Runs the deployed version for a client of Messages',
    security: [{}, { bearer: [] }, { anthropicKey: [] }],
    parameters: [...route.pathParameters, 'idempotencyKey'].map((name) => ref('parameters', name)),
    requestBody: { required: true, content: json(ref('schemas', 'AnthropicRequest')) },
    responses: {
      '200': ref('responses', 'AnthropicMessage'),
      ...Object.fromEntries(
        Object.keys(ALL_STATUSES).map((status) => [status, ref('responses', `AnthropicError${status}`)]),
      ),
    },
  };
}

export const ANTHROPIC_SCHEMAS: OpenapiObject = {
  AnthropicRequest: {
    type: 'object',
    required: ['model', 'max_tokens', 'messages'],
    description: 'Fields that are not listed are left out.',
    properties: Object.fromEntries(
      Object.entries(MESSAGE_FIELDS.fields).map(([name, treatment]) => [name, { description: treatment }]),
    ),
  },
  AnthropicMessage: {
    type: 'object',
    required: ['id', 'type', 'role', 'model', 'content', 'stop_reason', 'usage'],
    properties: {
      id: { type: 'string' },
      type: { const: 'message' },
      role: { const: 'assistant' },
      model: { type: 'string', description: 'As the request named it.' },
      content: { type: 'array', items: { type: 'object' } },
      stop_reason: { enum: ['end_turn', 'max_tokens', 'tool_use', 'refusal'] },
      usage: { type: 'object' },
    },
  },
  AnthropicError: {
    type: 'object',
    required: ['type', 'error'],
    properties: {
      type: { const: 'error' },
      error: {
        type: 'object',
        required: ['type', 'message'],
        properties: { type: { type: 'string' }, message: { type: 'string' } },
      },
      request_id: { type: ['string', 'null'] },
    },
  },
};

const { requestId, anthropicRequestId } = RESPONSE_HEADERS;

export const ANTHROPIC_RESPONSES: OpenapiObject = {
  AnthropicMessage: {
    description: 'The run ended, or was stopped by its flow.',
    headers: named([anthropicRequestId, ...HEADERS_OF_RUNS.filter((name) => name !== requestId)]),
    content: {
      ...json(ref('schemas', 'AnthropicMessage')),
      'text/event-stream': {
        schema: {
          type: 'string',
          description: 'With `"stream": true`: events, of which `message_stop` or `error` is the last.',
        },
      },
    },
  },
  ...Object.fromEntries(
    Object.entries(ALL_STATUSES).map(([status, description]) => [
      `AnthropicError${status}`,
      {
        description,
        headers: named([anthropicRequestId, ...errorHeaders(Number(status))]),
        content: json(ref('schemas', 'AnthropicError')),
      },
    ]),
  ),
};
