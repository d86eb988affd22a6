// How a model call ends: in time, late, refused, or without a count of its tokens.

import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import {
  type ModelProvider,
  ProviderFailure,
  type ProviderFailureKind,
} from '../../../core/ports/providers.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { flowPorts } from './flow-ports.ts';

/** Answers never, and ignores its signal. */
const silent: ModelProvider = { generate: () => new Promise(() => {}) };

function start(
  provider: ModelProvider,
  detail: { timeout?: string; timeoutMs?: number; deadlineMs?: number } = {},
) {
  const clock = createMemoryClock(1_000);
  const deadline = startDeadline(clock, detail.deadlineMs ?? 60_000);
  const timeout = detail.timeout === undefined ? {} : { timeout: detail.timeout };
  const flow = flowSchema.parse([
    { systemInstructions: 'né' },
    { callModel: { provider: 'demo', model: 'm', maxTokens: 9, retries: 0, ...timeout } },
  ]);
  const result = runFlow(
    flow,
    { conversation: conversationOf('Hello'), username: undefined, executionId: 'e', deadline },
    flowPorts({ clock, findProvider: () => ({ provider, timeoutMs: detail.timeoutMs }) }),
  );
  return { clock, deadline, result };
}

async function failingWith(
  kind: ProviderFailureKind,
  detail: { status?: number; retryAfterMs?: number } = {},
) {
  const provider = createMemoryProvider(() => {
    throw new ProviderFailure(kind, detail);
  });
  const { result, deadline } = start(provider);
  const ended = await result;
  deadline.end();
  if (ended.kind !== 'failed') throw new Error('the run did not fail');
  return ended;
}

describe('the time of a model call', () => {
  it.each([
    ['30 s where nobody says', {}, 30_000],
    ["the provider's", { timeoutMs: 12_000 }, 12_000],
    ["the step's, before the provider's", { timeout: '5s', timeoutMs: 12_000 }, 5_000],
  ])('is %s', async (_whose, detail, timeoutMs) => {
    const { clock, result } = start(silent, detail);
    await clock.advance(timeoutMs);
    expect(await result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'upstream_unavailable', reason: 'demo/m: timeout' },
      modelCalls: [{ finish: 'timeout', latencyMs: timeoutMs }],
      providerMs: timeoutMs,
    });
  });

  it('is not over before its last millisecond', async () => {
    let answer = (_text: string) => {};
    const provider: ModelProvider = {
      generate: () =>
        new Promise((resolve) => {
          answer = (text) => resolve({ text, finish: 'stop', usage: undefined, modelVersion: undefined });
        }),
    };
    const { clock, result, deadline } = start(provider, { timeout: '5s' });
    await clock.advance(4_999);
    answer('just in time');
    expect(await result).toMatchObject({ kind: 'done', output: 'just in time' });
    deadline.end();
    expect(clock.sleepers).toBe(0);
  });

  it('ends with the deadline of the run, where that comes first', async () => {
    const { clock, result } = start(silent, { timeout: '30s', deadlineMs: 2_000 });
    await clock.advance(2_000);
    expect(await result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'deadline_exceeded' },
      modelCalls: [{ finish: 'deadline_exceeded', estimated: true }],
    });
  });

  it('is given to the provider as a signal that aborts', async () => {
    const provider = createMemoryProvider(() => new Promise(() => {}));
    const { clock, result } = start(provider, { timeout: '5s' });
    await clock.advance(4_999);
    expect(provider.requests[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(provider.requests[0]?.signal.aborted).toBe(true);
    await result;
  });

  it('leaves no timer behind once the run has ended', async () => {
    const { clock, result, deadline } = start(createMemoryProvider());
    await result;
    expect(clock.sleepers).toBe(1);
    deadline.end();
    await clock.advance(0);
    expect(clock.sleepers).toBe(0);
  });

  it('is nothing once the deadline has passed: the provider is not asked', async () => {
    const provider = createMemoryProvider();
    const { clock, deadline } = start(silent, { deadlineMs: 1_000 });
    await clock.advance(1_000);
    const result = await runFlow(
      flowSchema.parse([{ callModel: { provider: 'demo', model: 'm' } }]),
      { conversation: conversationOf(''), username: undefined, executionId: 'e', deadline },
      flowPorts({ clock, findProvider: () => ({ provider, timeoutMs: undefined }) }),
    );
    expect(result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'deadline_exceeded' },
      modelCalls: [],
    });
    expect(provider.requests).toEqual([]);
  });
});

describe('a provider that fails', () => {
  it.each<[ProviderFailureKind, string]>([
    ['timeout', 'upstream_unavailable'],
    ['unavailable', 'upstream_unavailable'],
    ['rate_limited', 'upstream_unavailable'],
    ['quota_exhausted', 'upstream_unavailable'],
    ['malformed_answer', 'upstream_unavailable'],
    ['configuration', 'configuration'],
    ['rejected_input', 'provider_rejected_input'],
  ])('with %s ends the run as %s', async (kind, code) => {
    expect((await failingWith(kind)).rejection.code).toBe(code);
  });

  it('is logged with its kind and status, and passes on when to retry', async () => {
    const { rejection } = await failingWith('rate_limited', { status: 429, retryAfterMs: 2_500 });
    expect(rejection.reason).toBe('demo/m: rate_limited (HTTP 429)');
    expect(rejection.retryAfterMs).toBe(2_500);
  });

  it('is distinguished when it was never reached', async () => {
    expect((await failingWith('unavailable')).rejection.reason).toBe('demo/m: unavailable (not reached)');
  });
});

describe('the tokens of a call', () => {
  // "né" is 3 bytes, "Hello" 5, and two messages cost 64 each.
  const most = { tokensInput: 136, tokensOutput: 9, estimated: true };
  const none = { tokensInput: 0, tokensOutput: 0, estimated: false };

  it('are the most it can have used where the provider reports none', async () => {
    const { result, deadline } = start(createMemoryProvider(() => ({ usage: undefined })));
    expect((await result).modelCalls).toMatchObject([most]);
    deadline.end();
  });

  it.each<[ProviderFailureKind, number | undefined, typeof most]>([
    ['timeout', undefined, most],
    ['malformed_answer', 200, most],
    ['unavailable', undefined, none],
    ['unavailable', 503, none],
    ['unavailable', 529, none],
    ['unavailable', 409, none],
    ['unavailable', 429, none],
    ['unavailable', 408, most],
    ['unavailable', 424, most],
    ['unavailable', 500, most],
    ['unavailable', 502, most],
    ['unavailable', 504, most],
    ['unavailable', 524, most],
    ['rate_limited', 429, none],
    ['rejected_input', 400, none],
    ['configuration', 401, none],
    ['configuration', undefined, none],
    ['quota_exhausted', 429, none],
  ])('after %s with status %s are as much as can have been used', async (kind, status, tokens) => {
    const ended = await failingWith(kind, status === undefined ? {} : { status });
    expect(ended.modelCalls).toMatchObject([tokens]);
    expect(ended).toMatchObject({ tokensInput: tokens.tokensInput, tokensOutput: tokens.tokensOutput });
  });
});
