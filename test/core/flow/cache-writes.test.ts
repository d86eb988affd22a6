// What is reserved where a prompt cache is asked for, and what providers report of it.
import { describe, expect, it } from 'vitest';
import { toUsage as toAnthropicUsage } from '../../../adapters/providers/anthropic/response.ts';
import { toUsage as toBedrockUsage } from '../../../adapters/providers/bedrock/response.ts';
import { toUsage as toOpenaiUsage } from '../../../adapters/providers/openai/response.ts';
import type { CacheHint, Message } from '../../../core/conversation/conversation.ts';
import { estimateTokens } from '../../../core/flow/usage-totals.ts';

const hour: CacheHint = { ttl: '1h' };
const minutes: CacheHint = { ttl: '5m' };
const user = (cache?: CacheHint): Message => ({
  role: 'user',
  content: [{ type: 'text', text: 'Hello', ...(cache === undefined ? {} : { cache }) }],
});
const request = { system: [{ text: 'Be brief.' }], messages: [user()], maxTokens: 10 };

describe('the reservation of a call', () => {
  // 9 and 5 bytes, 64 for each of two texts.
  const input = 142;

  it('is for plain input without a wish for the prompt cache', () => {
    expect(estimateTokens(request)).toEqual({ input, output: 10 });
  });

  it.each([
    ['a system text', { ...request, system: [{ text: 'Be brief.', cache: minutes }] }],
    ['a turn of the user', { ...request, messages: [user(minutes)] }],
  ])('is for writing all of it where %s is to be kept', (_what, marked) => {
    expect(estimateTokens(marked)).toEqual({ input, output: 10, cacheWrite: input });
  });

  it.each([
    ['an answer', { role: 'assistant', blocks: [{ type: 'text', text: '', cache: hour }] }],
    ['the result of a tool', { role: 'tool', toolCallId: '', content: [], cache: hour }],
    [
      'a part of a result',
      { role: 'tool', toolCallId: '', content: [{ type: 'text', text: '', cache: hour }] },
    ],
    ['a system text between turns', { role: 'system', text: '', cache: hour }],
  ] as const)('is for an hour where %s is to be kept for one', (_what, message: Message) => {
    const all = input + 64;
    expect(estimateTokens({ ...request, messages: [user(minutes), message] })).toEqual({
      input: all,
      output: 10,
      cacheWrite1h: all,
    });
  });

  it('looks at tools too', () => {
    const tools = [{ name: 'a', parameters: {}, cache: hour }];
    expect(estimateTokens({ ...request, tools })).toHaveProperty('cacheWrite1h');
  });
});

describe('the usage that a provider reports', () => {
  it('of Anthropic splits writes into 5 minutes and an hour', () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 7,
      cache_creation_input_tokens: 456,
      cache_read_input_tokens: 1000,
      cache_creation: { ephemeral_5m_input_tokens: 356, ephemeral_1h_input_tokens: 100 },
    };
    const expected = { input: 1466, output: 7, cachedInput: 1000, cacheWrite: 356, cacheWrite1h: 100 };
    expect(toAnthropicUsage(usage)).toEqual(expected);
  });

  it('of Bedrock splits them by the details of the cache', () => {
    const usage = {
      inputTokens: 10,
      outputTokens: 7,
      cacheWriteInputTokens: 456,
      cacheReadInputTokens: 0,
      cacheDetails: [
        { ttl: '1h', inputTokens: 100 },
        { ttl: '5m', inputTokens: 356 },
      ],
    };
    expect(toBedrockUsage(usage)).toEqual({ input: 466, output: 7, cacheWrite: 356, cacheWrite1h: 100 });
  });

  it('never has more written for an hour than was written', () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 5 };
    const more = { ...usage, cache_creation: { ephemeral_1h_input_tokens: 900 } };
    expect(toAnthropicUsage(more)).toEqual({ input: 6, output: 1, cacheWrite1h: 5 });
  });

  it('of compatible endpoints is read where they count writes', () => {
    const usage = {
      prompt_tokens: 50,
      completion_tokens: 5,
      prompt_tokens_details: { cache_write_tokens: 40 },
    };
    expect(toOpenaiUsage(usage)).toEqual({ input: 50, output: 5, cacheWrite: 40 });
  });
});
