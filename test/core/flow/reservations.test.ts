// Every attempt of a model call asks for what it may spend before it is made, and says afterwards what it spent.

import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { estimateFirstAttempt, recordRandom } from '../../../core/flow/first-attempt.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import type { Spending } from '../../../core/limits/budget.ts';
import { type ModelResult, ProviderFailure } from '../../../core/ports/providers.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { flowPorts } from './flow-ports.ts';

const down = new ProviderFailure('unavailable', { status: 503 });
const garbage = new ProviderFailure('malformed_answer', { status: 200 });
const noCapacity = new ServiceError('rate_limited', {
  retryAfterMs: 7_000,
  reason: 'the user limit per 1m is exhausted',
});

/** What the flow reserved and settled, in order; `rooms` is how many reservations are granted. */
function accounts(rooms = 100) {
  const events: string[] = [];
  const text = ({ tokens, costMicrodollars }: Spending) => `${tokens} for ${costMicrodollars}`;
  const reserve: FlowPorts['reserveAttempt'] = async (most) => {
    if (events.filter((event) => event.startsWith('reserve')).length >= rooms) throw noCapacity;
    events.push(`reserve ${text(most)}`);
    return { settle: (spent) => void events.push(`settle ${text(spent)}`) };
  };
  return { events, reserve };
}

type Answer = Partial<ModelResult> | Error;

/** Runs a flow; `answers` are those of all providers in order, the last one for ever. */
async function run(steps: unknown, answers: readonly Answer[], rooms?: number) {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, 60_000);
  const { events, reserve } = accounts(rooms);
  let asked = 0;
  const provider = createMemoryProvider(() => {
    events.push('ask');
    const answer = answers[Math.min(asked, answers.length - 1)] ?? {};
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const running = runFlow(
    flowSchema.parse(steps),
    { conversation: conversationOf('né'), username: undefined, executionId: 'e', deadline },
    flowPorts({
      clock,
      reserveAttempt: reserve,
      findProvider: () => ({ provider, timeoutMs: undefined }),
      // `dear` costs ten times what others do: 1 microdollar a token.
      costOf: (_provider, model, { input, output }) => (input + output) * (model === 'dear' ? 10 : 1),
    }),
  );
  for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
  const result = await running;
  deadline.end();
  return { events, result };
}

const call = (more: object = {}) => ({
  callModel: { provider: 'demo', model: 'm', maxTokens: 10, retries: 0, ...more },
});

describe('an attempt', () => {
  it('reserves a token for each byte sent, 64 for each message, and the answer it may get', async () => {
    // `né` takes 3 bytes: 3 + 64 + 10.
    expect((await run([call()], [{}])).events).toEqual(['reserve 77 for 77', 'ask', 'settle 8 for 8']);
    // `Brève` takes 6 bytes and is a message of its own.
    expect((await run([{ systemInstructions: 'Brève' }, call()], [{}])).events[0]).toBe(
      'reserve 147 for 147',
    );
  });

  it('whose deadline is reached while it reserves is not made, and charges nothing', async () => {
    const clock = createMemoryClock(0);
    const deadline = startDeadline(clock, 1_000);
    const { events, reserve } = accounts();
    const provider = createMemoryProvider(() => {
      events.push('ask');
      return {};
    });
    const running = runFlow(
      flowSchema.parse([call()]),
      { conversation: conversationOf('né'), username: undefined, executionId: 'e', deadline },
      flowPorts({
        clock,
        reserveAttempt: (most) => clock.sleep(2_000).then(() => reserve(most)),
        findProvider: () => ({ provider, timeoutMs: undefined }),
        costOf: () => 1,
      }),
    );
    for (let second = 0; second < 2; second += 1) await clock.advance(1_000);
    expect(await running).toMatchObject({ kind: 'failed', rejection: { code: 'deadline_exceeded' } });
    expect(events).toEqual(['reserve 77 for 1', 'settle 0 for 0']);
  });

  it('settles to its reservation where nobody knows what it used', async () => {
    expect((await run([call()], [{ usage: undefined }])).events.at(-1)).toBe('settle 77 for 77');
    expect((await run([call()], [garbage])).events.at(-1)).toBe('settle 77 for 77');
  });

  it('settles to nothing where the provider did nothing', async () => {
    expect((await run([call()], [down])).events).toEqual(['reserve 77 for 77', 'ask', 'settle 0 for 0']);
  });

  it('of a retry, and of a fallback at its own price, has a reservation of its own', async () => {
    const steps = [call({ retries: 1, fallbacks: [{ provider: 'demo', model: 'dear' }] })];
    expect((await run(steps, [down, down, {}])).events).toEqual([
      ...['reserve 77 for 77', 'ask', 'settle 0 for 0'],
      ...['reserve 77 for 77', 'ask', 'settle 0 for 0'],
      ...['reserve 77 for 770', 'ask', 'settle 8 for 80'],
    ]);
  });

  it('of a second call reserves for what it sends', async () => {
    const { events } = await run([call(), call({ prompt: '{{output}}!', maxTokens: 5 })], [{}]);
    expect(events.filter((event) => event.startsWith('reserve'))).toEqual([
      'reserve 77 for 77',
      // `answer!` takes 7 bytes: 7 + 64 + 5.
      'reserve 76 for 76',
    ]);
  });
});

describe('an attempt without room', () => {
  it('is not made: the run ends with 429, and the first attempt’s answer is not served', async () => {
    const { events, result } = await run([call(), call()], [{}], 1);
    expect(events.filter((event) => event === 'ask')).toHaveLength(1);
    expect(result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'rate_limited', retryAfterMs: 7_000 },
    });
    expect(result.modelCalls.map(({ attempts, finish }) => [attempts, finish])).toEqual([
      [1, 'stop'],
      [0, 'rate_limited'],
    ]);
  });

  it('ends the run though a fallback is left, and says how long the limit lasts', async () => {
    const failing = new ProviderFailure('unavailable', { status: 503, retryAfterMs: 1_000 });
    const fallbacks = [
      { provider: 'demo', model: 'f1' },
      { provider: 'demo', model: 'f2' },
    ];
    const { events, result } = await run([call({ fallbacks })], [failing], 1);
    expect(events.filter((event) => event === 'ask')).toHaveLength(1);
    expect(result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'rate_limited', retryAfterMs: 7_000 },
    });
  });

  it('of a retry ends the run too', async () => {
    const { events, result } = await run([call({ retries: 3 })], [down], 2);
    expect(events.filter((event) => event === 'ask')).toHaveLength(2);
    expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'rate_limited' } });
  });
});

