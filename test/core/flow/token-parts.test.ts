// The parts of a call's tokens, over its attempts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addParts, createUsageTotals, partsOf } from '../../../core/flow/usage-totals.ts';
import type { ModelResult } from '../../../core/ports/providers.ts';

const count = fc.option(fc.nat(2_000), { nil: undefined });

describe('the parts of tokens', () => {
  it('are as reported, and absent where they are 0', () => {
    expect(
      partsOf({ input: 9, output: 5, cachedInput: 4, cacheWrite: 3, cacheWrite1h: 2, reasoning: 1 }),
    ).toEqual({
      tokensCacheRead: 4,
      tokensCacheWrite: 3,
      tokensCacheWrite1h: 2,
      tokensReasoning: 1,
    });
    expect(partsOf({ input: 9, output: 5, cachedInput: 0, reasoning: 0 })).toEqual({});
  });

  it('are never more than their whole, whatever a provider reports', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), count, count, count, count, (input, output, ...reported) => {
        const [cachedInput = 0, cacheWrite = 0, cacheWrite1h = 0, reasoning = 0] = reported;
        const parts = partsOf({ input, output, cachedInput, cacheWrite, cacheWrite1h, reasoning });
        const {
          tokensCacheRead = 0,
          tokensCacheWrite = 0,
          tokensCacheWrite1h = 0,
          tokensReasoning = 0,
        } = parts;
        expect(tokensCacheRead + tokensCacheWrite + tokensCacheWrite1h).toBe(
          Math.min(input, cachedInput + cacheWrite + cacheWrite1h),
        );
        expect(tokensReasoning).toBe(Math.min(output, reasoning));
      }),
    );
  });

  it('add up over attempts', () => {
    expect(
      addParts({ tokensCacheRead: 1, tokensReasoning: 2 }, { tokensCacheRead: 3, tokensCacheWrite: 4 }),
    ).toEqual({ tokensCacheRead: 4, tokensCacheWrite: 4, tokensReasoning: 2 });
  });

  it('say nothing of an attempt whose usage is an estimate', () => {
    const system = [{ text: 'Be brief.', cache: { ttl: '5m' as const } }];
    const totals = createUsageTotals({ system, messages: [], maxTokens: 10 }, () => 1);
    const answer: ModelResult = { text: '', finish: 'stop', usage: undefined, modelVersion: undefined };
    totals.answered(answer);
    expect(totals.totals()).toMatchObject({ estimated: true });
    expect(Object.keys(totals.totals())).not.toContain('tokensCacheWrite');
    totals.answered({ ...answer, usage: { input: 9, output: 1, cacheWrite: 5 } });
    expect(totals.totals()).toMatchObject({ estimated: true, tokensCacheWrite: 5 });
  });
});
