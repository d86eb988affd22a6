// Every error has one shape: status, code, text, and what tells a caller when to come back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../../core/contract/error-codes.ts';
import { EXPOSED_HEADERS } from '../../../../core/contract/headers.ts';
import { ServiceError, toServiceError } from '../../../../core/contract/service-error.ts';
import { retryAfterSeconds } from '../../../../core/surfaces/headers.ts';
import { renderError } from '../../../../core/surfaces/native/errors.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

describe('an error', () => {
  it('is JSON with text, status, code and execution id', () => {
    expect(renderError('invalid_input', { executionId: 'exec-1' })).toEqual({
      status: 422,
      headers: {
        'Content-Type': 'application/json',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
        'X-Execution-Id': 'exec-1',
      },
      body: '{"error":"Send the text as \\"input\\", a string: {\\"input\\":\\"text\\"}, or a conversation as \\"messages\\".","statusCode":422,"code":"invalid_input","executionId":"exec-1"}',
    });
  });

  it('leaves the execution id out where none is known', () => {
    const answer = renderError('internal', {});
    expect(JSON.parse(answer.body)).not.toHaveProperty('executionId');
    expect(answer.headers).not.toHaveProperty('X-Execution-Id');
  });

  it('says how to authenticate with a 401', () => {
    expect(renderError('unauthorized', {}).headers['WWW-Authenticate']).toBe('Bearer');
    expect(renderError('access_closed', {}).headers).not.toHaveProperty('WWW-Authenticate');
  });

  it.each(CODES)('%s has the same status in the line and in the body, and a text for the caller', (code) => {
    const answer = renderError(code, { retryAfterMs: 1500 });
    const body = JSON.parse(answer.body) as Record<string, unknown>;
    expect(body['statusCode']).toBe(answer.status);
    expect(body['code']).toBe(code);
    expect(body['error']).toMatch(/^["A-Z].*\.$/);
  });

  it.each(CODES)(
    '%s says when to come back in the header and in the body alike, with 409, 429 and 503 only, but for a value that stays',
    (code) => {
      const answer = renderError(code, { retryAfterMs: 1500 });
      const body = JSON.parse(answer.body) as Record<string, unknown>;
      const passes = [409, 429, 503].includes(answer.status) && code !== 'feedback_exists';
      const expected = passes ? 2 : undefined;
      expect(body['retryAfter']).toBe(expected);
      expect(answer.headers['Retry-After']).toBe(expected === undefined ? undefined : '2');
    },
  );

  it('lets a browser read every header that it may want to', () => {
    const names = ['unauthorized', 'rate_limited'].flatMap((code) =>
      Object.keys(renderError(code as ErrorCode, { executionId: 'e' }).headers),
    );
    for (const name of ['X-Execution-Id', 'Retry-After', 'WWW-Authenticate']) {
      expect(names).toContain(name);
      expect(EXPOSED_HEADERS).toContain(name);
    }
  });
});

describe('Retry-After', () => {
  it.each([
    [undefined, 1],
    [0, 1],
    [-5_000, 1],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [59_999, 60],
    [3_600_000, 3600],
  ])('makes %s ms into %s s: whole, rounded up, at least 1', (milliseconds, seconds) => {
    expect(retryAfterSeconds(milliseconds)).toBe(seconds);
  });

  it('never ends before the block does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * 86_400_000 }), (milliseconds) => {
        const seconds = retryAfterSeconds(milliseconds);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds * 1000).toBeGreaterThanOrEqual(milliseconds);
        expect(seconds * 1000 - milliseconds).toBeLessThanOrEqual(1000);
      }),
    );
  });
});

describe('a thrown value', () => {
  it('stays the refusal that it is', () => {
    const rejection = new ServiceError('organization_paused', {
      retryAfterMs: 60_000,
      reason: 'for the operator',
    });
    expect(toServiceError(rejection)).toBe(rejection);
  });

  it.each([new Error('table neuron-config is throttled'), 'text', undefined, null, { code: 'not_found' }])(
    'of any other kind becomes internal, and nothing of it reaches the caller: %s',
    (thrown) => {
      const rejection = toServiceError(thrown);
      expect(rejection.code).toBe('internal');
      expect(rejection.cause).toBe(thrown);
      expect(renderError(rejection.code, { executionId: 'e' }).body).toBe(
        '{"error":"Internal error. Give the execution id to the operator.","statusCode":500,"code":"internal","executionId":"e"}',
      );
    },
  );
});
