// Answers that API Gateway makes by itself. Expected: API Gateway Developer Guide, "Gateway response types", "Gateway
// responses" and "x-amazon-apigateway-gateway-responses".
import { describe, expect, it } from 'vitest';
import { createGatewayResponses, type GatewayError } from '../../gateway-responses/index.ts';
import type { Variables } from '../../gateway-responses/substitution.ts';
import { gatewayResponse } from '../fixtures/http-template.ts';

const variables: Variables = {
  context: (path) => ({ requestId: 'r-1', 'authorizer.reason': 'because' })[path.join('.')],
  stageVariable: (name) => (name === 'colour' ? 'blue' : undefined),
  requestParameter: (place, name) => (place === 'header' && name === 'Accept' ? 'text/plain' : undefined),
};

function render(
  error: GatewayError,
  resources: Parameters<typeof createGatewayResponses>[0] = [],
  accept?: string,
) {
  return createGatewayResponses(resources)(error, variables, accept);
}

describe('without a customisation', () => {
  it.each([
    [
      'ACCESS_DENIED',
      403,
      '{"Message":"User is not authorized to access this resource"}',
      'AccessDeniedException',
    ],
    ['API_CONFIGURATION_ERROR', 500, '{"message":"Internal server error"}', 'ApiConfigurationException'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 500, '{"message":null}', 'AuthorizerConfigurationException'],
    ['AUTHORIZER_FAILURE', 500, '{"message":null}', 'AuthorizerFailureException'],
    ['INTEGRATION_FAILURE', 504, '{"message":"Internal server error"}', 'InternalServerErrorException'],
    ['INTEGRATION_TIMEOUT', 504, '{"message":"Endpoint request timed out"}', 'InternalServerErrorException'],
    [
      'MISSING_AUTHENTICATION_TOKEN',
      403,
      '{"message":"Missing Authentication Token"}',
      'MissingAuthenticationTokenException',
    ],
    ['REQUEST_TOO_LARGE', 413, '{"message":"Request Too Long"}', 'RequestTooLargeException'],
    ['THROTTLED', 429, '{"message":"Too Many Requests"}', 'TooManyRequestsException'],
    ['UNAUTHORIZED', 401, '{"message":"Unauthorized"}', 'UnauthorizedException'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, '{"message":"Unsupported Media Type"}', 'BadRequestException'],
  ] as const)('%s answers %i', (type, status, body, errorType) => {
    expect(render({ type })).toEqual({
      status,
      body,
      headers: [
        ['x-amzn-ErrorType', errorType],
        ['Content-Type', 'application/json'],
      ],
    });
  });
});

