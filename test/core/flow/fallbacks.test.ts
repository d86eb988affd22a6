// A model call that is retried, that falls back to another model, and its trace.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { conversationOf, userMessage } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import { type ModelProvider, type ModelResult, ProviderFailure } from '../../../core/ports/providers.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { flowPorts } from './flow-ports.ts';

type Answer = Partial<ModelResult> | Error | 'silence';

/** A provider that gives these answers one after the other, the last one for ever. */
function answering(...answers: readonly Answer[]) {
  let asked = 0;
  return createMemoryProvider(() => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? {};
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer === 'silence' ? new Promise<never>(() => {}) : answer;
  });
}

const down = new ProviderFailure('unavailable', { status: 503 });
const unreached = new ProviderFailure('unavailable');
const broke = new ProviderFailure('quota_exhausted', { status: 429 });
const garbage = new ProviderFailure('malformed_answer', { status: 200 });

function start(
  providers: Readonly<Record<string, ModelProvider>>,
  settings: object = {},
  detail: { deadlineMs?: number; ports?: Partial<FlowPorts>; input?: string } = {},
) {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, detail.deadlineMs ?? 60_000);
  const names = Object.keys(providers);
  const flow = flowSchema.parse([
    {
      callModel: {
        provider: names[0],
        model: 'm',
        maxTokens: 10,
        retries: 0,
        fallbacks: names.slice(1).map((provider) => ({ provider, model: 'f' })),
        ...settings,
      },
    },
  ]);
  const findProvider = (name: string) => {
    const provider = providers[name];
    return provider && { provider, timeoutMs: undefined };
  };
  const result = runFlow(
    flow,
    {
      conversation: conversationOf(detail.input ?? 'Hello'),
      username: undefined,
      executionId: 'e',
      deadline,
    },
    flowPorts({ clock, random: { fraction: () => 0.5 }, findProvider, costOf: () => 7, ...detail.ports }),
  );
  return { clock, deadline, result };
}

describe('a model that fails', () => {
  it('is asked again after a while, and every attempt is counted', async () => {
    const provider = answering(down, down, { text: 'at last' });
    const { clock, result } = start({ one: provider }, { retries: 2 });
    await clock.advance(125);
    expect(provider.requests).toHaveLength(2);
    await clock.advance(249);
    expect(provider.requests).toHaveLength(2);
    await clock.advance(1);
    expect(await result).toMatchObject({
      kind: 'done',
      output: 'at last',
      trace: [{ decision: 'one/m [unavailable (HTTP 503), unavailable (HTTP 503)]' }],
      modelCalls: [{ attempts: 3, finish: 'stop', latencyMs: 375, tokensInput: 3, costMicrodollars: 7 }],
    });
  });

  it('is told of another span of the trace at every attempt, and so are those asked after it', async () => {
    const [one, two] = [answering(down), answering({})];
    let spans = 0;
    const nextTraceparent = () => {
      spans += 1;
      return `span ${spans}`;
    };
    const { clock, result } = start({ one, two }, { retries: 1 }, { ports: { nextTraceparent } });
    await clock.advance(125);
    await result;
    const told = [...one.requests, ...two.requests].map(({ traceparent }) => traceparent);
    expect(told).toEqual(['span 1', 'span 2', 'span 3']);
    const untraced = answering({});
    await start({ untraced }).result;
    expect('traceparent' in untraced.requests[0]!).toBe(false);
  });

  it('is not asked again on exhausted quota', async () => {
    const provider = answering(broke);
    const { result } = start({ one: provider }, { retries: 5 });
    expect(await result).toMatchObject({ kind: 'failed', rejection: { code: 'upstream_unavailable' } });
    expect(provider.requests).toHaveLength(1);
  });

  it('is booked for each attempt that may have worked', async () => {
    const { clock, result } = start({ one: answering(garbage, garbage, {}) }, { retries: 2 });
    await clock.advance(2_000);
    // Twice 5 bytes of input and 64 for the message, and 10 tokens of output; then 3 and 5 as reported.
    expect((await result).modelCalls).toMatchObject([
      { tokensInput: 141, tokensOutput: 25, estimated: true, attempts: 3, costMicrodollars: 21 },
    ]);
  });

  it('costs an unknown amount as soon as one attempt of it does', async () => {
    const costs = [7, null];
    const { clock, result } = start(
      { one: answering(garbage, {}) },
      { retries: 1 },
      { ports: { costOf: () => costs.shift() ?? null } },
    );
    await clock.advance(2_000);
    expect(await result).toMatchObject({ costMicrodollars: null, modelCalls: [{ costMicrodollars: null }] });
  });
});