describe('the first attempt', () => {
  const estimate = (
    steps: unknown,
    random: FlowPorts['random'] = { fraction: () => 0 },
    costOf: FlowPorts['costOf'] = () => 5,
  ) => {
    const clock = createMemoryClock(0);
    const deadline = startDeadline(clock, 60_000);
    const context = { conversation: conversationOf('né'), username: 'ann', executionId: 'e', deadline };
    const reserve = () => Promise.reject(new Error('nothing is reserved'));
    const ports = flowPorts({ clock, random, costOf, reserveAttempt: reserve });
    return estimateFirstAttempt(flowSchema.parse(steps), context, ports).finally(() => deadline.end());
  };

  it('is estimated without asking a model', async () => {
    expect(await estimate([call()])).toEqual({ tokens: 77, costMicrodollars: 5 });
    expect(await estimate([call()], undefined, () => null)).toEqual({ tokens: 77, costMicrodollars: null });
  });

  it('is that of the first call on the way that the input takes', async () => {
    // As text: an object with a member `then` would be taken for a promise.
    const branch = JSON.parse(
      `{ "any": ["n"], "match": "substring", "then": [${JSON.stringify(call({ maxTokens: 1 }))}] }`,
    ) as object;
    expect((await estimate([{ ifInputContains: branch }, call()]))?.tokens).toBe(68);
    const second = [{ systemInstructions: 'For {{username}}' }, call(), call({ maxTokens: 900 })];
    // 7 + 64 + 3 + 64 + 10.
    expect((await estimate(second))?.tokens).toBe(148);
  });

  it.each([
    ['stops before', [{ stop: {} }, call()]],
    ['serves a text of its own', [{ serveOutput: { text: 'x' } }]],
    ['calls no model', [{ systemInstructions: 'x' }]],
    ['fails before', [{ systemInstructions: { file: 'never-read-in.txt' } }, call()]],
  ])('is none of a flow that %s', async (_what, steps) => {
    expect(await estimate(steps)).toBeUndefined();
  });

  it('is the same in the run, since it draws the same random numbers', async () => {
    const split = { percentageA: 50, a: [call({ maxTokens: 1 })], b: [call({ maxTokens: 2 })] };
    const draws = [0.9, 0.1, 0.2, 0.3];
    const recorded = recordRandom({ fraction: () => draws.shift() ?? 0 });
    expect((await estimate([{ randomizedSplit: split }], recorded.random))?.tokens).toBe(69);
    const replayed = recorded.replay();
    expect([replayed.fraction(), replayed.fraction(), replayed.fraction()]).toEqual([0.9, 0.1, 0.2]);
  });
});
