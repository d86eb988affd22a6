// Header names and CORS, held against the contract.
import { describe, expect, it } from 'vitest';
import { CORS, EXPOSED_HEADERS, FIXED_HEADERS, RESPONSE_HEADERS } from '../../../core/contract/headers.ts';

describe('the headers', () => {
  it('exposed to a browser are all that the service makes but those of no use to a page', () => {
    const unexposed = Object.values(RESPONSE_HEADERS).filter((name) => !EXPOSED_HEADERS.includes(name));
    expect(unexposed.toSorted()).toEqual(['Cache-Control', 'X-Content-Type-Options']);
    expect(EXPOSED_HEADERS.filter((name) => !Object.values<string>(RESPONSE_HEADERS).includes(name))).toEqual(
      [],
    );
  });

  it('on every answer forbid guessing its type and keeping it', () => {
    expect(FIXED_HEADERS).toEqual({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  });

  it('are named once each, whatever their case', () => {
    const names = Object.values(RESPONSE_HEADERS).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(EXPOSED_HEADERS).size).toBe(EXPOSED_HEADERS.length);
  });

  it('allowed by preflight are every header, and those that * does not cover by name', () => {
    expect(CORS.allowOrigin).toBe('*');
    expect(CORS.allowMethods).toEqual(['POST', 'OPTIONS']);
    expect(CORS.allowHeaders).toEqual([
      'Authorization',
      'Content-Type',
      'X-Preview-Key',
      'Idempotency-Key',
      'OpenAI-Organization',
      'OpenAI-Project',
      ...[
        ...['Retry-Count', 'Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Timeout'],
        ...['Helper-Method', 'Async', 'Read-Timeout', 'Poll-Helper', 'Custom-Poll-Interval'],
      ].map((name) => `X-Stainless-${name}`),
      'X-Api-Key',
      'Anthropic-Version',
      'Anthropic-Beta',
      'Anthropic-Dangerous-Direct-Browser-Access',
      '*',
    ]);
    expect(CORS.maxAgeSeconds).toBe(7200);
    expect(CORS.exposeHeaders).toBe(EXPOSED_HEADERS);
  });
});
