// What access control learns of a request.
import { describe, expect, it } from 'vitest';
import { executionIdOf, toAccessRequest } from '../../../adapters/apigateway/authorizer-event.ts';
import { authorizerEvent } from './events.ts';

describe('the request of an authorizer event', () => {
  it('has the slugs, the address of the peer, the time and every header that access control reads', () => {
    const headers = {
      Referer: ['https://a.example/', 'https://b.example/'],
      oRIGIN: ['https://a.example', 'null'],
      authorization: ['Bearer t'],
    };
    expect(toAccessRequest(authorizerEvent({ headers }))).toEqual({
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
      const request = toAccessRequest(authorizerEvent({ headers: { [name]: ['198.51.100.1'] } }));
      expect(request.sourceIp).toBe('203.0.113.7');
    },
  );

  it('names nothing when the path has no parameters', () => {
    expect(toAccessRequest(authorizerEvent({ path: null }))).toMatchObject({ organization: '', neuron: '' });
    expect(toAccessRequest(authorizerEvent({ path: { organization: 'acme' } }))).toMatchObject({
      neuron: '',
    });
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
});
