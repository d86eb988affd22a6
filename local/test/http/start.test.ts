// The start: a taken port, a template that cannot be run, and only the routes of the template.
import { describe, expect, it } from 'vitest';
import { readRestApi } from '../../http/api.ts';
import { SUPPORTED_TYPES } from '../../resources/supported-types.ts';
import type { ResolvedResource } from '../../template/types.ts';
import {
  AUTHORIZED,
  apiResource,
  authorizer,
  buffered,
  gatewayResponse,
  invocationUri,
  lambdaFunction,
  method,
  restApi,
  runApi,
  stage,
  streaming,
} from '../fixtures/http-template.ts';
import { resource, stackOf } from '../support/resources.ts';

const BASE = [lambdaFunction('event', 'index.event'), restApi(), stage(), apiResource('a', 'root', 'a')];
const METHOD = method('a', 'GET', buffered('event'));
const read = (resources: readonly ResolvedResource[], name?: string) => readRestApi(stackOf(resources), name);

describe('the port', () => {
  it('fails with a clear error when it is in use', async () => {
    const { port } = await runApi([...BASE, METHOD]);
    const second = runApi([...BASE, METHOD], { port });
    await expect(second).rejects.toMatchObject({ code: 'PORT_TAKEN' });
    await expect(second).rejects.toThrow(`Port ${port} is in use by another program.`);
  });

  it('is free again after the stop', async () => {
    const first = await runApi([...BASE, METHOD]);
    await first.stop();
    expect((await runApi([...BASE, METHOD], { port: first.port })).port).toBe(first.port);
  });
});

describe('what is removed from the template', () => {
  it.each([
    ['a method', METHOD, 403],
    ['a gateway response', gatewayResponse('MISSING_AUTHENTICATION_TOKEN', { StatusCode: '404' }), 403],
  ])('is gone: %s', async (_name, taken, status) => {
    const custom = gatewayResponse('MISSING_AUTHENTICATION_TOKEN', { StatusCode: '404' });
    const whole = [...BASE, METHOD, custom];
    const path = taken === METHOD ? '/a' : '/other';
    const before = await runApi(whole);
    expect((await fetch(`${before.url}${path}`)).status).toBe(taken === METHOD ? 200 : 404);
    const after = await runApi(
      whole.filter(({ logicalId, type }) => logicalId !== taken.logicalId || type !== taken.type),
    );
    expect((await fetch(`${after.url}${path}`)).status).toBe(taken === METHOD ? 404 : status);
  });
});

describe('the stage', () => {
  const two = [
    ...BASE,
    METHOD,
    resource('AWS::ApiGateway::Stage', 'other', { RestApiId: 'api', StageName: 'live' }),
  ];

  it('is the one that is named, else the first', () => {
    expect(read(two).stage).toBe('test');
    expect(read(two, 'live').stage).toBe('live');
    expect(() => read(two, 'absent')).toThrow('there are: test, live');
  });
});

