// The least that a first attempt reserves: never above the estimate of a run, whatever its body, and undefined where it may be nothing.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the branch's name in settings files; nothing here is awaited.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { estimateFirstAttempt } from '../../../core/flow/first-attempt.ts';
import { leastFirstAttempt } from '../../../core/flow/least-attempt.ts';
import type { FlowPorts } from '../../../core/flow/step.ts';
import { type Flow, flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { flowPorts } from './flow-ports.ts';

/** `dear` costs two microdollars a token, `free` nothing, others one; `unpriced` has no price. */
const costOf: FlowPorts['costOf'] = (_provider, model, { input, output }) =>
  model === 'unpriced'
    ? null
    : (input + output) * (({ dear: 2, free: 0 } as Record<string, number>)[model] ?? 1);

const call = (model: string, maxTokens: number, more: object = {}) => ({
  callModel: { provider: 'p', model, maxTokens, ...more },
});
const ifInput = (parts: object) => ({ ifInputContains: { any: ['x'], ...parts } });
const least = (steps: unknown) => leastFirstAttempt(flowSchema.parse(steps), costOf);

describe('the least of a first attempt', () => {
  it.each([
    ['one call', [call('m', 36)], 100, 100],
    ['a caller who may ask for less', [call('m', 36, { accepts: ['parameters'] })], 65, 65],
    ['other members of a caller', [call('m', 36, { accepts: ['history', 'tools'] })], 100, 100],
    ['texts before it', [{ systemInstructions: 'Be brief.' }, call('m', 36)], 100, 100],
    ['what follows it', [call('m', 36), call('free', 1), { stop: {} }], 100, 100],
    ['a model without a charge', [call('free', 36)], 100, 0],
    ['two branches', [ifInput({ then: [call('m', 136)], else: [call('dear', 6)] })], 70, 140],
    ['a branch, and the rest', [ifInput({ then: [call('m', 36)] }), call('dear', 16)], 80, 100],
    ['chance', [{ randomizedSplit: { percentageA: 1, b: [call('m', 1)] } }, call('m', 36)], 65, 65],
    [
      'branches in branches',
      [ifInput({ else: [{ ifOutputContains: { any: ['y'], then: [call('m', 1)] } }] }), call('m', 36)],
      65,
      65,
    ],
    [
      'several targets',
      [{ callModel: { targets: ['dear', 'm'].map((model) => ({ provider: 'p', model })), maxTokens: 36 } }],
      100,
      100,
    ],
    ['a model without a price', [ifInput({ then: [call('unpriced', 1)] }), call('m', 36)], 65, null],
  ])('counts %s', (_name, steps, tokens, costMicrodollars) => {
    expect(least(steps)).toEqual({ tokens, costMicrodollars });
  });

  it.each([
    ['serves a text', [{ serveOutput: { text: 'Hi' } }]],
    ['stops', [{ stop: {} }, call('m', 1)]],
    ['stops in a branch', [ifInput({ then: [{ stop: {} }] }), call('m', 1)]],
    ['stops in a branch of a branch', [ifInput({ then: [ifInput({ else: [{ stop: {} }] })] }), call('m', 1)]],
    ['stops in one branch and calls in the other', [ifInput({ then: [{ stop: {} }], else: [call('m', 1)] })]],
    ['ends without a call', [{ systemInstructions: 'Be brief.' }]],
    ['ends beside a call', [ifInput({ then: [call('m', 1)] })]],
    ['ends beside a call by chance', [{ randomizedSplit: { percentageA: 100, a: [call('m', 1)] } }]],
  ])('is unknown for a flow that %s', (_name, steps) => {
    expect(least(steps)).toBeUndefined();
  });

  it('is unknown for a step that this release does not know', () => {
    expect(leastFirstAttempt([{ later: {} }, call('m', 1)] as unknown as Flow, costOf)).toBeUndefined();
  });
});

const leaf = fc.oneof(
  fc
    .record({ model: fc.constantFrom('m', 'dear', 'free'), maxTokens: fc.integer({ min: 1, max: 500 }) })
    .map(({ model, maxTokens }) => call(model, maxTokens)),
  fc.constant({ systemInstructions: 'Be brief.' }),
  fc.constant({ stop: {} }),
  fc.constant({ serveOutput: {} }),
);
const { flow } = fc.letrec<{ flow: unknown[]; step: unknown }>((tie) => ({
  flow: fc.array(tie('step'), { minLength: 1, maxLength: 4 }),
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ then: tie('flow'), else: tie('flow') }, { requiredKeys: [] }).map(ifInput),
    fc
      .record({ a: tie('flow'), b: tie('flow') }, { requiredKeys: [] })
      .map((branches) => ({ randomizedSplit: { percentageA: 50, ...branches } })),
  ),
}));

describe('of any flow', () => {
  it('is never above what a run reserves, and every run of it reserves', async () => {
    let bounded = 0;
    await fc.assert(
      fc.asyncProperty(
        flow,
        fc.constantFrom('x', 'no'),
        fc.constantFrom(0, 0.9),
        async (steps, input, at) => {
          const parsed = flowSchema.parse(steps);
          const bound = leastFirstAttempt(parsed, costOf);
          const deadline = startDeadline(createMemoryClock(0), 60_000);
          const conversation = conversationOf(input);
          const context = { conversation, username: undefined, executionId: 'e', deadline };
          const ports = flowPorts({ costOf, random: { fraction: () => at } });
          const estimate = await estimateFirstAttempt(parsed, context, ports);
          if (bound === undefined) return;
          bounded += 1;
          expect(estimate?.tokens).toBeGreaterThanOrEqual(bound.tokens);
          expect(estimate?.costMicrodollars).toBeGreaterThanOrEqual(bound.costMicrodollars ?? Number.NaN);
        },
      ),
    );
    expect(bounded).toBeGreaterThan(5);
  });
});
