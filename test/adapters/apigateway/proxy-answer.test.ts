// An answer as a proxy integration returns it.
import { describe, expect, it } from 'vitest';
import { toProxyResult } from '../../../adapters/apigateway/proxy-answer.ts';

describe('the result of an answer', () => {
  it('has its status, its headers in an object that may be changed, and its body as text', () => {
    const headers = Object.freeze({ 'X-Cache': 'off' });
    const result = toProxyResult({ status: 422, headers, body: '{}' });
    expect(result).toEqual({ statusCode: 422, headers: { 'X-Cache': 'off' }, body: '{}' });
    // CORS headers are added to it later.
    expect(Object.isFrozen(result.headers)).toBe(false);
  });
});
