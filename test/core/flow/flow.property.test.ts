// Any flow that the schema takes ends, whatever its providers do, and says how.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { printYaml } from '../../../adapters/yaml/print-yaml.ts';
import { conversationOf, inputOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';
import { type Flow, flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { flowPorts } from './flow-ports.ts';

const DEADLINE_MS = 60_000;
const text = fc.constantFrom(
  '{{input}}',
  '{{output}} {{output}}',
  '{{username}}{{nothing}}',
  'plain',
  '}}{{',
);
const optionalText = fc.oneof(fc.constant({}), fc.record({ text }));

const provider = fc.constantFrom('good', 'bad', 'silent', 'none');
const target = fc.record({ provider, model: fc.constant('m') });

/** A call with everything that one may have. */
const fullCall = fc.record({
  callModel: fc.record(
    {
      provider,
      model: fc.constantFrom('m', 'gpt-4.1-mini', 'amazon.titan-embed-text-v2:0'),
      prompt: text,
      temperature: fc.constantFrom(0, 0.7, 2),
      topP: fc.constantFrom(0, 0.95),
      maxTokens: fc.integer({ min: 1, max: 1_000_000 }),
      stopSequences: fc.array(fc.constantFrom('\n', ': #', '---'), { minLength: 1, maxLength: 4 }),
      seed: fc.integer({ min: 0, max: 2_147_483_647 }),
      timeout: fc.constantFrom('1s', '4m'),
      retries: fc.integer({ min: 0, max: 5 }),
      fallbacks: fc.array(target, { maxLength: 5 }),
    },
    { requiredKeys: ['provider', 'model'] },
  ),
});

const step = fc.oneof(
  fc.record({ systemInstructions: fc.record({ text, append: fc.boolean() }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      callModel: fc.record({
        provider,
        model: fc.constant('m'),
        prompt: text,
      }),
    }),
  },
  fc.record({ serveOutput: optionalText }),
  fc.record({ stop: optionalText }),
);

// biome-ignore lint/suspicious/noThenProperty: `then` is the branch's name in settings files; nothing here is awaited.
const branches = (list: fc.Arbitrary<unknown>) => ({ then: list, else: list });

const nested = fc.letrec<{ list: unknown[]; branch: unknown }>((tie) => ({
  list: fc.array(fc.oneof({ depthSize: 'small' }, step, tie('branch')), { minLength: 1, maxLength: 4 }),
  branch: fc.oneof(
    fc.record({
      randomizedSplit: fc.record({
        percentageA: fc.constantFrom(0, 12.5, 100),
        a: tie('list'),
        b: tie('list'),
      }),
    }),
    fc.record({
      ifInputContains: fc.record({
        any: fc.constantFrom(['a'], ['__proto__', '{{']),
        ...branches(tie('list')),
      }),
    }),
  ),
}));

const flows = fc.array(step, { minLength: 1, maxLength: 12 }).map((steps): Flow => flowSchema.parse(steps));

const providers = {
  good: createMemoryProvider(({ messages }) => ({ text: inputOf({ messages }) })),
  bad: createMemoryProvider(() => {
    throw new ProviderFailure('unavailable');
  }),
  silent: createMemoryProvider(() => new Promise(() => {})),
};

function findProvider(name: string) {
  const provider = Object.hasOwn(providers, name) ? providers[name as keyof typeof providers] : undefined;
  return provider && { provider, timeoutMs: undefined };
}

/** Leaves durations out, which parsing makes milliseconds. */
function withoutTimes(name: string, value: unknown): unknown {
  return name === 'timeout' ? undefined : value;
}

describe('any flow', () => {
  it('ends by its deadline, with a trace of what ran and a sum of its calls', async () => {
    await fc.assert(
      fc.asyncProperty(flows, fc.string(), async (flow, input) => {
        const clock = createMemoryClock(0);
        const deadline = startDeadline(clock, DEADLINE_MS);
        const running = runFlow(
          flow,
          { conversation: conversationOf(input), username: undefined, executionId: 'e', deadline },
          flowPorts({ clock, findProvider }),
        );
        await clock.advance(DEADLINE_MS);
        const result = await running;
        deadline.end();

        expect(result.trace.length).toBeGreaterThanOrEqual(1);
        expect(result.trace.map(({ type }) => type)).toEqual(
          flow.slice(0, result.trace.length).map((one) => Object.keys(one)[0]),
        );
        expect(result.tokensInput).toBe(result.modelCalls.reduce((sum, one) => sum + one.tokensInput, 0));
        const last = result.trace.at(-1)?.type;
        if (result.kind === 'failed') expect(last).toBe('callModel');
        else if (last === 'stop') expect(result.stopped).toBe(true);
        else expect(result).toMatchObject({ stopped: false, output: expect.any(String) });
      }),
    );
  });

  it('with branches ends within the step budget, accounts for every call, and costs the sum of its calls', async () => {
    await fc.assert(
      fc.asyncProperty(nested.list, fc.string(), fc.nat(), async (list, input, seed) => {
        const clock = createMemoryClock(0);
        const deadline = startDeadline(clock, DEADLINE_MS);
        const running = runFlow(
          flowSchema.parse(list),
          { conversation: conversationOf(input), username: undefined, executionId: 'e', deadline },
          flowPorts({
            clock,
            findProvider,
            random: createMemoryRandom(seed),
            costOf: (_p, _m, usage) => usage.output,
          }),
        );
        await clock.advance(DEADLINE_MS);
        const result = await running;
        deadline.end();

        expect(result.trace.length).toBeLessThanOrEqual(1_000);
        // No fallbacks here: each call that was made is one step of the trace.
        const asked = result.trace.filter(
          ({ type, decision }) => type === 'callModel' && decision !== undefined,
        );
        expect(result.modelCalls.length).toBe(asked.length);
        expect(result.costMicrodollars).toBe(
          result.modelCalls.reduce((sum, { costMicrodollars }) => sum + (costMicrodollars ?? Number.NaN), 0),
        );
        for (const call of result.modelCalls) expect(call.costMicrodollars).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('with fallbacks names in its trace every model that was asked, and counts every attempt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fullCall, { minLength: 1, maxLength: 4 }), async (list) => {
        const clock = createMemoryClock(0);
        const deadline = startDeadline(clock, DEADLINE_MS);
        const asked = new Map<string, ReturnType<typeof createMemoryProvider>>();
        const counting = (name: string) => {
          if (name === 'none') return undefined;
          const known =
            asked.get(name) ??
            createMemoryProvider((request) => providers[name as keyof typeof providers].generate(request));
          asked.set(name, known);
          return { provider: known, timeoutMs: undefined };
        };
        const running = runFlow(
          flowSchema.parse(list),
          { conversation: conversationOf('Hello'), username: undefined, executionId: 'e', deadline },
          flowPorts({ clock, findProvider: counting }),
        );
        await clock.advance(DEADLINE_MS);
        const { trace, modelCalls } = await running;
        deadline.end();

        const named = trace.flatMap(({ decision }) => decision?.split(' → ') ?? []);
        expect(named.map((part) => part.split(' [')[0])).toEqual(
          modelCalls.map((call) => `${call.provider}/${call.model}`),
        );
        for (const name of ['good', 'bad', 'silent']) {
          const attempts = modelCalls.filter((call) => call.provider === name);
          expect(attempts.reduce((sum, call) => sum + call.attempts, 0)).toBe(
            asked.get(name)?.requests.length ?? 0,
          );
        }
      }),
    );
  });

  it('with branches loses nothing when it is parsed, printed as a settings file and parsed again', () => {
    const flat = fc.array(fc.oneof(fullCall, step), { minLength: 1, maxLength: 2 });
    const split = fc.record({ percentageA: fc.constantFrom(0, 12.5, 33.33), a: flat, b: flat });
    const condition = fc.record({
      any: fc.uniqueArray(fc.constantFrom('a', '- b', 'c: d', '"', '__proto__', '#'), { minLength: 1 }),
      match: fc.constantFrom('substring', 'word', 'regex'),
      ...branches(flat),
    });
    const anything = fc.array(
      fc.oneof(
        fullCall,
        step,
        fc.record({ randomizedSplit: split }),
        fc.record({ ifOutputContains: condition }),
      ),
      { minLength: 1, maxLength: 2 },
    );
    fc.assert(
      fc.property(anything, (flow) => {
        const { documents, diagnostics } = parseYaml('printed.yaml', printYaml([{ flow }]));
        expect(diagnostics).toEqual([]);
        const [printed] = documents.map(({ value }) => value as { flow: unknown });
        expect(printed).toEqual({ flow });
        const parsed = flowSchema.parse(flow);
        expect(flowSchema.parse(printed?.flow)).toEqual(parsed);
        // What parsing adds are defaults, and it changes durations alone.
        expect(JSON.parse(JSON.stringify(parsed), withoutTimes)).toMatchObject(
          JSON.parse(JSON.stringify(flow), withoutTimes),
        );
      }),
    );
  });
});
