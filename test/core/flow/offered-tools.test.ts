// A call of a tool that nobody offered is a malformed answer: asked for again, then 503, booked as it was reported, and no failure of the provider.
import { describe, expect, it } from 'vitest';
import { type Conversation, type ToolCall, userMessage } from '../../../core/conversation/conversation.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { Spending } from '../../../core/limits/budget.ts';
import { toModelEvents } from '../../../core/ports/model-events.ts';
import type { ModelProvider, ModelResult } from '../../../core/ports/providers.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { flowPorts } from './flow-ports.ts';

const USAGE = { input: 20, output: 12 };
const call = (name: string): ToolCall => ({ id: `c-${name}`, name, arguments: {} });
const answer = (text: string, ...names: string[]): ModelResult => ({
  text,
  toolCalls: names.map(call),
  finish: names.length === 0 ? 'stop' : 'toolCalls',
  usage: USAGE,
  modelVersion: undefined,
});

const OFFERED: Conversation = {
  system: [],
  messages: [userMessage('Hello')],
  tools: [{ name: 'look_up', parameters: { type: 'object' } }],
  parameters: {},
};

async function ask(
  answers: readonly ModelResult[],
  { conversation = OFFERED, isStreamed = false, retries = 1 } = {},
) {
  const clock = createMemoryClock(0);
  const spent: Spending[] = [];
  const seen: string[] = [];
  const breakers = createCircuitBreakers(clock).within('n');
  let asked = 0;
  const next = (): ModelResult => answers[Math.min(asked++, answers.length - 1)] as ModelResult;
  const provider: ModelProvider = {
    generate: async () => next(),
    async *stream() {
      yield* toModelEvents(next());
    },
  };
  const flow = flowSchema.parse([
    { callModel: { provider: 'demo', model: 'm', retries, accepts: ['tools', 'history'] } },
  ]);
  const deadline = startDeadline(clock, 60_000);
  const running = runFlow(
    flow,
    { conversation, username: undefined, executionId: 'e', deadline },
    flowPorts({
      clock,
      breakers,
      reserveAttempt: async () => ({ settle: (spending) => void spent.push(spending) }),
      findProvider: () => ({ provider, timeoutMs: undefined }),
      ...(isStreamed
        ? {
            sink: {
              text: async (text: string) => void seen.push(text),
              toolCall: async ({ name }: ToolCall) => void seen.push(`call of ${name}`),
            },
          }
        : {}),
    }),
  );
  // Waits between attempts.
  await clock.advance(40_000);
  const result = await running;
  return { result, asked, spent, seen, waitMs: breakers.retryAfterMs('demo/m') };
}

describe.each([false, true])('a call of a tool that nobody offered, streamed: %s', (isStreamed) => {
  it('is asked for again', async () => {
    const { result, asked, seen } = await ask([answer('', 'delete_all'), answer('', 'look_up')], {
      isStreamed,
    });
    expect(result).toMatchObject({ kind: 'done', toolCalls: [{ name: 'look_up' }] });
    expect(asked).toBe(2);
    expect(seen).toEqual(isStreamed ? ['call of look_up'] : []);
  });

  it('is 503 then, booked at what the provider reported', async () => {
    const { result, spent, seen } = await ask([answer('', 'delete_all')], { isStreamed });
    expect(result).toMatchObject({
      kind: 'failed',
      rejection: { code: 'upstream_unavailable' },
      modelCalls: [{ finish: 'malformed_answer', tokensInput: 40, tokensOutput: 24, estimated: false }],
    });
    expect(spent.map(({ tokens }) => tokens)).toEqual([32, 32]);
    expect(seen).toEqual([]);
  });

  it('is one where it stands beside an offered one, and where no tool was offered at all', async () => {
    const beside = await ask([answer('', 'look_up', 'delete_all')], { isStreamed });
    expect(beside.result.kind).toBe('failed');
    const none = await ask([answer('', 'look_up')], { isStreamed, conversation: { ...OFFERED, tools: [] } });
    expect(none.result.kind).toBe('failed');
  });

  it('says nothing about the health of its provider', async () => {
    const { waitMs, asked } = await ask([answer('', 'delete_all')], { isStreamed, retries: 5 });
    expect(asked).toBe(6);
    expect(waitMs).toBe(0);
  });
});

it('a call of a tool that nobody offered ends a stream that has begun, and is never seen', async () => {
  const { result, asked, seen } = await ask([answer('Let me see.', 'delete_all')], { isStreamed: true });
  expect(result).toMatchObject({ kind: 'failed', rejection: { code: 'upstream_unavailable' } });
  expect(seen).toEqual(['Let me see.']);
  expect(asked).toBe(1);
});