describe('fallbacks', () => {
  it.each([
    ['down', down],
    ['out of quota', broke],
    ['answering garbage', garbage],
    ['of another key than it should be', new ProviderFailure('configuration', { status: 401 })],
    ['refusing the input', new ProviderFailure('rejected_input', { status: 400 })],
    ['without its secret', new ServiceError('configuration')],
  ])('answer for a first model that is %s', async (_how, failure) => {
    const second = answering({ text: 'from the second' });
    const { result } = start({ one: answering(failure), two: second });
    expect(await result).toMatchObject({ kind: 'done', output: 'from the second' });
    expect(second.requests).toMatchObject([{ model: 'f', messages: [userMessage('Hello')], maxTokens: 10 }]);
  });

  it.each([
    ['a failure of its provider', unreached],
    ['an error of ours', new ServiceError('dependency_unavailable')],
    ['a limit', new ServiceError('rate_limited')],
    ['a defect', new TypeError('a defect')],
  ])('are asked no more once the caller has a part: %s', async (_what, thrown) => {
    const first: ModelProvider = {
      ...answering({}),
      async *stream() {
        yield { type: 'text', text: 'Half' };
        throw thrown;
      },
    };
    const second = answering({ text: 'another' });
    const sent: string[] = [];
    const sink = { text: async (text: string) => void sent.push(text), toolCall: async () => undefined };
    const { clock, result } = start({ one: first, two: second }, { retries: 2 }, { ports: { sink } });
    await clock.advance(30_000);
    expect(await result).toMatchObject({ kind: 'failed', modelCalls: [{ provider: 'one', attempts: 1 }] });
    expect([sent, second.requests]).toEqual([['Half'], []]);
  });

  it('are asked in their order, each seen in the trace and among the calls', async () => {
    const { result } = start({
      one: answering(down),
      two: answering(broke),
      three: answering({ text: 'third' }),
    });
    expect(await result).toMatchObject({
      output: 'third',
      trace: [{ decision: 'one/m [unavailable (HTTP 503)] → two/f [quota_exhausted (HTTP 429)] → three/f' }],
      modelCalls: [
        { provider: 'one', model: 'm', finish: 'unavailable' },
        { provider: 'two', model: 'f', finish: 'quota_exhausted' },
        { provider: 'three', model: 'f', finish: 'stop' },
      ],
    });
  });

  it('get their share of the time when the first is silent, which is not asked again', async () => {
    const silent = answering('silence');
    const { clock, result } = start(
      { one: silent, two: answering({ text: 'in time' }) },
      { retries: 3 },
      { deadlineMs: 8_000 },
    );
    await clock.advance(4_000);
    expect(await result).toMatchObject({ kind: 'done', output: 'in time' });
    expect(silent.requests).toHaveLength(1);
  });

  it('keep within the deadline when all are silent', async () => {
    const { clock, result } = start(
      { one: answering('silence'), two: answering('silence') },
      {},
      { deadlineMs: 8_000 },
    );
    await clock.advance(8_000);
    expect(await result).toMatchObject({ kind: 'failed', rejection: { code: 'deadline_exceeded' } });
  });

  it('that fail too leave the caller with what passes, soonest first, and the operator with all of it', async () => {
    const { result } = start({
      one: answering(new ProviderFailure('configuration', { status: 401 })),
      two: answering(new ProviderFailure('rate_limited', { status: 429, retryAfterMs: 9_000 })),
      three: answering(new ProviderFailure('rate_limited', { status: 429, retryAfterMs: 5_000 })),
    });
    expect(await result).toMatchObject({
      kind: 'failed',
      rejection: {
        code: 'upstream_unavailable',
        retryAfterMs: 5_000,
        reason:
          'one/m: configuration (HTTP 401); two/f: rate_limited (HTTP 429); three/f: rate_limited (HTTP 429)',
      },
    });
  });
});

