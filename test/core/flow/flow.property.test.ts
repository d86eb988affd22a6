// Any flow that the schema takes ends, whatever its providers do, and says how.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryClock } from '../../../adapters/memory/clock.ts';
import { createMemoryProvider } from '../../../adapters/memory/providers.ts';
import { type Flow, flowSchema } from '../../../core/config/flow-schema.ts';
import { startDeadline } from '../../../core/flow/deadline.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';

const DEADLINE_MS = 60_000;
const text = fc.constantFrom(
  '{{input}}',
  '{{output}} {{output}}',
  '{{username}}{{nothing}}',
  'plain',
  '}}{{',
);
const optionalText = fc.oneof(fc.constant({}), fc.record({ text }));

const step = fc.oneof(
  fc.record({ systemInstructions: fc.record({ text, append: fc.boolean() }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      callModel: fc.record({
        provider: fc.constantFrom('good', 'bad', 'silent', 'none'),
        model: fc.constant('m'),
        prompt: text,
      }),
    }),
  },
  fc.record({ serveOutput: optionalText }),
  fc.record({ stop: optionalText }),
);

const flows = fc.array(step, { minLength: 1, maxLength: 12 }).map((steps): Flow => flowSchema.parse(steps));

const providers = {
  good: createMemoryProvider(({ prompt }) => ({ text: prompt })),
  bad: createMemoryProvider(() => {
    throw new ProviderFailure('unavailable');
  }),
  silent: createMemoryProvider(() => new Promise(() => {})),
};

function findProvider(name: string) {
  const provider = Object.hasOwn(providers, name) ? providers[name as keyof typeof providers] : undefined;
  return provider && { provider, timeoutMs: undefined };
}

describe('any flow', () => {
  it('ends by its deadline, with a trace of what ran and a sum of its calls', async () => {
    await fc.assert(
      fc.asyncProperty(flows, fc.string(), async (flow, input) => {
        const clock = createMemoryClock(0);
        const deadline = startDeadline(clock, DEADLINE_MS);
        const running = runFlow(
          flow,
          { input, username: undefined, executionId: 'e', deadline },
          { clock, findProvider },
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
});
