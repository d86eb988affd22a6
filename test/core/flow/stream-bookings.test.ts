// What is booked for a streamed attempt that did not end: the most that it can have used, or what was reported where that is more.
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { Spending } from '../../../core/limits/budget.ts';
import { type ModelEvent, type ModelProvider, ProviderFailure } from '../../../core/ports/providers.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { flowPorts } from './flow-ports.ts';

/** `Hello` may use 5 + 64 tokens of input, and 10 of output. */
const MOST = 79;

type Script = readonly (ModelEvent | Error | 'silence')[];

async function booked(script: Script, deadline: string): Promise<{ spent: Spending[]; finish: unknown }> {
  const clock = createMemoryClock(0);
  const spent: Spending[] = [];
  async function* stream(): AsyncGenerator<ModelEvent> {
    for (const one of script) {
      if (one === 'silence') await clock.sleep(3_600_000);
      else if (one instanceof Error) throw one;
      else yield one;
    }
  }
  const generate: ModelProvider['generate'] = () => Promise.reject(new Error('the call is streamed'));
  const running = runFlow(
    flowSchema.parse([{ callModel: { provider: 'demo', model: 'm', maxTokens: 10, retries: 0 } }]),
    {
      ...{ conversation: conversationOf('Hello'), username: undefined, executionId: 'e' },
      deadline: startDeadline(clock, deadline === 'short' ? 10_000 : 3_000_000),
    },
    flowPorts({
      clock,
      reserveAttempt: async () => ({ settle: (spending) => void spent.push(spending) }),
      findProvider: () => ({ provider: { generate, stream }, timeoutMs: 20_000 }),
      sink: { text: async () => undefined, toolCall: async () => undefined },
    }),
  );
  await clock.advance(60_000);
  return { spent, finish: (await running).modelCalls[0]?.finish };
}

const opened: ModelEvent = { type: 'opened' };
const text: ModelEvent = { type: 'text', text: 'Hel' };
const reported = (input: number, output: number): ModelEvent => ({
  type: 'progress',
  usage: { input, output },
});
const cut = (input: number, output: number) =>
  new ProviderFailure('truncated', { status: 200, usage: { input, output } });

describe('a streamed attempt that did not end', () => {
  it.each<[string, Script, string, number, string]>([
    [
      'is cut and had reported nothing',
      [opened, text, new ProviderFailure('truncated')],
      '',
      MOST,
      'truncated',
    ],
    ['is cut and had reported little', [opened, text, cut(7, 2)], '', MOST, 'truncated'],
    [
      'is cut and had reported more input than anyone could expect',
      [opened, cut(500, 2)],
      '',
      510,
      'truncated',
    ],
    ['is cut and had reported more output', [opened, text, cut(7, 300)], '', 369, 'truncated'],
    ['ends without an end', [opened, reported(500, 2), text], '', 510, 'truncated'],
    ['stalls before its first event', [opened, 'silence'], '', MOST, 'truncated'],
    ['stalls after it reported', [opened, reported(500, 2), text, 'silence'], '', 510, 'truncated'],
    ['never begins', ['silence'], '', MOST, 'timeout'],
    ['is reached by the deadline', [opened, text, 'silence'], 'short', MOST, 'deadline_exceeded'],
    [
      'is reached by the deadline after it reported',
      [opened, reported(500, 2), text, 'silence'],
      ...(['short', 510, 'deadline_exceeded'] as const),
    ],
  ])('%s', async (_what, script, deadline, tokens, finish) => {
    expect(await booked(script, deadline)).toEqual({
      spent: [{ tokens, costMicrodollars: null }],
      finish,
    });
  });
});
