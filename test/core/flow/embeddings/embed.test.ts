// The step `embed`: what is asked of which model, what is reserved and settled, and what comes of cached vectors.
import { describe, expect, it } from 'vitest';
import { type EmbeddingInput, NO_CONVERSATION } from '../../../../core/conversation/conversation.ts';
import { estimateFirstAttempt } from '../../../../core/flow/first-attempt.ts';
import { runFlow } from '../../../../core/flow/run.ts';
import type { Spending } from '../../../../core/limits/budget.ts';
import {
  type EmbeddingRequest,
  type Embeddings,
  type ModelProvider,
  ProviderFailure,
} from '../../../../core/ports/providers.ts';
import { flowSchema } from '../../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../../core/time/deadline.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { flowPorts } from '../flow-ports.ts';

const textless: ModelProvider = { generate: () => Promise.reject(new Error('asked for a text')) };
/** A vector of two numbers that tells texts apart. */
const vectorOf = (input: EmbeddingInput) => [input.length, 1];

interface Options {
  readonly step?: object;
  readonly inputs?: readonly EmbeddingInput[];
  readonly dimensions?: number;
  readonly cached?: readonly (Float32Array | undefined)[];
  readonly embed?: (request: EmbeddingRequest, call: number) => Promise<Embeddings>;
}

async function run({ step, inputs = ['a', 'né'], dimensions, cached = [], embed }: Options = {}) {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, 60_000);
  const flow = flowSchema.parse([{ embed: { provider: 'words', model: 'e', retries: 0, ...step } }]);
  const requests: EmbeddingRequest[] = [];
  const reserved: Spending[] = [];
  const settled: Spending[] = [];
  const embedding = {
    embed: async (request: EmbeddingRequest) => {
      requests.push(request);
      if (embed !== undefined) return embed(request, requests.length);
      return { vectors: request.inputs.map(vectorOf), tokensInput: 4, modelVersion: 'e-1' };
    },
  };
  const ports = flowPorts({
    clock,
    costOf: (_provider, _model, { input, output }) => input * 2 + output * 1_000,
    reserveAttempt: async (spending) => {
      reserved.push(spending);
      return { settle: (spent) => void settled.push(spent) };
    },
    findProvider: (name) =>
      name === 'texts'
        ? { provider: textless, timeoutMs: undefined }
        : { provider: textless, embedding, timeoutMs: undefined },
  });
  const wish = { inputs, isSingle: false, dimensions };
  const context = {
    ...{ conversation: NO_CONVERSATION, embedding: { wish, cached }, username: undefined },
    ...{ executionId: 'e', deadline },
  };
  const estimate = await estimateFirstAttempt(flow, context, ports);
  const result = await runFlow(flow, context, ports);
  deadline.end();
  return { result, requests, reserved, settled, estimate };
}

const vectorsOf = (result: Awaited<ReturnType<typeof run>>['result']) =>
  result.kind === 'done' ? result.vectors?.map((vector) => [...vector]) : undefined;

