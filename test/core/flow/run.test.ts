// A flow from its first step to its end, with providers in memory.

import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { conversationOf, inputOf, userMessage } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { STEPS } from '../../../core/flow/steps.ts';
import type { ModelProvider } from '../../../core/ports/providers.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';
import { type Flow, flowSchema } from '../../../core/settings/flow-schema.ts';
import { type Deadline, startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryProvider, type MemoryProvider } from '../../support/memory/providers.ts';
import { flowPorts } from './flow-ports.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 30, 0);
const clock = createMemoryClock(NOW_MS);
let deadline: Deadline;
afterEach(() => deadline.end());

function run(steps: unknown, provider: ModelProvider = createMemoryProvider(), input = 'Hello') {
  deadline = startDeadline(clock, clock.now() + 60_000);
  const context = { conversation: conversationOf(input), username: 'ann', executionId: 'exec-1', deadline };
  const findProvider = (name: string) => (name === 'demo' ? { provider, timeoutMs: undefined } : undefined);
  return runFlow(flowSchema.parse(steps), context, flowPorts({ clock, findProvider }));
}

const call = { callModel: { provider: 'demo', model: 'm-1', retries: 0 } };

describe('a flow', () => {
  it('calls the model with the input and serves its text at the end of the list', async () => {
    const provider = createMemoryProvider(() => ({ text: 'Hi there' }));
    const result = await run([call], provider);
    expect(result).toMatchObject({ kind: 'done', output: 'Hi there', stopped: false });
    expect(provider.requests[0]).toMatchObject({
      model: 'm-1',
      messages: [userMessage('Hello')],
      system: [],
      maxTokens: 1024,
    });
  });

  it('records the model call with its tokens, its finish and the reported version', async () => {
    const result = await run([call]);
    expect(result.modelCalls).toEqual([
      {
        provider: 'demo',
        model: 'm-1',
        modelVersion: 'model-1',
        finish: 'stop',
        tokensInput: 3,
        tokensOutput: 5,
        costMicrodollars: null,
        estimated: false,
        attempts: 1,
        latencyMs: 0,
      },
    ]);
    expect(result).toMatchObject({ tokensInput: 3, tokensOutput: 5, providerMs: 0 });
  });

  it('has no negative times when the clock leaps back while it runs', async () => {
    const provider = createMemoryProvider(() => {
      clock.leap(-1_875);
      return { text: 'Hi' };
    });
    const result = await run([call, { serveOutput: {} }], provider);
    clock.leap(1_875);
    expect(result.modelCalls).toMatchObject([{ latencyMs: 0 }]);
    expect(result.trace.map(({ atMs }) => atMs)).toEqual([0, 0]);
  });

  it('adds up the tokens of all its calls', async () => {
    const result = await run([call, call]);
    expect(result).toMatchObject({ tokensInput: 6, tokensOutput: 10 });
  });

  it('hands each model the output of the one before', async () => {
    const provider = createMemoryProvider(({ messages }) => ({ text: `<${inputOf({ messages })}>` }));
    const second = { callModel: { provider: 'demo', model: 'm-2', prompt: 'again {{output}}' } };
    expect(await run([call, second], provider)).toMatchObject({ output: '<again <Hello>>' });
  });

  it('sets the system text, and adds to it as a paragraph of its own', async () => {
    const provider = createMemoryProvider();
    await run(
      [
        { systemInstructions: 'Be brief.' },
        { systemInstructions: { text: 'Call me {{username}}.', append: true } },
        call,
        { systemInstructions: { text: 'Be long.' } },
        call,
      ],
      provider,
    );
    expect(provider.requests.map((request) => request.system)).toEqual([
      [{ text: 'Be brief.\n\nCall me ann.' }],
      [{ text: 'Be long.' }],
    ]);
  });

  it('takes the first added system text as the whole one', async () => {
    const provider = createMemoryProvider();
    await run([{ systemInstructions: { text: 'Be brief.', append: true } }, call], provider);
    expect(provider.requests[0]?.system).toEqual([{ text: 'Be brief.' }]);
  });

  it('passes every setting of a call to the provider, and only those that are set', async () => {
    const provider = createMemoryProvider();
    const settings = { temperature: 0.5, topP: 0.9, maxTokens: 7, stopSequences: ['END'], seed: 4 };
    await run([{ callModel: { provider: 'demo', model: 'm-1', ...settings } }, call], provider);
    expect(provider.requests[0]).toMatchObject(settings);
    expect(Object.keys(provider.requests[1] ?? {}).sort()).toEqual([
      'maxTokens',
      'messages',
      'model',
      'signal',
      'system',
    ]);
  });

  it('ends at serveOutput with the output, and runs nothing after it', async () => {
    const provider = createMemoryProvider();
    const result = await run([call, { serveOutput: {} }, call], provider);
    expect(result).toMatchObject({ kind: 'done', output: 'answer', stopped: false });
    expect(provider.requests).toHaveLength(1);
  });

  it('ends at serveOutput with a text of its own, filled in', async () => {
    expect(await run([call, { serveOutput: { text: '[{{output}}]' } }])).toMatchObject({
      output: '[answer]',
    });
  });

  it('serves the empty text when no model was called', async () => {
    expect(await run([{ systemInstructions: 'x' }])).toMatchObject({ kind: 'done', output: '' });
    expect(await run([{ serveOutput: {} }])).toMatchObject({ kind: 'done', output: '' });
  });

  it('stops without output, whatever a model said before', async () => {
    const result = await run([call, { stop: {} }]);
    expect(result).toMatchObject({ kind: 'done', output: undefined, stopped: true });
  });

  it('stops with a text', async () => {
    const result = await run([{ stop: { text: 'Not today, {{username}}.' } }]);
    expect(result).toMatchObject({ kind: 'done', output: 'Not today, ann.', stopped: true });
  });

  it('is stopped by a content filter, with the text that passed it', async () => {
    const cut = createMemoryProvider(() => ({ finish: 'filtered', text: 'I cannot' }));
    expect(await run([call, call], cut)).toMatchObject({ kind: 'done', output: 'I cannot', stopped: true });
    expect(cut.requests).toHaveLength(1);
    const empty = createMemoryProvider(() => ({ finish: 'filtered', text: '' }));
    expect(await run([call], empty)).toMatchObject({ kind: 'done', output: undefined, stopped: true });
  });

  it('serves an answer that was cut at maxTokens like any other', async () => {
    const provider = createMemoryProvider(() => ({ finish: 'length', text: 'half an ans' }));
    expect(await run([call], provider)).toMatchObject({
      kind: 'done',
      output: 'half an ans',
      stopped: false,
    });
  });

  it('fills in the moment at which the run began', async () => {
    expect(await run([{ serveOutput: { text: '{{now}} {{execution.id}}' } }])).toMatchObject({
      output: '2026-11-21T12:30:00.000Z exec-1',
    });
  });
});

