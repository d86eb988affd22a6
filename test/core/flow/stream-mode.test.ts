// Whether a flow streams live: decided from the flow, and right for every way through it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { servesText, streamModeOf } from '../../../core/flow/stream-mode.ts';
import type { ModelEvent } from '../../../core/ports/providers.ts';
import type { Flow, Step } from '../../../core/settings/flow-schema.ts';
import { parseFlow } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { flowPorts } from './flow-ports.ts';

function flowOf(...steps: readonly object[]): Flow {
  const flow = parseFlow(steps);
  if (flow === undefined) throw new Error('the flow of the test does not parse');
  return flow;
}

const call = { callModel: { provider: 'demo', model: 'm' } };
/** The name of a branch in settings files. */
const THEN = 'then';
const condition = { ifOutputContains: { any: ['x'] } };

describe('a flow', () => {
  it.each<[string, readonly object[]]>([
    ['of one call', [call]],
    ['of a call and what serves it', [call, { serveOutput: {} }]],
    ['with instructions after the call', [call, { systemInstructions: 'Be brief.' }]],
    ['with conditions that decide on nothing', [call, condition]],
    ['whose first answer is replaced on every way', [call, condition, call]],
    ['whose first answer a text replaces', [call, { serveOutput: { text: 'Thanks.' } }]],
    ['that serves the answer before what would replace it', [call, { serveOutput: {} }, call]],
    ['that stops whatever was answered', [call, { stop: {} }]],
    ['with branches before the call', [{ ifInputContains: { any: ['x'], else: [{ stop: {} }] } }, call]],
    ['with a call in each branch', [{ randomizedSplit: { percentageA: 50, a: [call], b: [call] } }]],
    ['without a call', [{ serveOutput: { text: 'Hello' } }]],
    [
      'whose first answer fits a schema and is not served',
      [{ callModel: { ...call.callModel, outputSchema: {} } }, call],
    ],
  ])('%s is live', (_what, steps) => {
    expect(streamModeOf(flowOf(...steps))).toBe('live');
  });

  it.each<[string, readonly object[]]>([
    ['whose answer may be stopped', [call, { ifOutputContains: { any: ['x'], else: [{ stop: {} }] } }]],
    ['whose answer may be replaced', [call, { ifOutputContains: { any: ['x'], else: [call] } }]],
    [
      'whose answer a text may replace, by chance',
      [call, { randomizedSplit: { percentageA: 1, a: [{ serveOutput: { text: 'A' } }] } }],
    ],
    [
      'that is condition in a branch further out',
      [
        { ifInputContains: { any: ['x'], else: [call] } },
        { ifOutputContains: { any: ['x'], else: [{ stop: {} }] } },
      ],
    ],
    [
      'whose answer must fit a schema',
      [{ callModel: { ...call.callModel, outputSchema: { type: 'object' } } }],
    ],
    [
      'with one branch whose answer is condition and one whose is not',
      [
        {
          randomizedSplit: {
            percentageA: 50,
            a: [call, { serveOutput: {} }],
            b: [call, { ifOutputContains: { any: ['x'], else: [{ stop: {} }] } }],
          },
        },
      ],
    ],
  ])('%s is whole', (_what, steps) => {
    const flow = flowOf(...steps);
    expect([streamModeOf(flow), streamModeOf(flow)]).toEqual(['whole', 'whole']);
  });
});

describe('the text of a call', () => {
  it('is served by what is left of the run, whatever the flow around it was', () => {
    const [first] = flowOf(call);
    if (first === undefined || !('callModel' in first)) throw new Error('no call');
    expect(servesText(first.callModel, [])).toBe(true);
    expect(servesText(first.callModel, flowOf({ serveOutput: {} }, call))).toBe(true);
    expect(servesText(first.callModel, flowOf(call))).toBe(false);
    expect(servesText({ ...first.callModel, outputSchema: {} }, [])).toBe(false);
  });
});

describe('any flow', () => {
  const leaf = fc.constantFrom<object>(
    call,
    { serveOutput: {} },
    { serveOutput: { text: 'fixed' } },
    { stop: {} },
    { stop: { text: 'stopped' } },
    { systemInstructions: 'Be brief.' },
  );
  const step: fc.Arbitrary<object> = fc.letrec<{ step: object; list: object[] | undefined }>((tie) => ({
    list: fc.option(fc.array(tie('step'), { minLength: 1, maxLength: 3 }), { nil: undefined }),
    step: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({
        ifOutputContains: fc.record({ any: fc.constant(['a', 'b']), [THEN]: tie('list'), else: tie('list') }),
      }),
      fc.record({
        randomizedSplit: fc.record({ percentageA: fc.constant(50), a: tie('list'), b: tie('list') }),
      }),
    ),
  })).step;

  it('sends what it serves, and nothing else, where it streams live', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })),
        async (steps, chances) => {
          const flow = flowOf(...steps.map(withoutUndefined));
          const sent: string[] = [];
          let calls = 0;
          const result = await run(flow, () => chances.next().value ?? 0, {
            sent,
            answer() {
              calls += 1;
              return ['one ', 'two ', `answer ${calls}${calls % 2 === 0 ? 'a' : ''}`];
            },
          });
          expect(result.kind).toBe('done');
          if (result.kind !== 'done') return;
          if (sent.length > 0) expect(sent.join('')).toBe(result.output);
          if (streamModeOf(flow) === 'live' && result.output?.startsWith('one two')) {
            expect(sent.join('')).toBe(result.output);
          }
        },
      ),
    );
  });
});

/** Branches that are not there are left out, as in a settings file. */
function withoutUndefined(value: object): Step {
  return JSON.parse(JSON.stringify(value)) as Step;
}

async function run(
  flow: Flow,
  fraction: () => number,
  { sent, answer }: { readonly sent: string[]; readonly answer: () => readonly string[] },
) {
  const clock = createMemoryClock();
  async function* stream(): AsyncGenerator<ModelEvent> {
    for (const text of answer()) yield { type: 'text', text };
    yield { type: 'end', finish: 'stop', usage: undefined, modelVersion: undefined };
  }
  const generate = async () => ({
    ...{ text: answer().join(''), finish: 'stop' as const, usage: undefined, modelVersion: undefined },
  });
  const provider = { provider: { generate, stream }, timeoutMs: undefined };
  const context = {
    conversation: conversationOf('Hello'),
    username: undefined,
    executionId: 'e1',
    deadline: startDeadline(clock, 60_000),
  };
  const sink = {
    text: async (text: string) => void sent.push(text),
    toolCall: async () => undefined,
  };
  return runFlow(
    flow,
    context,
    flowPorts({ clock, random: { fraction }, findProvider: () => provider, sink }),
  );
}
