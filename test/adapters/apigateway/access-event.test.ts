// What access control learns of a request.
import { describe, expect, it } from 'vitest';
import { executionIdOf, receivedAtMs, toAccessRequest } from '../../../adapters/apigateway/access-event.ts';
import { authorizerEvent } from './events.ts';

const NOW_MS = 1_795_264_200_123;

describe('the request of an authorizer event', () => {
  it('has the slugs, the address of the peer, the time and every header that access control reads', () => {
    const headers = {
      Referer: ['https://a.example/', 'https://b.example/'],
      oRIGIN: ['https://a.example', 'null'],
      authorization: ['Bearer t'],
    };
    expect(toAccessRequest(authorizerEvent({ headers }), NOW_MS)).toEqual({
      organization: 'acme',
      neuron: 'hello',
      sourceIp: '203.0.113.7',
      referers: ['https://a.example/', 'https://b.example/'],
      origins: ['https://a.example', 'null'],
      authorizations: ['Bearer t'],
      timeMs: 1_795_264_200_000,
    });
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP'])(
    'never takes the address from %s, which is text of the caller',
    (name) => {
      const request = toAccessRequest(authorizerEvent({ headers: { [name]: ['198.51.100.1'] } }), NOW_MS);
      expect(request.sourceIp).toBe('203.0.113.7');
    },
  );

  it.each([
    [{ 'X-API-Key': ['k'] }, ['Bearer k']],
    [{ 'x-api-key': ['k'], authorization: ['Bearer k'] }, ['Bearer k']],
    [{ 'x-api-key': ['other'], authorization: ['Bearer k'] }, ['Bearer k', 'Bearer other']],
    [{ 'x-api-key': ['k', 'other'] }, ['Bearer k', 'Bearer other']],
    [{ 'x-api-key': ['k'], authorization: ['bearer k'] }, ['bearer k', 'Bearer k']],
  ])('has the key of %j on the routes of Messages alone', (headers, expected) => {
    const event = authorizerEvent({ headers });
    const resource = '/v1/{organization}/{neuron}/v1/messages';
    expect(toAccessRequest({ ...event, resource }, NOW_MS).authorizations).toEqual(expected);
    const others = toAccessRequest(event, NOW_MS).authorizations;
    expect(others).toEqual('authorization' in headers ? headers.authorization : []);
  });

  it.each([
    ['/v1/{organization}/v1/messages', {}, true],
    ['/v1/{organization}/v1/models', {}, true],
    ['/v1/{organization}/models/{model+}', { 'anthropic-version': ['2023-06-01'] }, true],
    ['/v1/{organization}/models', {}, false],
    ['/v1/{organization}/chat/completions', { 'anthropic-version': ['2023-06-01'] }, false],
  ])('on %s with %j a key in a header of its own counts: %s', (resource, headers, counts) => {
    const event = authorizerEvent({ headers: { ...headers, 'x-api-key': ['k'] } });
    expect(toAccessRequest({ ...event, resource }, NOW_MS).authorizations).toEqual(
      counts ? ['Bearer k'] : [],
    );
  });

  it('names nothing when the path has no parameters', () => {
    expect(toAccessRequest(authorizerEvent({ path: null }), NOW_MS)).toMatchObject({
      organization: '',
      neuron: '',
    });
    expect(toAccessRequest(authorizerEvent({ path: { organization: 'acme' } }), NOW_MS)).toMatchObject({
      neuron: '',
    });
  });
});

describe('members that an event lacks', () => {
  it('leave the address unknown, and the headers unknown or those of the other map', () => {
    const lacking = (...without: string[]) =>
      toAccessRequest(
        authorizerEvent({
          headers: { referer: ['https://a.example/'], authorization: ['Bearer t'] },
          without,
        }),
        NOW_MS,
      );
    expect(lacking('requestContext.identity').sourceIp).toBeUndefined();
    expect(lacking('multiValueHeaders')).toMatchObject({
      referers: ['https://a.example/'],
      authorizations: ['Bearer t'],
    });
    expect(lacking('multiValueHeaders', 'headers')).toMatchObject({
      referers: undefined,
      authorizations: [],
    });
  });
});

describe('the time of a request', () => {
  it("is API Gateway's, and the clock's where that is missing or no time in milliseconds", () => {
    expect(receivedAtMs({ requestTimeEpoch: 1_795_264_200_000 }, NOW_MS)).toBe(1_795_264_200_000);
    expect(receivedAtMs({ requestTimeEpoch: 1e12 }, NOW_MS)).toBe(1e12);
    for (const requestTimeEpoch of [
      undefined,
      null,
      '1795264200000',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      0,
      -1,
      // In seconds, as some emulators send it: every expired token would be valid.
      1_795_264_200,
      1e12 - 1,
      1_795_264_200_000.5,
    ]) {
      expect(receivedAtMs({ requestTimeEpoch }, NOW_MS)).toBe(NOW_MS);
    }
    expect(receivedAtMs(undefined, NOW_MS)).toBe(NOW_MS);
    expect(
      toAccessRequest(authorizerEvent({ without: ['requestContext.requestTimeEpoch'] }), NOW_MS).timeMs,
    ).toBe(NOW_MS);
  });
});

describe('the execution id', () => {
  it('is the extended request id, which a caller cannot choose', () => {
    expect(executionIdOf({ requestId: 'chosen', extendedRequestId: 'ext-1' })).toBe('ext-1');
  });

  it('is the request id only where there is no other', () => {
    expect(executionIdOf({ requestId: 'chosen' })).toBe('chosen');
    expect(executionIdOf({ requestId: 'chosen', extendedRequestId: undefined })).toBe('chosen');
  });

  it('is random where the gateway sends none, so that two entries of one millisecond have two keys', () => {
    expect(executionIdOf({})).toMatch(/^[0-9a-f-]{36}$/);
    expect(executionIdOf({})).not.toBe(executionIdOf({}));
  });
});