describe('a template', () => {
  const secured = [
    lambdaFunction('authorize', 'index.authorize'),
    method('a', 'GET', buffered('event'), AUTHORIZED),
  ];

  it.each<[string, readonly ResolvedResource[], string]>([
    ['without an API', [lambdaFunction('event', 'index.event')], 'has 0 REST APIs'],
    ['without a stage', [restApi()], 'no stage'],
    ['with an OpenAPI body', [restApi({ Body: {} }), stage()], 'OpenAPI'],
    ['with an HTTP integration', [...BASE, method('a', 'GET', { Type: 'HTTP_PROXY' })], 'HTTP_PROXY'],
    [
      'with IAM authorization',
      [...BASE, method('a', 'GET', buffered('event'), { AuthorizationType: 'AWS_IAM' })],
      'AWS_IAM',
    ],
    ['with API keys', [...BASE, method('a', 'GET', buffered('event'), { ApiKeyRequired: true })], 'API keys'],
    [
      'that calls Lambda with GET',
      [...BASE, method('a', 'GET', buffered('event', { IntegrationHttpMethod: 'GET' }))],
      'must be POST',
    ],
    [
      'that streams from the buffered address',
      [...BASE, method('a', 'GET', streaming('event', { Uri: invocationUri('event') }))],
      'STREAM',
    ],
    [
      'whose integration names no function',
      [...BASE, method('a', 'GET', buffered('event', { Uri: 'arn:x' }))],
      'names no function',
    ],
    ['without the authorizer that a method names', [...BASE, ...secured], 'names no authorizer'],
    [
      'with a cached authorizer',
      [...BASE, ...secured, authorizer('authorize', { AuthorizerResultTtlInSeconds: 60 })],
      'only 0 (no cache)',
    ],
    [
      'with an authorizer of AWS’s default cache',
      [...BASE, ...secured, authorizer('authorize', { AuthorizerResultTtlInSeconds: undefined })],
      'is 300',
    ],
    [
      'with an identity source',
      [...BASE, ...secured, authorizer('authorize', { IdentitySource: 'method.request.header.A' })],
      'IdentitySource',
    ],
    [
      'with a token authorizer',
      [...BASE, ...secured, authorizer('authorize', { Type: 'TOKEN' })],
      'Type TOKEN',
    ],
    [
      'whose resources are their own parents',
      [...BASE, apiResource('b', 'b', 'b'), method('b', 'GET', { Type: 'MOCK' })],
      'own parents',
    ],
  ])('is refused: %s', (_name, resources, text) => {
    expect(() => read(resources)).toThrow(text);
    expect(() => read(resources)).toThrow(expect.objectContaining({ code: 'TEMPLATE_NOT_SUPPORTED' }));
  });

  it('is refused when it names an unknown function', async () => {
    await expect(runApi([...BASE, method('a', 'GET', buffered('absent'))])).rejects.toThrow('GET /a needs');
  });

  it('may leave the identity source empty', () => {
    expect(read([...BASE, ...secured, authorizer('authorize', { IdentitySource: '' })]).methods).toHaveLength(
      1,
    );
  });

  it('has the paths of its resources, the limits of its stage and the timeouts of its integrations', () => {
    const settings = [
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 5, ThrottlingBurstLimit: '10' },
      { HttpMethod: 'POST', ResourcePath: '/a/~1{b}', ThrottlingRateLimit: -1 },
      { HttpMethod: 'POST', ResourcePath: '/~1a~1{b}', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
    ];
    const api = read([
      lambdaFunction('event', 'index.event'),
      restApi(),
      stage({ MethodSettings: settings }),
      apiResource('a', 'root', 'a'),
      apiResource('b', 'a', '{b}'),
      METHOD,
      method('root', 'GET', buffered('event', { TimeoutInMillis: '100' })),
      method('b', 'POST', streaming('event')),
    ]);
    expect(api.arn).toBe('arn:aws:execute-api:eu-west-1:123456789012:api/test');
    expect(
      api.methods.map(({ resource: { resourcePath }, httpMethod, throttle, integration }) => [
        httpMethod,
        resourcePath,
        throttle.rateLimit,
        throttle.burstLimit,
        integration.kind === 'proxy' && integration.proxy.timeoutMs,
      ]),
    ).toEqual([
      ['GET', '/a', 5, 10, 29_000],
      ['GET', '/', 5, 10, 100],
      ['POST', '/a/{b}', 1, 2, 60_000],
    ]);
  });
});

describe('the lists of properties', () => {
  const known = (type: string) => {
    const { supported = [], ignored = {} } = SUPPORTED_TYPES[type] ?? {};
    return [...supported, ...Object.keys(ignored)];
  };

  it('leave out what is refused at start: caches of answers, validators, TLS to integrations, canaries', () => {
    expect(known('AWS::ApiGateway::Stage')).not.toContain('MethodSettings.CachingEnabled');
    expect(known('AWS::ApiGateway::Stage')).not.toContain('CanarySetting');
    expect(known('AWS::ApiGateway::Method')).not.toContain('Integration.TlsConfig');
    expect(known('AWS::ApiGateway::Method')).not.toContain('RequestValidatorId');
    expect(known('AWS::ApiGateway::RestApi')).not.toContain('Body');
  });
});

describe('the stop', () => {
  it('finishes requests in progress, and accepts no other', async () => {
    const api = await runApi([
      lambdaFunction('slow', 'index.slow'),
      ...BASE.slice(1),
      method('a', 'POST', buffered('slow')),
    ]);
    const call = () => fetch(`${api.url}/a`, { method: 'POST', body: '{"waitMs":800,"text":"whole"}' });
    await (await call()).text();
    const under = call();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stopped = api.server.stop(2_000);
    expect(await (await under).text()).toBe('whole');
    await stopped;
    await expect(call()).rejects.toThrow();
  });
});
