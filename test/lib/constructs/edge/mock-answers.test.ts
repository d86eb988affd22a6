// What API Gateway answers without a function: preflight, and 404 for whatever is no route.
import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../../synthesized.ts';

interface MockIntegration {
  readonly Type: string;
  readonly PassthroughBehavior: string;
  readonly RequestTemplates: Readonly<Record<string, string>>;
  readonly IntegrationResponses: readonly [
    {
      readonly StatusCode: string;
      readonly ResponseParameters: Readonly<Record<string, string>>;
      readonly ResponseTemplates?: Readonly<Record<string, string>>;
    },
  ];
}

const mocks = resourcesOf(synthesize('dev').api, 'AWS::ApiGateway::Method')
  .map(([id, { Properties }]) => ({
    id,
    method: Properties['HttpMethod'],
    integration: Properties['Integration'] as MockIntegration,
    declared: Properties['MethodResponses'] as [{ StatusCode: string; ResponseParameters: object }],
  }))
  .filter(({ integration }) => integration.Type === 'MOCK');

const ROUTES_BELOW =
  'POST chat/completions, POST embeddings, POST responses, POST messages, POST v1/messages, ' +
  'POST messages/count_tokens, POST v1/messages/count_tokens, ' +
  'GET models, GET models/{model}, GET v1/models and GET v1/models/{model}';
const UNKNOWN_URL =
  'Unknown URL. The base URLs /v1/{organization} and /v1/{organization}/{neuron} have ' +
  `${ROUTES_BELOW}; use Chat Completions: POST chat/completions.`;

const isProtocol = ({ id }: { readonly id: string }) => id.includes('organizationmcp');

it('the URL of the Model Context Protocol has no other method, which its clients try', () => {
  const [mock] = mocks.filter((one) => one.method === 'ANY' && isProtocol(one));
  const [answer] = mock!.integration.IntegrationResponses;
  expect(answer.StatusCode).toBe('405');
  expect(answer.ResponseParameters).toMatchObject({ 'method.response.header.Allow': "'POST, OPTIONS'" });
  expect(answer.ResponseTemplates).toBeUndefined();
});

describe.each(mocks.filter((one) => one.method === 'ANY' && !isProtocol(one)))(
  'an unknown route ($id)',
  ({ id, integration }) => {
    const [answer] = integration.IntegrationResponses;

    it('gets 404 in the error shape of the service', () => {
      expect(JSON.parse(integration.RequestTemplates['application/json']!)).toEqual({ statusCode: 404 });
      expect(answer.StatusCode).toBe('404');
      expect(JSON.parse(answer.ResponseTemplates?.['application/json'] ?? '')).toEqual(
        id.startsWith('ApiRestApiv1')
          ? {
              error: {
                message: UNKNOWN_URL,
                type: 'invalid_request_error',
                param: null,
                code: 'unknown_url',
              },
            }
          : {
              error: 'Route not found. Call POST /{organization}/{neuron}.',
              statusCode: 404,
              code: 'route_not_found',
              executionId: '$context.extendedRequestId',
            },
      );
    });

    it('gets CORS headers and no-store', () => {
      expect(answer.ResponseParameters).toMatchObject({
        'method.response.header.Access-Control-Allow-Origin': "'*'",
        'method.response.header.Access-Control-Expose-Headers': expect.stringContaining('X-Execution-Id'),
        'method.response.header.X-Content-Type-Options': "'nosniff'",
        'method.response.header.Cache-Control': "'no-store'",
        'method.response.header.X-Execution-Id': 'context.extendedRequestId',
      });
    });
  },
);

describe.each(mocks.filter(({ method }) => method === 'OPTIONS'))(
  'a preflight ($id)',
  ({ id, integration }) => {
    it('gets 204 and allows the methods and headers of callers for two hours', () => {
      const [answer] = integration.IntegrationResponses;
      expect(answer.StatusCode).toBe('204');
      expect(answer.ResponseTemplates).toBeUndefined();
      expect(answer.ResponseParameters).toEqual({
        'method.response.header.Access-Control-Allow-Origin': "'*'",
        'method.response.header.Access-Control-Allow-Methods': /v1organization(?:neuron)?(?:v1)?models/.test(
          id,
        )
          ? "'GET,OPTIONS'"
          : "'POST,OPTIONS'",
        'method.response.header.Access-Control-Allow-Headers': expect.stringMatching(
          /^'Authorization,Content-Type,X-Preview-Key,Idempotency-Key,OpenAI-Organization,OpenAI-Project,(X-Stainless-[A-Za-z-]+,){13}X-Api-Key,(Anthropic-[A-Za-z-]+,){3}\*'$/,
        ),
        'method.response.header.Access-Control-Max-Age': "'7200'",
      });
    });
  },
);

describe('MOCK responses', () => {
  it('are 37 404s, one at each depth, a 405 and 26 preflights', () => {
    expect(mocks).toHaveLength(64);
  });

  it.each(mocks)('ignore the request body ($id)', ({ integration }) => {
    // Otherwise a body of another type than JSON reaches the MOCK, whose status it could choose.
    expect(integration.PassthroughBehavior).toBe('NEVER');
    expect(integration.RequestTemplates['application/json']).toMatch(/^\{"statusCode":(?:404|405|204)\}$/);
  });

  it.each(mocks)('declare every header that they send ($id)', ({ integration, declared }) => {
    const [answer] = integration.IntegrationResponses;
    const sent = Object.keys(answer.ResponseParameters).map((name) => [name, true]);
    expect(declared).toEqual([
      { StatusCode: answer.StatusCode, ResponseParameters: Object.fromEntries(sent) },
    ]);
  });
});
