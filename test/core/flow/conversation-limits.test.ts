// Conversations at once against a limit that has room for some: as many are admitted as reservations fit, whoever comes when.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCounterStore } from '../../../adapters/dynamodb/counters.ts';
import { toServiceError } from '../../../core/contract/service-error.ts';
import { estimateFirstAttempt } from '../../../core/flow/first-attempt.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import type { ModelProvider } from '../../../core/ports/providers.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { IMAGES } from '../../support/any-conversation.ts';
import { startDynamoDb } from '../../support/dynamodb.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryProvider } from '../../support/memory/providers.ts';
import { budgetOf, limited } from '../limits/limited.ts';
import { flowPorts } from './flow-ports.ts';

const CALLERS = 64;
const FIT = 10;

const body = JSON.stringify({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"a":"é"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGES['image/png']}` } },
      ],
    },
  ],
  tools: [{ type: 'function', function: { name: 'look_up' } }],
});
const { conversation } = parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 10_000);
const flow = flowSchema.parse([
  {
    callModel: {
      provider: 'demo',
      model: 'm',
      maxTokens: 100,
      retries: 0,
      accepts: ['system', 'history', 'tools', 'images'],
    },
  },
]);

/**
 * Bytes of everything that is sent (the system text 9, Hello 5, look_up with {"a":"é"} 16, found 5, And this? 9), 64 for each of these
 * five; 6,000 for the image; the tool as JSON (67) and 64; maxTokens.
 */
const RESERVATION = 44 + 5 * 64 + 6_000 + (67 + 64) + 100;

/** Nothing answers before every caller is either asking its model or refused. */
async function callAtOnce(counters: CounterStore): Promise<{ codes: readonly string[]; asked: number }> {
  const clock = createMemoryClock(0);
  let decided = 0;
  let release = () => {};
  const everyone = new Promise<void>((resolve) => {
    release = resolve;
  });
  const decide = (): void => {
    decided += 1;
    if (decided === CALLERS) release();
  };
  const asking: ModelProvider = createMemoryProvider(async () => {
    decide();
    await everyone;
    return { usage: { input: 50, output: 7 } };
  });
  const requests = limited({
    rateLimits: [
      { metric: 'tokens', scope: 'total', limit: FIT * RESERVATION + RESERVATION - 1, period: '1d' },
    ],
  });
  const callOnce = async (): Promise<string> => {
    const budget = budgetOf(requests, counters);
    const deadline = startDeadline(clock, 60_000);
    const context = { conversation, username: undefined, executionId: 'e', deadline };
    const ports = flowPorts({
      clock,
      reserveAttempt: budget.reserveAttempt,
      findProvider: () => ({ provider: asking, timeoutMs: undefined }),
    });
    try {
      await budget.admit(await estimateFirstAttempt(flow, context, ports));
    } catch (thrown) {
      decide();
      return toServiceError(thrown).code;
    } finally {
      deadline.end();
    }
    const result = await runFlow(flow, { ...context, deadline: startDeadline(clock, 60_000) }, ports);
    await Promise.all(budget.close().map((one) => counters.settle(one)));
    return result.kind;
  };
  const codes = await Promise.all(Array.from({ length: CALLERS }, callOnce));
  return { codes, asked: (asking as ReturnType<typeof createMemoryProvider>).requests.length };
}

async function openDynamodb(): Promise<CounterStore> {
  const { client, tables, stop } = await startDynamoDb();
  onTestFinished(stop);
  return createCounterStore(client, tables.counters);
}

describe(`${CALLERS} conversations at once against a token limit with room for ${FIT}`, () => {
  it.each([
    ['memory', async () => createMemoryCounters()],
    ['DynamoDB', openDynamodb],
  ])('are admitted exactly as far as their reservations fit, with counters in %s', async (_where, open) => {
    const counters = await open();
    const { codes, asked } = await callAtOnce(counters);
    expect(asked).toBe(FIT);
    expect(codes.filter((code) => code === 'done')).toHaveLength(FIT);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(CALLERS - FIT);
  });
});