describe('a customised type', () => {
  it('has its status, its headers and its body with variables inserted unescaped', () => {
    const custom = gatewayResponse('THROTTLED', {
      StatusCode: '420',
      ResponseParameters: {
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
        'gatewayresponse.header.X-Request': 'context.requestId',
        'gatewayresponse.header.X-Accept': 'method.request.header.Accept',
        'gatewayresponse.header.X-Colour': 'stageVariables.colour',
        'gatewayresponse.header.X-Missing': 'method.request.header.absent',
      },
      ResponseTemplates: {
        'application/json':
          '{"m":$context.error.messageString,"t":"$context.error.responseType","w":"$context.authorizer.reason","id":"$context.requestId.","c":"$stageVariables.colour","a":"$method.request.header.Accept","x":"$context.nothing.here","p":"$5 $context $contextual"}',
      },
    });
    expect(render({ type: 'THROTTLED' }, [custom])).toEqual({
      status: 420,
      headers: [
        ['x-amzn-ErrorType', 'TooManyRequestsException'],
        ['Access-Control-Allow-Origin', '*'],
        ['X-Request', 'r-1'],
        ['X-Accept', 'text/plain'],
        ['X-Colour', 'blue'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"m":"Too Many Requests","t":"THROTTLED","w":"because","id":"r-1.","c":"blue","a":"text/plain","x":"","p":"$5 $context $contextual"}',
    });
  });

  it('escapes no variable', () => {
    const custom = gatewayResponse('UNAUTHORIZED', {
      ResponseTemplates: { 'application/json': '{"a":"$context.x"}' },
    });
    const answer = createGatewayResponses([custom])(
      { type: 'UNAUTHORIZED' },
      { ...variables, context: () => 'a"b\\' },
      undefined,
    );
    expect(answer.body).toBe('{"a":"a"b\\"}');
  });

  it('uses the template for the Accept header, else the JSON one, else the first', () => {
    const templates = { 'text/plain': 'text', 'application/json': '{}' };
    const custom = [gatewayResponse('UNAUTHORIZED', { ResponseTemplates: templates })];
    const bodyFor = (accept?: string) => render({ type: 'UNAUTHORIZED' }, custom, accept).body;
    expect(bodyFor('text/plain;q=1, */*')).toBe('text');
    expect(bodyFor('text/html')).toBe('{}');
    expect(bodyFor()).toBe('{}');
    const first = [gatewayResponse('UNAUTHORIZED', { ResponseTemplates: { 'text/plain': 'text' } })];
    expect(render({ type: 'UNAUTHORIZED' }, first).headers).toContainEqual(['Content-Type', 'text/plain']);
  });

  it('keeps the default body and status that it does not set', () => {
    const custom = gatewayResponse('UNAUTHORIZED', {
      ResponseParameters: { 'gatewayresponse.header.X': "'y'" },
    });
    expect(render({ type: 'UNAUTHORIZED' }, [custom])).toMatchObject({
      status: 401,
      body: '{"message":"Unauthorized"}',
    });
  });
});

describe('DEFAULT_4XX and DEFAULT_5XX', () => {
  const fallbacks = [
    gatewayResponse('DEFAULT_4XX', { ResponseTemplates: { 'application/json': 'four' } }),
    gatewayResponse('DEFAULT_5XX', { StatusCode: '500', ResponseTemplates: { 'application/json': 'five' } }),
    gatewayResponse('INTEGRATION_TIMEOUT', { ResponseTemplates: { 'application/json': 'timeout' } }),
    gatewayResponse('AUTHORIZER_FAILURE', { StatusCode: '503' }),
  ];

  it.each([
    ['a type of their class', { type: 'THROTTLED' }, 429, 'four'],
    ['an error without a type', { type: 'DEFAULT_5XX', status: 502 }, 500, 'five'],
    [
      'a type that has its own template, with the status of the class',
      { type: 'INTEGRATION_TIMEOUT' },
      500,
      'timeout',
    ],
    ['a type that has its own status', { type: 'AUTHORIZER_FAILURE' }, 503, '{"message":null}'],
  ] as const)('stand in for %s', (_name, error, status, body) => {
    expect(render(error, fallbacks)).toMatchObject({ status, body });
  });

  it('do not change 413, which AWS does not let customise', () => {
    const custom = [...fallbacks, gatewayResponse('REQUEST_TOO_LARGE', { StatusCode: '400' })];
    expect(render({ type: 'REQUEST_TOO_LARGE' }, custom)).toMatchObject({
      status: 413,
      body: '{"message":"Request Too Long"}',
    });
  });
});

describe('at start', () => {
  it.each([
    ['an unknown type', gatewayResponse('NOT_A_TYPE'), 'NOT_A_TYPE'],
    [
      'a mapping to something else than a header',
      gatewayResponse('THROTTLED', { ResponseParameters: { 'gatewayresponse.path.x': "'a'" } }),
      'gatewayresponse.path.x',
    ],
    [
      'an expression that is none',
      gatewayResponse('THROTTLED', { ResponseParameters: { 'gatewayresponse.header.x': '*' } }),
      'is not supported',
    ],
  ])('refuses %s', (_name, resource, text) => {
    expect(() => createGatewayResponses([resource])).toThrow(text);
  });
});
