// The response headers in the OpenAPI document, and the forms that its parts share.
import { RESPONSE_HEADERS } from '../../core/contract/headers.ts';
import { EVENT_STREAM } from '../../core/surfaces/event-stream.ts';

export type OpenapiObject = { readonly [member: string]: unknown };

export function ref(kind: string, name: string): OpenapiObject {
  return { $ref: `#/components/${kind}/${name}` };
}

export function named(names: readonly string[]): OpenapiObject {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}

/** The schema of an object. `required`: names of members. */
export function object(
  required: readonly string[],
  properties: OpenapiObject,
  description?: string,
): OpenapiObject {
  return { type: 'object', required, ...(description === undefined ? {} : { description }), properties };
}

export const json = (schema: OpenapiObject): OpenapiObject => ({ 'application/json': { schema } });

export const eventStream = (description: string): OpenapiObject => ({
  [EVENT_STREAM]: { schema: { type: 'string', description } },
});

/** The fields of a foreign interface, each with how it is treated. */
export function fieldsOf(fields: Readonly<Record<string, string>>): OpenapiObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, treatment]) => [name, { description: treatment }]),
  );
}

/** A response for each status, named after it. */
export function errorsOf(
  name: string,
  statuses: Readonly<Record<number, string>>,
  toResponse: (status: number) => OpenapiObject,
): OpenapiObject {
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      `${name}${status}`,
      { description, ...toResponse(Number(status)) },
    ]),
  );
}

const header = (description: string, schema: OpenapiObject = { type: 'string' }): OpenapiObject => ({
  description,
  schema,
});

export const HEADERS = {
  [RESPONSE_HEADERS.executionId]: header('Names the run in the log.'),
  [RESPONSE_HEADERS.cache]: header(
    'What the cache did. `exact` and `semantic` are told to callers with a receipt only.',
    {
      type: 'string',
      enum: ['hit', 'exact', 'semantic', 'miss', 'bypass', 'off'],
    },
  ),
  [RESPONSE_HEADERS.executionStopped]: header('Whether the run ended before its time.', { type: 'boolean' }),
  [RESPONSE_HEADERS.stream]: header(
    'Of a stream: whether the text comes as the model writes it, or at once.',
    { type: 'string', enum: ['live', 'whole'] },
  ),
  [RESPONSE_HEADERS.cost]: header(
    'Cost in millionths of a US dollar; to callers with an API key, or where the neuron says so.',
    { type: 'integer' },
  ),
  [RESPONSE_HEADERS.tokensInput]: header('Tokens that were sent to models.', { type: 'integer' }),
  [RESPONSE_HEADERS.tokensOutput]: header('Tokens that models made.', { type: 'integer' }),
  [RESPONSE_HEADERS.rateLimitPolicy]: header(
    'The limit with the least room: `"NAME";q=LIMIT;w=SECONDS`, with `;qu="tokens"` where it counts tokens (draft-ietf-httpapi-ratelimit-headers). Absent without a limit.',
  ),
  [RESPONSE_HEADERS.rateLimit]: header(
    'What is left of it: `"NAME";r=REMAINING;t=SECONDS` until the limit counts anew.',
  ),
  [RESPONSE_HEADERS.retryAfter]: header('Whole seconds until the block ends.', {
    type: 'integer',
    minimum: 1,
  }),
  [RESPONSE_HEADERS.idempotencyReplayed]: header(
    '`true` on an answer that was given before, to the same request with the same idempotency key.',
    { type: 'boolean' },
  ),
  [RESPONSE_HEADERS.requestId]: header('The execution id, as OpenAI clients read it; on their routes.'),
  [RESPONSE_HEADERS.anthropicRequestId]: header(
    "The execution id, as Anthropic's clients read it; on their routes.",
  ),
  [RESPONSE_HEADERS.leftOut]: header(
    'Members of the request that were left out since they change nothing, by their names, separated by commas.',
  ),
  [RESPONSE_HEADERS.shouldRetry]: header(
    '`false` where OpenAI clients are not to call again; on their routes.',
  ),
  [RESPONSE_HEADERS.feedbackToken]: header(
    'By which feedback names this answer; of a neuron that takes feedback.',
  ),
  [RESPONSE_HEADERS.wwwAuthenticate]: header('`Bearer` (RFC 6750).'),
};
