// Many inputs in several calls: all or none, in order, and with an account of what was used.
import { describe, expect, it } from 'vitest';
import { embedInCalls } from '../../../adapters/providers/embedding-calls.ts';
import { type EmbeddingRequest, ProviderFailure } from '../../../core/ports/providers.ts';

const signal = new AbortController().signal;
const INPUTS = Array.from({ length: 10 }, (_, index) => `t${index}`);
const REQUEST: EmbeddingRequest = { model: 'm', inputs: INPUTS, dimensions: 2, signal };
const vectorOf = (input: unknown) => [Number(String(input).slice(1)) + 1, 1];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('inputs of several calls', () => {
  it('come back in their order, whichever call ends first, at most four at once', async () => {
    let [open, most] = [0, 0];
    const sizes: number[] = [];
    const made = await embedInCalls(REQUEST, 2, async ({ inputs }) => {
      open += 1;
      most = Math.max(most, open);
      sizes.push(inputs.length);
      await pause(inputs[0] === 't0' ? 20 : 1);
      open -= 1;
      return { vectors: inputs.map(vectorOf), tokensInput: 3, modelVersion: 'm-1' };
    });
    expect(made).toEqual({ vectors: INPUTS.map(vectorOf), tokensInput: 15, modelVersion: 'm-1' });
    expect(most).toBe(4);
    expect(sizes).toEqual([2, 2, 2, 2, 2]);
  });

  it('are one call where they fit, which is passed on as it is', async () => {
    const seen: EmbeddingRequest[] = [];
    await embedInCalls(REQUEST, 10, async (request) => {
      seen.push(request);
      return { vectors: request.inputs.map(vectorOf), tokensInput: 1 };
    });
    expect(seen).toEqual([REQUEST]);
  });

  it('have no count of tokens where one call has none', async () => {
    const made = await embedInCalls(REQUEST, 5, async ({ inputs }) => ({
      vectors: inputs.map(vectorOf),
      tokensInput: inputs.includes('t0') ? undefined : 4,
    }));
    expect(made.tokensInput).toBeUndefined();
  });

  it('are rejected where calls make vectors of different lengths', async () => {
    const lengths = embedInCalls(REQUEST, 5, async ({ inputs }) => ({
      vectors: inputs.map((input) => (inputs.includes('t0') ? [1] : vectorOf(input))),
      tokensInput: 1,
    }));
    await expect(lengths).rejects.toMatchObject({ kind: 'malformed_answer' });
  });

  it('end with the first failure: the rest is aborted, none begins, and used tokens are named', async () => {
    const begun: string[] = [];
    let aborted = 0;
    const failing = embedInCalls(REQUEST, 1, async ({ inputs, signal: own }) => {
      const [input] = inputs.map(String);
      begun.push(String(input));
      if (input === 't0') return { vectors: [[1, 1]], tokensInput: 5 };
      if (input === 't3') {
        await pause(5);
        throw new ProviderFailure('rate_limited', { status: 429, retryAfterMs: 2_000 });
      }
      own.addEventListener('abort', () => {
        aborted += 1;
      });
      return new Promise(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({
      kind: 'rate_limited',
      status: 429,
      retryAfterMs: 2_000,
      // 5 as reported by t0, and two bytes and 64 tokens for each of t1, t2 and t4, which were under way.
      usage: { input: 5 + 3 * 66, output: 0 },
    });
    expect(begun).toEqual(['t0', 't1', 't2', 't3', 't4']);
    expect(aborted).toBe(3);
    await pause(2);
    expect(begun).toHaveLength(5);
  });
});
