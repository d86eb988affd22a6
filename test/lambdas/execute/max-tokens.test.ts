// The longest answer of a call: whose limit counts, what is sent and reserved, and who is told of a cut.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

/** A neuron whose model cuts its answer; `broken` models are unavailable. */
function openNeuron(callModel: object, tokensPerDay = 1_000_000, broken: readonly string[] = []) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const sent: { readonly model: string; readonly max_tokens: number }[] = [];
  const rule = { metric: 'tokens', scope: 'total', limit: tokensPerDay, period: '1d' };
  const call = { provider: 'model', model: 'gpt-4o', retries: 0, accepts: ['parameters'], ...callModel };
  const ports = portsOf(
    {
      providers: { model: { type: 'openai', baseUrl: 'https://api.example.com/v1' } },
      neurons: { hello: { settings: { rateLimits: [rule] }, flow: [{ callModel: call }] } },
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: (request) => {
        const body = JSON.parse(request.body ?? '{}');
        sent.push(body);
        const answer = {
          choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'length' }],
          usage: { prompt_tokens: 10, completion_tokens: 5 },
        };
        return createStreamHttp({
          status: broken.includes(body.model) ? 503 : 200,
          headers: { 'content-type': 'application/json' },
          pieces: [JSON.stringify(answer)],
        }).openHttp(request);
      },
    },
  );
  return {
    sent,
    entries,
    async ask(maxTokens?: number) {
      const parameters = maxTokens === undefined ? {} : { parameters: { maxTokens } };
      const json = { messages: [{ role: 'user', content: 'Hello' }], ...parameters };
      const event = eventOf('hello', json, { stream: false }, 'call-1', clock);
      return finish(await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports));
    },
  };
}

const maxTokensOf = ({ sent }: Pick<ReturnType<typeof openNeuron>, 'sent'>) =>
  sent.map(({ max_tokens }) => max_tokens);

describe('the longest answer', () => {
  it.each([
    ['the default where nobody says one', {}, undefined, 1_024],
    ['the caller’s above the default', {}, 5_000, 5_000],
    ['the caller’s below the default', {}, 5, 5],
    ['at most the maximum of the model', {}, 64_000, 16_384],
    ['at most 32,000 for a model that is not known', { model: 'm' }, 64_000, 32_000],
    ['at most that of the step', { maxTokens: 300 }, 5_000, 300],
    [
      'that of the step, though it is beyond the maximum that is known',
      { maxTokens: 20_000 },
      64_000,
      20_000,
    ],
  ])('is %s', async (_what, step, asked, expected) => {
    const neuron = openNeuron(step);
    expect((await neuron.ask(asked)).status).toBe(200);
    expect(maxTokensOf(neuron)).toEqual([expected]);
  });

  it('is that of each model by itself', async () => {
    const fallbacks = [{ provider: 'model', model: 'claude-3-haiku-20240307' }];
    const neuron = openNeuron({ fallbacks }, 1_000_000, ['gpt-4o']);
    await neuron.ask(64_000);
    expect(maxTokensOf(neuron)).toEqual([16_384, 4_096]);
  });

  it('is reserved before the model is asked', async () => {
    // 5 bytes and 64 for the message, and what is asked for.
    const room = 5 + 64 + 16_384;
    const enough = openNeuron({}, room);
    expect((await enough.ask(64_000)).status).toBe(200);
    const short = openNeuron({}, room - 1);
    expect((await short.ask(64_000)).status).toBe(429);
    expect(short.sent).toEqual([]);
    expect((await short.ask(16_383)).status).toBe(200);
  });

  it('is not the caller’s to say where the step takes no parameters', async () => {
    const neuron = openNeuron({ accepts: ['history'] });
    const { status, body } = await neuron.ask(5_000);
    expect(status).toBe(422);
    expect(JSON.parse(body)).toMatchObject({ code: 'not_accepted' });
    expect(neuron.sent).toEqual([]);
  });
});

describe('the entry of an answer that was cut', () => {
  it.each([
    ['by the step', { maxTokens: 300 }, 5_000, 300],
    ['by the step, of which the caller said nothing', { maxTokens: 300 }, undefined, 300],
    ['by the default', {}, undefined, 1_024],
    ['by the maximum of the model', {}, 64_000, 16_384],
  ])('%s says so', async (_by, step, asked, cutAt) => {
    const { ask, entries } = openNeuron(step);
    await ask(asked);
    expect(entries[0]?.modelCalls).toMatchObject([{ finish: 'length', cutAt }]);
    expect(entries[0]?.trace[0]?.decision).toBe(
      `model/gpt-4o [cut at ${cutAt} tokens, which the caller did not ask for]`,
    );
  });

  it.each([
    ['its caller wanted', {}, 5_000],
    ['its caller wanted, below the step', { maxTokens: 300 }, 200],
  ])('says nothing of a cut that %s', async (_what, step, asked) => {
    const { ask, entries } = openNeuron(step);
    await ask(asked);
    expect(entries[0]?.modelCalls[0]).not.toHaveProperty('cutAt');
    expect(entries[0]?.trace[0]?.decision).toBe('model/gpt-4o');
  });
});
