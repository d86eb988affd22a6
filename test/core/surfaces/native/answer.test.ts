// The answer of a run: body, headers, and what a receipt adds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXPOSED_HEADERS } from '../../../../core/contract/headers.ts';
import type { CacheResult } from '../../../../core/contract/log-entry.ts';
import { renderAnswer } from '../../../../core/surfaces/native/answer.ts';
import { anyText } from '../../../support/any-text.ts';

const run = { output: 'Hello', executionStopped: false, cache: 'miss' } as const;
const plain = { executionId: 'exec-1', rawOutput: false };
const receipt = { costMicrodollars: 17, tokensInput: 3, tokensOutput: 5 };

/** Readable by every page without being exposed (Fetch standard, CORS-safelisted response-header names), or of no use to one. */
const NEEDS_NO_EXPOSURE = ['Content-Type', 'Cache-Control', 'X-Content-Type-Options'];

describe('the answer of a run', () => {
  it('is JSON with the three members, and the fixed headers', () => {
    expect(renderAnswer(run, plain)).toEqual({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
        'X-Execution-Id': 'exec-1',
        'X-Cache': 'miss',
        'X-Execution-Stopped': 'false',
      },
      body: '{"output":"Hello","fromCache":false,"executionStopped":false}',
    });
  });

  it('is the output and nothing else in raw mode', () => {
    const answer = renderAnswer(run, { executionId: 'exec-1', rawOutput: true });
    expect(answer.body).toBe('Hello');
    expect(answer.headers['Content-Type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['X-Execution-Id']).toBe('exec-1');
  });

  it('leaves the output out when a run was stopped without one, and is empty in raw mode', () => {
    const stopped = { output: undefined, executionStopped: true, cache: 'off' } as const;
    expect(renderAnswer(stopped, plain).body).toBe('{"fromCache":false,"executionStopped":true}');
    expect(renderAnswer(stopped, plain).headers['X-Execution-Stopped']).toBe('true');
    expect(renderAnswer(stopped, { ...plain, rawOutput: true }).body).toBe('');
  });

  it('keeps an empty output', () => {
    expect(renderAnswer({ ...run, output: '' }, plain).body).toBe(
      '{"output":"","fromCache":false,"executionStopped":false}',
    );
  });

  it.each([
    ['exact', true, 'hit', 'exact'],
    ['semantic', true, 'hit', 'semantic'],
    ['miss', false, 'miss', 'miss'],
    ['bypass', false, 'bypass', 'bypass'],
    ['off', false, 'off', 'off'],
  ] as const)(
    'says of the cache result %s: fromCache %s, X-Cache %s, and %s with a receipt',
    (cache, fromCache, header, full) => {
      const without = renderAnswer({ ...run, cache }, plain);
      expect(JSON.parse(without.body)).toMatchObject({ fromCache });
      expect(without.headers['X-Cache']).toBe(header);
      expect(renderAnswer({ ...run, cache }, { ...plain, receipt }).headers['X-Cache']).toBe(full);
    },
  );

  it('shows cost and tokens with a receipt only', () => {
    expect(renderAnswer(run, { ...plain, receipt }).headers).toMatchObject({
      'X-Cost-Microdollars': '17',
      'X-Tokens-Input': '3',
      'X-Tokens-Output': '5',
    });
    const shown = Object.keys(renderAnswer(run, plain).headers);
    expect(shown.filter((name) => /cost|token/i.test(name))).toEqual([]);
  });

  it('shows no cost when a price is unknown, rather than zero', () => {
    const unknown = { ...receipt, costMicrodollars: undefined };
    expect(renderAnswer(run, { ...plain, receipt: unknown }).headers).not.toHaveProperty(
      'X-Cost-Microdollars',
    );
    const free = { ...receipt, costMicrodollars: 0 };
    expect(renderAnswer(run, { ...plain, receipt: free }).headers).toHaveProperty('X-Cost-Microdollars', '0');
  });

  it('lets a browser read every header that it may want to', () => {
    const { headers } = renderAnswer(run, { ...plain, receipt });
    const hidden = Object.keys(headers).filter((name) => !EXPOSED_HEADERS.includes(name));
    expect(hidden.toSorted()).toEqual(NEEDS_NO_EXPOSURE.toSorted());
  });

  it('reads back as what was rendered, for any output', () => {
    const results = fc.record({
      output: fc.option(anyText(20), { nil: undefined }),
      executionStopped: fc.boolean(),
      cache: fc.constantFrom<CacheResult>('exact', 'semantic', 'miss', 'bypass', 'off'),
    });
    fc.assert(
      fc.property(results, (result) => {
        const body = JSON.parse(renderAnswer(result, plain).body) as Record<string, unknown>;
        expect(body['output']).toBe(result.output);
        expect(body['executionStopped']).toBe(result.executionStopped);
        expect(renderAnswer(result, { ...plain, rawOutput: true }).body).toBe(result.output ?? '');
      }),
    );
  });
});