describe('the trace', () => {
  it('has each step that ran, with its raw texts', async () => {
    const result = await run([{ systemInstructions: 'Be brief.' }, call, { serveOutput: {} }, call]);
    expect(result.trace).toEqual([
      { type: 'systemInstructions', atMs: 0, decision: 'set', output: 'Be brief.' },
      { type: 'callModel', atMs: 0, decision: 'demo/m-1', input: 'Hello', output: 'answer' },
      { type: 'serveOutput', atMs: 0, output: 'answer' },
    ]);
  });

  it('ends with the step that failed, after all that ran before it', async () => {
    const provider = createMemoryProvider(() => {
      throw new ProviderFailure('unavailable', { status: 500 });
    });
    const result = await run([{ systemInstructions: 'Be brief.' }, call, { serveOutput: {} }], provider);
    expect(result.trace.map((step) => step.type)).toEqual(['systemInstructions', 'callModel']);
    expect(result.trace[1]).toEqual({
      type: 'callModel',
      atMs: 0,
      decision: 'demo/m-1 [unavailable (HTTP 500)]',
      input: 'Hello',
    });
  });
});

describe('a list of steps that a step chooses', () => {
  it('is run before the rest, and may end the run', async () => {
    deadline = startDeadline(clock, 60_000);
    const context = { conversation: conversationOf(''), username: undefined, executionId: 'e', deadline };
    const flow = flowSchema.parse([
      { randomizedSplit: { percentageA: 100, a: [{ systemInstructions: 'x' }] } },
      { serveOutput: { text: 'after' } },
    ]);
    const ports = flowPorts({ clock });
    const choosing = (next: Flow) => ({
      ...STEPS,
      randomizedSplit: () => ({ trace: { decision: 'a' }, next }),
    });
    const through = await runFlow(flow, context, ports, choosing([{ systemInstructions: 'x' }]));
    expect(through).toMatchObject({ output: 'after' });
    expect(through.trace.map(({ type }) => type)).toEqual([
      'randomizedSplit',
      'systemInstructions',
      'serveOutput',
    ]);
    const ended = await runFlow(flow, context, ports, choosing([{ stop: { text: 'within' } }]));
    expect(ended).toMatchObject({ output: 'within', stopped: true });
  });
});

describe('a run that fails', () => {
  const failing = (thrown: unknown): MemoryProvider =>
    createMemoryProvider(() => {
      throw thrown;
    });

  it('refuses a call of a provider that the organization has not, and of a step that is not built', async () => {
    const unknown = await run([{ callModel: { provider: 'other', model: 'm-1' } }]);
    expect(unknown).toMatchObject({
      kind: 'failed',
      rejection: { code: 'configuration', reason: 'the organization has no provider other' },
    });
    const unbuilt = await runFlow(
      [{ constructor: {} } as never],
      { conversation: conversationOf(''), username: undefined, executionId: 'e', deadline },
      flowPorts({ clock }),
    );
    expect(unbuilt).toMatchObject({ kind: 'failed', rejection: { code: 'configuration' } });
  });

  it('keeps what was counted when a later call fails', async () => {
    let calls = 0;
    const provider = createMemoryProvider(() => {
      calls += 1;
      if (calls === 2) throw new ProviderFailure('rate_limited', { status: 429, retryAfterMs: 7_000 });
      return {};
    });
    const result = await run([call, call], provider);
    expect(result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'upstream_unavailable', retryAfterMs: 7_000 },
      tokensInput: 3,
      tokensOutput: 5,
    });
    expect(result.modelCalls.map((one) => one.finish)).toEqual(['stop', 'rate_limited']);
  });

  it('lets a refusal of a port through as it is', async () => {
    const result = await run(
      [call],
      failing(new ServiceError('dependency_unavailable', { reason: 'no secret' })),
    );
    expect(result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'dependency_unavailable', reason: 'no secret' },
    });
    expect(result.modelCalls[0]).toMatchObject({ finish: 'dependency_unavailable', tokensInput: 0 });
  });

  it('reports any unexpected error as internal and keeps its cause', async () => {
    const cause = new TypeError('boom');
    const result = await run([call], failing(cause));
    expect(result.kind === 'failed' && result.rejection).toMatchObject({ code: 'internal', cause });
  });
});
