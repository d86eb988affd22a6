// The event of a REQUEST authorizer, and the context that it passes on. Expected: API Gateway Developer Guide, "Input to an API Gateway
// Lambda authorizer" and "Output from an API Gateway Lambda authorizer".
import { describe, expect, it } from 'vitest';
import {
  AUTHORIZED,
  apiResource,
  authorizer,
  buffered,
  lambdaFunction,
  method,
  restApi,
  runApi,
  stage,
} from '../fixtures/http-template.ts';

interface Event {
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
  requestContext: Record<string, unknown> & { authorizer: Record<string, unknown> };
  [name: string]: unknown;
}

const api = await runApi([
  lambdaFunction('event', 'index.event'),
  lambdaFunction('authorize', 'index.authorize'),
  restApi(),
  stage({ Variables: { colour: 'blue' } }),
  authorizer('authorize'),
  apiResource('proxy', 'root', '{proxy+}'),
  method('proxy', 'ANY', buffered('event'), AUTHORIZED),
]);

const call = async (path: string, options: RequestInit = {}) =>
  (await (await fetch(`${api.url}${path}`, options)).json()) as Event;

describe('the event of a REQUEST authorizer', () => {
  it('has all members of the documented form', async () => {
    const answer = await call('/some/path?a=1', { method: 'POST', headers: { 'x-a': 'b' }, body: 'x' });
    const event = JSON.parse(String(answer.requestContext.authorizer['event'])) as Event;
    const { headers, multiValueHeaders, requestContext, ...rest } = event;
    expect(rest).toEqual({
      type: 'REQUEST',
      methodArn: 'arn:aws:execute-api:eu-west-1:123456789012:api/test/POST/some/path',
      resource: '/{proxy+}',
      path: '/some/path',
      httpMethod: 'POST',
      queryStringParameters: { a: '1' },
      multiValueQueryStringParameters: { a: ['1'] },
      pathParameters: { proxy: 'some/path' },
      stageVariables: { colour: 'blue' },
    });
    expect(headers['x-a']).toBe('b');
    expect(multiValueHeaders['x-a']).toEqual(['b']);
    expect(requestContext).toMatchObject({
      path: '/test/some/path',
      resourcePath: '/{proxy+}',
      httpMethod: 'POST',
      identity: { sourceIp: '127.0.0.1' },
    });
    const { authorizer: context, ...same } = answer.requestContext;
    expect(same).toEqual(requestContext);
    expect(context).toMatchObject({
      principalId: 'caller',
      integrationLatency: expect.any(Number) as number,
    });
  });

  it('has empty maps where the proxy event has null', async () => {
    const answer = await call('/x');
    const event = JSON.parse(String(answer.requestContext.authorizer['event'])) as Event;
    expect(event).toMatchObject({ queryStringParameters: {}, multiValueQueryStringParameters: {} });
  });

  it('passes its context on as text', async () => {
    const context = { text: 'ü', number: 1.5, yes: true };
    const answer = await call('/x', {
      headers: { 'x-verdict': JSON.stringify({ context, principalId: 'me' }).replace('ü', '\\u00fc') },
    });
    expect(answer.requestContext.authorizer).toMatchObject({
      text: 'ü',
      number: '1.5',
      yes: 'true',
      principalId: 'me',
    });
  });
});