describe('an open circuit', () => {
  it('answers at once, asks nobody and says so', async () => {
    const clock = createMemoryClock(0);
    const ports = flowPorts({ clock });
    for (let index = 0; index < 5; index += 1) ports.breakers.failed('one/m');
    const provider = answering({ text: 'never' });
    const { result } = start({ one: provider }, {}, { ports: { breakers: ports.breakers } });
    expect(await result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'upstream_unavailable', reason: 'one/m: circuit open', retryAfterMs: 10_000 },
      trace: [{ decision: 'one/m [circuit open]' }],
      modelCalls: [{ finish: 'circuit_open', attempts: 0, tokensInput: 0, costMicrodollars: 0 }],
    });
    expect(provider.requests).toEqual([]);
  });

  it('does not open by timeouts, which a caller who asks for much can bring about', async () => {
    const { breakers } = flowPorts();
    const slow = answering(new ProviderFailure('timeout'));
    for (let index = 0; index < 9; index += 1) await start({ one: slow }, {}, { ports: { breakers } }).result;
    expect(slow.requests).toHaveLength(9);
  });

  it('opens by failures with timeouts between them: a timeout is no answer', async () => {
    const { breakers } = flowPorts();
    const fail = async (failure: ProviderFailure) =>
      start({ one: answering(failure) }, {}, { ports: { breakers } }).result;
    for (let index = 0; index < 4; index += 1) await fail(unreached);
    await fail(new ProviderFailure('timeout'));
    expect(breakers.retryAfterMs('one/m')).toBe(0);
    await fail(unreached);
    expect(breakers.retryAfterMs('one/m')).toBe(10_000);
  });

  it('opens by failures of the model and not by what callers send', async () => {
    const { breakers } = flowPorts();
    const rejecting = answering(new ProviderFailure('rejected_input', { status: 400 }));
    for (let index = 0; index < 9; index += 1)
      await start({ one: rejecting }, {}, { ports: { breakers } }).result;
    expect(rejecting.requests).toHaveLength(9);
    const failing = answering(unreached);
    for (let index = 0; index < 9; index += 1)
      await start({ one: failing }, {}, { ports: { breakers } }).result;
    expect(failing.requests).toHaveLength(5);
  });

  it.each([
    ['5xx', down],
    ['an unreadable answer', garbage],
    ['a stream that breaks off', new ProviderFailure('truncated', { status: 200 })],
  ])('never opens by %s to one input, however often a caller repeats it', async (_, failure) => {
    const { breakers } = flowPorts();
    const provider = answering(failure);
    for (let index = 0; index < 9; index += 1)
      await start({ one: provider }, { retries: 0 }, { ports: { breakers }, input: 'poison' }).result;
    expect(provider.requests).toHaveLength(9);
    expect(breakers.retryAfterMs('one/m')).toBe(0);
  });

  it('by 5xx to one kind of input lets the next caller through, whose answer closes it', async () => {
    const { breakers } = flowPorts();
    const provider = createMemoryProvider(({ messages }) => {
      if (JSON.stringify(messages).includes('poison')) throw down;
      return { text: 'Hi' };
    });
    const call = (input: string) => start({ one: provider }, {}, { ports: { breakers }, input }).result;
    for (let index = 0; index < 8; index += 1) await call(`poison ${index}`);
    expect(breakers.retryAfterMs('one/m')).toBe(10_000);
    expect(await call('poison 3')).toMatchObject({ modelCalls: [{ finish: 'circuit_open' }] });
    expect(await call('Hello')).toMatchObject({ kind: 'done', output: 'Hi' });
    expect(breakers.retryAfterMs('one/m')).toBe(0);
  });
});
