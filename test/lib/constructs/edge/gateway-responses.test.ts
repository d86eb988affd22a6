// Gateway responses: the types that AWS documents, each with our shape, CORS and headers.
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../../core/contract/error-codes.ts';
import { resourcesOf, synthesize } from '../../synthesized.ts';

const { api } = synthesize('dev');
const responses = resourcesOf(api, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => ({
  type: Properties['ResponseType'] as string,
  status: Properties['StatusCode'] as string,
  headers: Properties['ResponseParameters'] as Record<string, string>,
  templates: Properties['ResponseTemplates'] as Record<string, string>,
}));

/** docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html; no validator knows these names. */
const EXPECTED = [
  ['ACCESS_DENIED', '403', 'access_closed'],
  ['API_CONFIGURATION_ERROR', '500', 'internal'],
  ['AUTHORIZER_CONFIGURATION_ERROR', '503', 'overloaded'],
  ['AUTHORIZER_FAILURE', '503', 'overloaded'],
  ['BAD_REQUEST_BODY', '400', 'malformed_body'],
  ['BAD_REQUEST_PARAMETERS', '422', 'invalid_parameter'],
  ['DEFAULT_4XX', '400', 'malformed_body'],
  ['DEFAULT_5XX', '500', 'internal'],
  ['EXPIRED_TOKEN', '404', 'route_not_found'],
  ['INTEGRATION_FAILURE', '503', 'overloaded'],
  ['INTEGRATION_TIMEOUT', '503', 'deadline_exceeded'],
  ['INVALID_API_KEY', '401', 'unauthorized'],
  ['INVALID_SIGNATURE', '404', 'route_not_found'],
  ['MISSING_AUTHENTICATION_TOKEN', '404', 'route_not_found'],
  ['QUOTA_EXCEEDED', '429', 'throttled'],
  ['REQUEST_TOO_LARGE', '422', 'input_too_large'],
  ['RESOURCE_NOT_FOUND', '404', 'route_not_found'],
  ['THROTTLED', '429', 'throttled'],
  ['UNAUTHORIZED', '401', 'unauthorized'],
  ['UNSUPPORTED_MEDIA_TYPE', '404', 'route_not_found'],
  ['WAF_FILTERED', '403', 'ip_not_allowed'],
] as const;

describe('gateway responses', () => {
  it('exist for every type that AWS documents, with a status and a code', () => {
    const found = responses.map(({ type, status, templates }) => [
      type,
      status,
      JSON.parse(templates['application/json']!).code,
    ]);
    expect(found.toSorted()).toEqual([...EXPECTED].toSorted());
  });

  it.each(responses)('have the error shape of the service: $type', ({ status, templates }) => {
    expect(Object.keys(templates)).toEqual(['application/json']);
    const body = JSON.parse(templates['application/json']!);
    const waits = status === '429' || status === '503';
    expect(body).toEqual({
      error: expect.stringMatching(/^\S/),
      statusCode: Number(status),
      code: expect.stringMatching(/^\S/),
      executionId: '$context.extendedRequestId',
      ...(waits ? { retryAfter: 1 } : {}),
    });
  });

  it.each(responses)('have CORS headers and no-store: $type', ({ headers }) => {
    expect(headers).toMatchObject({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Execution-Id': 'context.extendedRequestId',
    });
    const exposed = headers['gatewayresponse.header.Access-Control-Expose-Headers'];
    expect(exposed).toMatch(/^'.*\bX-Execution-Id\b.*\bRetry-After\b.*\bWWW-Authenticate\b.*'$/);
  });

  it.each(responses)(
    'have Retry-After and WWW-Authenticate where the status asks for them: $type',
    (response) => {
      const { status, headers } = response;
      const waits = status === '429' || status === '503';
      expect(headers['gatewayresponse.header.Retry-After']).toBe(waits ? "'1'" : undefined);
      expect(headers['gatewayresponse.header.WWW-Authenticate']).toBe(
        status === '401' ? "'Bearer'" : undefined,
      );
    },
  );

  it.each(responses)('insert nothing but the execution id: $type', ({ templates }) => {
    const inserted = templates['application/json']!.match(/\$[a-zA-Z.]+/g) ?? [];
    expect(inserted).toEqual(['$context.extendedRequestId']);
  });

  it.each(['', '$context.extendedRequestId', 'JJkw+Abc/Foo='])(
    'are whole with an execution id that is filled in as %j',
    (id) => {
      for (const { status, templates } of responses) {
        const body = JSON.parse(templates['application/json']!.replace('$context.extendedRequestId', id));
        const code = body.code as ErrorCode;
        expect(body).toMatchObject({
          error: ERROR_CODES[code].text,
          statusCode: Number(status),
          executionId: id,
        });
      }
    },
  );
});