describe('the step embed', () => {
  it('makes the vectors of all texts by one call, which is reserved by its bytes and settled by its tokens', async () => {
    const { result, requests, reserved, settled, estimate } = await run();
    expect(vectorsOf(result)).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(requests).toEqual([
      {
        ...{ model: 'e', inputs: ['a', 'né'], dimensions: undefined, inputType: undefined },
        signal: expect.any(AbortSignal),
      },
    ]);
    // 1 + 3 bytes, and 64 for each text.
    expect(estimate).toEqual({ tokens: 132, costMicrodollars: 264 });
    expect(reserved).toEqual([{ tokens: 132, costMicrodollars: 264 }]);
    expect(settled).toEqual([{ tokens: 4, costMicrodollars: 8 }]);
    expect(result).toMatchObject({
      output: expect.stringMatching(/^2 vectors of 2 numbers, SHA-256 [0-9a-f]{64}$/),
      stopped: false,
      tokensInput: 4,
      tokensOutput: 0,
      costMicrodollars: 8,
      modelCalls: [{ provider: 'words', model: 'e', modelVersion: 'e-1', tokensInput: 4, attempts: 1 }],
      trace: [{ type: 'embed', input: '["a","né"]', decision: 'words/e; 0 of 2 from the cache' }],
    });
  });

  it('reserves the ids of tokens by their number', async () => {
    const { reserved } = await run({ inputs: [[100_000, 100_001, 100_002]] });
    expect(reserved).toEqual([{ tokens: 67, costMicrodollars: 134 }]);
  });

  it('settles its reservation where the provider counts no tokens', async () => {
    const { settled } = await run({
      embed: async ({ inputs }) => ({ vectors: inputs.map(vectorOf), tokensInput: undefined }),
    });
    expect(settled).toEqual([{ tokens: 132, costMicrodollars: 264 }]);
  });

  it('asks for the dimensions of the step, else of the caller, and for its input type', async () => {
    const step = { dimensions: 2, inputType: 'search_query' };
    expect((await run({ step })).requests[0]).toMatchObject(step);
    expect((await run({ dimensions: 2 })).requests[0]?.dimensions).toBe(2);
  });

  it('asks only for what is not cached, and puts all in order', async () => {
    const cached = [undefined, Float32Array.of(7, 7), undefined];
    const { result, requests, reserved } = await run({ inputs: ['a', 'bb', 'ccc'], cached });
    expect(requests[0]?.inputs).toEqual(['a', 'ccc']);
    expect(vectorsOf(result)).toEqual([
      [1, 1],
      [7, 7],
      [3, 1],
    ]);
    expect(reserved).toEqual([{ tokens: 132, costMicrodollars: 264 }]);
    expect(result.trace[0]?.decision).toBe('words/e; 1 of 3 from the cache');
  });

  it('asks again for all where the model makes vectors of another length than it did', async () => {
    const { result, requests, settled } = await run({ cached: [Float32Array.of(7, 7, 7)] });
    expect(requests.map(({ inputs }) => inputs)).toEqual([['né'], ['a', 'né']]);
    expect(vectorsOf(result)).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(settled).toHaveLength(2);
    expect(result).toMatchObject({
      tokensInput: 8,
      trace: [{ decision: expect.stringContaining('; 0 of 2') }],
    });
  });

  it('falls back, and says in its trace who failed', async () => {
    const step = { fallbacks: [{ provider: 'other', model: 'e2' }] };
    const { result, requests } = await run({
      step,
      embed: async ({ model, inputs }) => {
        if (model === 'e') throw new ProviderFailure('malformed_answer', { status: 200 });
        return { vectors: inputs.map(vectorOf), tokensInput: 1 };
      },
    });
    expect(requests.map(({ model }) => model)).toEqual(['e', 'e2']);
    expect(result).toMatchObject({
      kind: 'done',
      trace: [{ decision: expect.stringMatching(/^words\/e \[malformed_answer.*\] → other\/e2; 0 of 2/) }],
    });
  });

  it('charges what calls had used before one of them failed', async () => {
    const { result, settled } = await run({
      embed: () =>
        Promise.reject(new ProviderFailure('rate_limited', { status: 429, usage: { input: 30, output: 0 } })),
    });
    expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'upstream_unavailable' } });
    expect(settled).toEqual([{ tokens: 30, costMicrodollars: 60 }]);
  });

  it.each([
    ["the caller's, which names them", { dimensions: 9 }, 'not_accepted', /^"dimensions": the model/],
    ["the step's, which the operator has to fix", { step: { dimensions: 9 } }, 'configuration', undefined],
  ] as const)('is rejected for dimensions: %s', async (_whose, options, code, detail) => {
    const embed = () =>
      Promise.reject(new ProviderFailure('configuration', { status: 400, members: ['dimensions'] }));
    const { result } = await run({ ...options, embed });
    expect(result).toMatchObject({ kind: 'failed', rejection: { code } });
    if (detail !== undefined && result.kind === 'failed') expect(result.rejection.detail).toMatch(detail);
  });

  it('is a mistake of settings at a provider that makes no vectors', async () => {
    const { result, settled } = await run({ step: { provider: 'texts' } });
    expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'configuration' } });
    expect(settled).toEqual([]);
  });

  it('is a mistake of settings in a run that asks for no vectors', async () => {
    const deadline = startDeadline(createMemoryClock(0), 60_000);
    const flow = flowSchema.parse([{ embed: { provider: 'words', model: 'e' } }]);
    const context = { conversation: NO_CONVERSATION, username: undefined, executionId: 'e', deadline };
    const result = await runFlow(flow, context, flowPorts());
    deadline.end();
    expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'configuration' } });
  });
});
