// Several endpoints of one model: attempts spread by weight, a failed one goes on to the next, and each has its own circuit and price.
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { estimateFirstAttempt, recordRandom } from '../../../core/flow/first-attempt.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import type { Spending } from '../../../core/limits/budget.ts';
import { type ModelProvider, ProviderFailure } from '../../../core/ports/providers.ts';
import { drawTargets } from '../../../core/settings/call-targets.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { flowPorts } from './flow-ports.ts';

const TARGETS = [
  { provider: 'a', model: 'm-a', weight: 6 },
  { provider: 'b', model: 'm-b', weight: 3 },
  { provider: 'c', model: 'm-c' },
];

const flowOf = (more: object = {}) =>
  flowSchema.parse([{ callModel: { targets: TARGETS, maxTokens: 10, retries: 1, ...more } }]);

/** The same numbers, one after the other; the last one for ever. */
function fractions(...numbers: readonly number[]) {
  let drawn = 0;
  return {
    fraction() {
      drawn += 1;
      return numbers[Math.min(drawn, numbers.length) - 1] ?? 0;
    },
  };
}

const failing = (status: number) =>
  createMemoryProvider(() => {
    throw new ProviderFailure(status === 400 ? 'rejected_input' : 'unavailable', { status });
  });

const working = () => createMemoryProvider(() => ({ text: 'hello' }));

function prepare(providers: Readonly<Record<string, ModelProvider>>, more: Partial<FlowPorts> = {}) {
  const clock = createMemoryClock(0);
  const ports = flowPorts({
    clock,
    findProvider: (name) => providers[name] && { provider: providers[name], timeoutMs: undefined },
    ...more,
  });
  const context = () => ({
    conversation: conversationOf('Hello'),
    username: undefined,
    executionId: 'e',
    deadline: startDeadline(clock, 60_000),
  });
  return { clock, ports, context };
}

const order = (...numbers: readonly number[]) => {
  const [step] = flowOf();
  if (step === undefined || !('callModel' in step)) throw new Error('no call');
  return drawTargets(step.callModel, fractions(...numbers))
    .map(({ provider }) => provider)
    .join('');
};

describe('the order of targets', () => {
  it.each([
    // Of 10 parts a has the first 6, b the next 3, c the last; of the parts that are left as many as remain.
    [0, 0, 'abc'],
    [0.59, 0.74, 'abc'],
    [0.59, 0.76, 'acb'],
    [0.6, 0, 'bac'],
    [0.6, 0.85, 'bac'],
    [0.6, 0.86, 'bca'],
    [0.9, 0.66, 'cab'],
    [0.999, 0.67, 'cba'],
  ])('is drawn by weight: %s, %s gives %s', (first, second, expected) => {
    expect(order(first, second)).toBe(expected);
  });

  it('has each target first as often as its weight says', () => {
    const counts: Record<string, number> = {};
    for (let part = 0; part < 1_000; part += 1) {
      const first = order((part + 0.5) / 1_000).charAt(0);
      counts[first] = (counts[first] ?? 0) + 1;
    }
    expect(counts).toEqual({ a: 600, b: 300, c: 100 });
  });

  it('takes no random number for a single model', () => {
    const never = {
      fraction: (): number => {
        throw new Error('drawn');
      },
    };
    expect(drawTargets({ provider: 'a', model: 'm' }, never)).toEqual([{ provider: 'a', model: 'm' }]);
  });
});

describe('a call with several targets', () => {
  it('asks one of them, with its own name of the model', async () => {
    const [a, b, c] = [working(), working(), working()];
    const { ports, context } = prepare({ a, b, c }, { random: fractions(0.7) });
    const result = await runFlow(flowOf(), context(), ports);
    expect(result).toMatchObject({ kind: 'done', output: 'hello' });
    expect(result.modelCalls).toMatchObject([{ provider: 'b', model: 'm-b', attempts: 1 }]);
    expect([a, b, c].map(({ requests }) => requests.length)).toEqual([0, 1, 0]);
  });

  it('goes on to the next target at once, and retries only the last one', async () => {
    const [a, b, c] = [failing(503), failing(503), failing(503)];
    const { clock, ports, context } = prepare({ a, b, c }, { random: fractions(0, 0, 0.5) });
    const run = runFlow(flowOf(), context(), ports);
    await clock.advance(0);
    expect([a, b, c].map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
    await clock.advance(125);
    expect((await run).modelCalls.map(({ provider, attempts }) => [provider, attempts])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ]);
  });

  it('asks its fallbacks after all targets', async () => {
    const [a, b, c, z] = [failing(503), failing(503), failing(503), working()];
    const { ports, context } = prepare({ a, b, c, z }, { random: fractions(0.95, 0) });
    const flow = flowOf({ retries: 0, fallbacks: [{ provider: 'z', model: 'm-z' }] });
    const result = await runFlow(flow, context(), ports);
    expect(result.modelCalls.map(({ model }) => model)).toEqual(['m-c', 'm-a', 'm-b', 'm-z']);
    expect(result.trace.at(-1)?.decision).toBe(
      'c/m-c [unavailable (HTTP 503)] → a/m-a [unavailable (HTTP 503)] → b/m-b [unavailable (HTTP 503)] → z/m-z',
    );
  });

  it('passes over a target whose circuit is open, and leaves those of the others closed', async () => {
    const [a, b, c] = [failing(503), working(), working()];
    const { clock, ports, context } = prepare({ a, b, c }, { random: fractions(0) });
    // Other inputs each time: one input counts once.
    for (let run = 0; run < 5; run += 1) {
      const conversation = conversationOf(`Hello ${run}`);
      await runFlow(flowOf(), { ...context(), conversation }, ports);
    }
    const result = await runFlow(flowOf(), { ...context(), conversation: conversationOf('Hello 0') }, ports);
    expect(a.requests).toHaveLength(5);
    expect(result.modelCalls).toMatchObject([
      { provider: 'a', finish: 'circuit_open', attempts: 0 },
      { provider: 'b', attempts: 1 },
    ]);
    expect(b.requests).toHaveLength(6);
    await clock.advance(0);
  });

  it('reserves and costs each attempt at its own price, the first one at admission', async () => {
    const prices: Readonly<Record<string, number>> = { a: 1, b: 10, c: 100 };
    const reserved: (number | null)[] = [];
    const costOf: FlowPorts['costOf'] = (provider) => prices[provider] ?? null;
    const reserve = async ({ costMicrodollars }: Spending) => {
      reserved.push(costMicrodollars);
      return { settle: () => undefined };
    };
    const [a, b, c] = [working(), working(), failing(400)];
    const { ports, context } = prepare({ a, b, c }, { costOf, reserveAttempt: reserve });
    const recorded = recordRandom(fractions(0.95, 0.99));
    const first = await estimateFirstAttempt(flowOf(), context(), { ...ports, random: recorded.random });
    const result = await runFlow(flowOf(), context(), { ...ports, random: recorded.replay() });
    expect(first?.costMicrodollars).toBe(100);
    expect(reserved).toEqual([100, 10]);
    expect(result.modelCalls.map(({ costMicrodollars }) => costMicrodollars)).toEqual([0, 10]);
  });
});
