// What the execution function learns of a request; reading it never throws.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOf, toExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { anyText } from '../../support/any-text.ts';
import { proxyEvent } from './events.ts';

const NOW_MS = 1_795_264_200_123;

describe('the request of a proxy event', () => {
  it('has ids, path, query, body and the host of the page it came from', () => {
    const event = proxyEvent({
      path: { organization: 'acme', neuron: 'hello', revision: 'v2' },
      headers: {
        referer: ['https://App.Example.com:8443/page?token=secret#x'],
        'x-preview-key': ['one'],
        'IDEMPOTENCY-KEY': ['order 1', 'order-2'],
      },
      query: { rawOutput: ['true'], bypassCache: ['1', '0'], key: ['two'], other: ['ignored'] },
      body: '{"input":"Hello"}',
      authorizer: { outcome: 'not_found', principalId: 'caller' },
    });
    expect(toExecutionRequest(event, NOW_MS)).toEqual({
      executionId: 'ext-1',
      timeMs: 1_795_264_200_000,
      organization: 'acme',
      neuron: 'hello',
      revision: 'v2',
      previewKeys: ['one', 'two'],
      idempotencyKeys: ['order 1', 'order-2'],
      sourceIp: '203.0.113.7',
      refererHost: 'app.example.com',
      surface: 'native',
      unparsed: { body: '{"input":"Hello"}', bypassCache: ['1', '0'], rawOutput: ['true'], accept: [] },
      authorizerContext: { outcome: 'not_found' },
    });
  });

  it('has the trace of the caller where it sent one valid traceparent', () => {
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const requestOf = (...traceparent: string[]) =>
      toExecutionRequest(proxyEvent({ headers: { TraceParent: traceparent } }), NOW_MS);
    expect(requestOf(trace).traceparent).toBe(trace);
    expect('traceparent' in requestOf(trace, trace)).toBe(false);
    expect('traceparent' in requestOf('00-x')).toBe(false);
  });

  it('has no revision and no body where the caller sent none', () => {
    const request = toExecutionRequest(proxyEvent(), NOW_MS);
    expect(request.revision).toBeUndefined();
    expect(request.unparsed).toEqual({ body: undefined, bypassCache: [], rawOutput: [], accept: [] });
    expect(request.authorizerContext).toBeUndefined();
  });

  it.each([
    ['/{organization}/{neuron}', 'native', undefined],
    ['/v1/{organization}/{neuron}/chat/completions', 'openai', undefined],
    ['/v1/{organization}/{neuron}/responses', 'responses', undefined],
    ['/v1/{organization}/{neuron}/v1/messages', 'anthropic', undefined],
    ['/v1/{organization}/{neuron}/models', 'openai', { id: undefined }],
    ['/v1/{organization}/{neuron}/models/{model+}', 'openai', { id: 'acme/hello' }],
    ['/somewhere/else', 'native', undefined],
  ])('is of the surface of its resource: %s', (resource, surface, models) => {
    const pathParameters = { organization: 'acme', neuron: 'hello', model: 'acme%2Fhello' };
    const withoutModel = { organization: 'acme', neuron: 'hello' };
    const event = {
      ...proxyEvent(),
      resource,
      pathParameters: resource.includes('model+') ? pathParameters : withoutModel,
    };
    expect(toExecutionRequest(event, NOW_MS)).toMatchObject({
      surface,
      ...(models === undefined ? {} : { models }),
    });
    expect('models' in toExecutionRequest(event, NOW_MS)).toBe(models !== undefined);
  });

  it.each([
    ['/v1/{organization}/{neuron}/messages/count_tokens', true],
    ['/v1/{organization}/{neuron}/v1/messages/count_tokens', true],
    ['/v1/{organization}/v1/messages/count_tokens', true],
    ['/v1/{organization}/{neuron}/v1/messages', undefined],
    ['/v1/{organization}/{neuron}/v1/models', undefined],
  ])('asks for a count of tokens by its resource alone: %s', (resource, countsTokens) => {
    const event = { ...proxyEvent(), resource };
    expect(toExecutionRequest(event, NOW_MS).countsTokens).toBe(countsTokens);
  });

  it.each([
    ['/v1/{organization}/chat/completions', 'openai'],
    ['/v1/{organization}/embeddings', 'embeddings'],
    ['/v1/{organization}/responses', 'responses'],
    ['/v1/{organization}/v1/messages', 'anthropic'],
  ])('has what access is decided by on the URL of an organization: %s', (resource, surface) => {
    const event = { ...proxyEvent(), resource, pathParameters: { organization: 'acme' } };
    expect(toExecutionRequest(event, NOW_MS)).toMatchObject({
      surface,
      neuron: '',
      ofOrganization: { organization: 'acme', neuron: '' },
    });
    expect('ofOrganization' in toExecutionRequest(proxyEvent(), NOW_MS)).toBe(false);
  });

  it.each([
    ['/v1/{organization}/models', {}, 'openai'],
    ['/v1/{organization}/models', { 'Anthropic-Version': ['2023-06-01'] }, 'anthropic'],
    ['/v1/{organization}/v1/models', {}, 'anthropic'],
    ['/v1/{organization}/{neuron}/v1/models/{model+}', {}, 'anthropic'],
  ])('lists models in the form of its caller: %s with %j', (resource, headers, form) => {
    const event = { ...proxyEvent({ headers }), resource };
    expect(toExecutionRequest(event, NOW_MS)).toMatchObject({ surface: form, models: { form } });
  });

  it('runs a neuron on the surface of its path, whatever version a caller sends', () => {
    const headers = { 'anthropic-version': ['2023-06-01'] };
    const event = { ...proxyEvent({ headers }), resource: '/v1/{organization}/chat/completions' };
    expect(toExecutionRequest(event, NOW_MS).surface).toBe('openai');
  });

  it('decodes a body that API Gateway encoded as base64', () => {
    const body = Buffer.from('{"input":"Grüße"}').toString('base64');
    expect(toExecutionRequest(proxyEvent({ body, base64: true }), NOW_MS).unparsed.body).toBe(
      '{"input":"Grüße"}',
    );
    expect(toExecutionRequest(proxyEvent({ body: 'Zm9v' }), NOW_MS).unparsed.body).toBe('Zm9v');
  });

  it('takes the time from the clock, and headers and parameters from the other maps, where the event lacks its own', () => {
    const parts = {
      headers: { referer: ['https://app.example.com/'], 'x-preview-key': ['one'] },
      query: { rawOutput: ['true'], key: ['two'] },
      without: ['multiValueHeaders', 'multiValueQueryStringParameters', 'requestContext.requestTimeEpoch'],
    };
    expect(toExecutionRequest(proxyEvent(parts), NOW_MS)).toMatchObject({
      timeMs: NOW_MS,
      previewKeys: ['one', 'two'],
      refererHost: 'app.example.com',
      unparsed: { rawOutput: ['true'], bypassCache: [] },
    });
    const bare = { without: ['headers', 'multiValueHeaders', 'requestContext.identity', 'body'] };
    expect(toExecutionRequest(proxyEvent(bare), NOW_MS)).toMatchObject({
      previewKeys: [],
      sourceIp: '',
      refererHost: undefined,
      unparsed: { body: undefined },
    });
  });

  it('never throws, whatever a caller sent', () => {
    const texts = fc.dictionary(fc.string(), fc.array(fc.string(), { minLength: 1, maxLength: 3 }));
    const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const parts = fc.record({
      headers: some(texts),
      query: some(texts),
      path: some(fc.dictionary(fc.constantFrom('organization', 'neuron', 'revision', 'other'), fc.string())),
      body: some(anyText(20)),
      base64: fc.boolean(),
      authorizer: some(fc.dictionary(fc.constantFrom('outcome', 'organization', 'username'), fc.jsonValue())),
    });
    fc.assert(
      fc.property(parts, (event) => {
        const request = toExecutionRequest(proxyEvent(event), NOW_MS);
        expect(request.executionId).toBe('ext-1');
        expect(request.authorizerContext?.outcome).not.toBe('allow');
      }),
    );
  });
});

describe('the host of the Referer', () => {
  it.each([
    ['https://app.example.com/a/b?c=d', 'app.example.com'],
    ['http://EXAMPLE.com', 'example.com'],
    ['https://user:password@example.com/', 'example.com'],
    ['https://münchen.example/', 'xn--mnchen-3ya.example'],
    ['http://[2001:db8::1]:8080/', '[2001:db8::1]'],
  ])('of %s is %s', (referer, host) => {
    expect(hostOf([referer])).toBe(host);
  });

  it.each([
    [[]],
    [['not a URL']],
    [['']],
    [['about:blank']],
    [['data:text/plain,hello']],
    [['https://a.example', 'https://b.example']],
  ])('of %j is unknown', (referers) => {
    expect(hostOf(referers)).toBeUndefined();
  });

  it('is never longer than a host name may be', () => {
    expect(hostOf([`https://${'a'.repeat(5000)}.example/`])?.length ?? 0).toBeLessThanOrEqual(253);
  });
});
