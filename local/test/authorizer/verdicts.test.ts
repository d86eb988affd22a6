// The answers when an authorizer allows, denies or fails. Expected: API Gateway Developer Guide, "Use API Gateway Lambda
// authorizers" and "Gateway response types"; which type a failure has is partly assumed (see local/authorizer).
import { describe, expect, it } from 'vitest';
import {
  AUTHORIZED,
  apiResource,
  authorizer,
  buffered,
  gatewayResponse,
  lambdaFunction,
  method,
  restApi,
  runApi,
  show,
  stage,
} from '../fixtures/http-template.ts';

const api = await runApi([
  lambdaFunction('answer', 'index.answer'),
  lambdaFunction('authorize', 'index.authorize'),
  restApi(),
  stage(),
  authorizer('authorize'),
  apiResource('guarded', 'root', 'guarded'),
  method('guarded', 'POST', buffered('answer'), AUTHORIZED),
  gatewayResponse('UNAUTHORIZED', {
    ResponseParameters: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
  }),
  gatewayResponse('ACCESS_DENIED', {
    ResponseTemplates: { 'application/json': '{"why":"$context.authorizer.why"}' },
  }),
]);

const { post } = api;

describe('the result of the authorizer', () => {
  const ask = async (verdict: unknown) => {
    const response = await post('/guarded', { body: 'in' }, { 'x-verdict': JSON.stringify(verdict) });
    return { answer: await show(response), headers: response.headers };
  };

  it.each([
    ['allows', {}, '200 in'],
    ['allows by a wildcard', { resource: 'arn:aws:execute-api:*:*:api/test/*' }, '200 in'],
    ['denies', { effect: 'Deny', context: { why: 'because' } }, '403 {"why":"because"}'],
    ['allows something else', { resource: 'arn:aws:execute-api:*:*:api/test/GET/*' }, '403 {"why":""}'],
    ['throws Unauthorized', { throws: 'Unauthorized' }, '401 {"message":"Unauthorized"}'],
    ['throws it in another case', { throws: 'unauthorized' }, '500 {"message":null}'],
    ['throws anything else', { throws: 'Unauthorized ' }, '500 {"message":null}'],
    ['dies', { exit: 1 }, '500 {"message":null}'],
    ['is no policy', { output: { principalId: 'x' } }, '500 {"message":null}'],
    ['is null', { output: null }, '500 {"message":null}'],
    ['has an object in its context', { context: { a: {} } }, '500 {"message":null}'],
  ])('%s', async (_name, verdict, expected) => {
    expect((await ask(verdict)).answer).toBe(expected);
  });

  it('has the error type in a header, and an unmapped WWW-Authenticate header', async () => {
    expect((await ask({ throws: 'x' })).headers.get('x-amzn-errortype')).toBe('AuthorizerFailureException');
    expect((await ask({ output: 1 })).headers.get('x-amzn-errortype')).toBe(
      'AuthorizerConfigurationException',
    );
    expect((await ask({ throws: 'Unauthorized' })).headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is requested for every request, never cached', async () => {
    expect((await ask({})).answer).toBe('200 in');
    expect((await ask({ effect: 'Deny' })).answer).toMatch(/^403/);
    expect((await ask({})).answer).toBe('200 in');
  });
});

describe('many callers', () => {
  it('pass one authorizer with two processes, each with its own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 32 }, async (_, index) => show(await post('/guarded', { body: `n${index}` }))),
    );
    expect(answers).toEqual(Array.from({ length: 32 }, (_, index) => `200 n${index}`));
  });
});
