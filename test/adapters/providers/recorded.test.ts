// Answers that the real services gave, as other projects recorded them, through each adapter. Source and date are in the fixtures.
import { describe, expect, it } from 'vitest';
import { toAnthropicFailure } from '../../../adapters/providers/anthropic/errors.ts';
import { toModelResult as readMessage } from '../../../adapters/providers/anthropic/response.ts';
import { toBedrockFailure } from '../../../adapters/providers/bedrock/errors.ts';
import { toModelResult as readConverse } from '../../../adapters/providers/bedrock/response.ts';
import { toOpenaiFailure } from '../../../adapters/providers/openai/errors.ts';
import { createCompletionReader } from '../../../adapters/providers/openai/read-chunks.ts';
import { toModelResult as readCompletion } from '../../../adapters/providers/openai/response.ts';
import type { ModelResult } from '../../../core/ports/providers.ts';
import { readAnthropicFixture } from './anthropic/fake-anthropic.ts';
import { readBedrockFixture } from './bedrock/fake-bedrock.ts';
import { readOpenaiFixture } from './fake-http.ts';

const READ = {
  openai: (name: string) => readCompletion(readOpenaiFixture(name).body, 200),
  anthropic: (name: string) => readMessage(readAnthropicFixture(name).body, 200),
  bedrock: (name: string) => readConverse(readBedrockFixture(name).body, 200),
};

type Provider = keyof typeof READ;

describe('a recorded answer', () => {
  it.each<[Provider, string, ModelResult]>([
    [
      'openai',
      'recorded-two-calls',
      {
        text: '',
        toolCalls: [
          {
            id: 'call_eqbDFUdPqay2WjsSzZEiAn0U',
            name: 'get_current_weather',
            arguments: { location: 'Seattle, WA' },
          },
          {
            id: 'call_tn3sgasg6GaftTdancBYJNJN',
            name: 'get_current_weather',
            arguments: { location: 'San Francisco, CA' },
          },
        ],
        finish: 'toolCalls',
        usage: { input: 75, output: 51, cachedInput: 0, reasoning: 0 },
        modelVersion: 'gpt-4o-mini-2024-07-18',
      },
    ],
    [
      'openai',
      'recorded-text-after-results',
      {
        text: 'Today, the weather in Seattle is 50 degrees and raining, while San Francisco is enjoying 70 degrees and sunny weather.',
        finish: 'stop',
        usage: { input: 99, output: 25 },
        modelVersion: 'gpt-4o-mini-2024-07-18',
      },
    ],
    [
      'openai',
      // The reasoning is in the total alone: 506 - 291.
      'recorded-xai-call-with-reasoning',
      {
        text: '',
        toolCalls: [{ id: 'call_93562515', name: 'weather', arguments: { location: 'San Francisco' } }],
        blocks: [
          {
            type: 'thought',
            thought: {
              origin: 'openai',
              text: 'First, the user is asking about the weather in San Francisco.',
            },
          },
          {
            type: 'toolCall',
            call: { id: 'call_93562515', name: 'weather', arguments: { location: 'San Francisco' } },
          },
        ],
        finish: 'toolCalls',
        usage: { input: 291, output: 215, cachedInput: 244, reasoning: 189 },
        modelVersion: 'grok-3-mini',
      },
    ],
    [
      'openai',
      'recorded-deepseek-length',
      {
        text: 'sanitized',
        finish: 'length',
        usage: { input: 88, output: 4, cachedInput: 0, reasoning: 4 },
        modelVersion: 'deepseek-v4-flash',
      },
    ],
    [
      'openai',
      'refusal',
      {
        text: "I'm sorry, I cannot assist with that request.",
        finish: 'filtered',
        usage: { input: 81, output: 11 },
        modelVersion: 'gpt-4o-2024-08-06',
      },
    ],
    [
      'anthropic',
      'recorded-two-calls',
      {
        text: "Certainly! I'd be happy to help you with both the current weather in New York and the current time there. Let's use the available tools to get this information for you.",
        toolCalls: [
          {
            id: 'toolu_012r6TBCWjRHG71j6zruYyUL',
            name: 'get_weather',
            arguments: { location: 'New York, NY', unit: 'fahrenheit' },
          },
          {
            id: 'toolu_01SkeBKkLCNYWNuivqFerGDd',
            name: 'get_time',
            arguments: { timezone: 'America/New_York' },
          },
        ],
        finish: 'toolCalls',
        usage: { input: 514, output: 152 },
        modelVersion: 'claude-3-5-sonnet-20240620',
      },
    ],
    [
      'anthropic',
      'recorded-thinking-and-call',
      {
        text: '',
        blocks: [
          {
            type: 'thought',
            thought: {
              origin: 'anthropic',
              text: 'The user wants me to call checkSandboxErrors immediately.',
              payload: 'Eq4CCpIBCBIYAipAM',
            },
          },
          {
            type: 'toolCall',
            call: { id: 'toolu_017R7ACrx7NF7sLDDtvdQ1u9', name: 'checkSandboxErrors', arguments: {} },
          },
        ],
        toolCalls: [{ id: 'toolu_017R7ACrx7NF7sLDDtvdQ1u9', name: 'checkSandboxErrors', arguments: {} }],
        finish: 'toolCalls',
        usage: { input: 599, output: 59, reasoning: 18 },
        modelVersion: 'claude-sonnet-4-6',
      },
    ],
    [
      'anthropic',
      'recorded-cached',
      {
        text: '# What is Python?',
        finish: 'stop',
        usage: { input: 1114, output: 406, cachedInput: 1111 },
        modelVersion: 'claude-sonnet-4-5-20250929',
      },
    ],
    [
      'anthropic',
      'refusal',
      { text: '', finish: 'filtered', usage: { input: 18, output: 5 }, modelVersion: 'claude-fable-5' },
    ],
    [
      'bedrock',
      'recorded-two-calls',
      {
        text: "Sure! I'll look up both values simultaneously right away!",
        toolCalls: [
          { id: 'tooluse_hr5juciYZJwUHpRczsw13R', name: 'get_resistor_value', arguments: { ref: 'R1' } },
          { id: 'tooluse_AZHw3Ym0S07qOv5NlXj9iJ', name: 'get_capacitor_value', arguments: { ref: 'C1' } },
        ],
        finish: 'toolCalls',
        usage: { input: 694, output: 110 },
        modelVersion: undefined,
      },
    ],
    [
      'bedrock',
      'recorded-reasoning',
      {
        text: 'There are **3** r\'s in "strawberry":\n\n1. st**r**awbe**r****r**y',
        blocks: [
          {
            type: 'thought',
            thought: {
              origin: 'bedrock',
              text: 'Let me count the r\'s in "strawberry":\n\ns-t-r-a-w-b-e-r-r-y\n\nThere are 3 r\'s.',
              payload: 'EvYBCkgICxABGAIqQA9E9VC377',
            },
          },
          { type: 'text', text: 'There are **3** r\'s in "strawberry":\n\n1. st**r**awbe**r****r**y' },
        ],
        finish: 'stop',
        usage: { input: 51, output: 78 },
        modelVersion: undefined,
      },
    ],
    [
      'bedrock',
      'recorded-structured-length',
      {
        text: '{"reportMarkdown":"## Maintenance Backlog and Inspection Governance',
        finish: 'length',
        usage: { input: 7423, output: 3600 },
        modelVersion: undefined,
      },
    ],
    [
      'bedrock',
      'recorded-structured',
      {
        text: '{"assignments":[{"category":"a","id":"see_you_tuesday"},{"category":"b","id":"can_everyone_hear_me"}],"entities":[],"relations":[]}',
        finish: 'stop',
        usage: { input: 479, output: 45 },
        modelVersion: undefined,
      },
    ],
    [
      'bedrock',
      'guardrail',
      {
        text: 'Sorry, the model cannot answer this question.',
        finish: 'filtered',
        usage: { input: 18, output: 12 },
        modelVersion: undefined,
      },
    ],
  ])('of %s, %s, is read whole', (provider, name, result) => {
    expect(READ[provider](name)).toEqual(result);
  });
});

describe('a recorded error', () => {
  const failureOf = (provider: Provider, name: string) => {
    const read = { openai: readOpenaiFixture, anthropic: readAnthropicFixture, bedrock: readBedrockFixture }[
      provider
    ];
    const { status, headers = {}, body } = read(name);
    const toFailure = { openai: toOpenaiFailure, anthropic: toAnthropicFailure, bedrock: toBedrockFailure }[
      provider
    ];
    return toFailure({ status, headers, json: body }, 0);
  };

  it.each<[Provider, string, readonly string[]]>([
    ['openai', 'error-400-unsupported-parameter', ['maxTokens']],
    ['anthropic', 'error-400-temperature', ['temperature']],
    ['anthropic', 'error-400-tool-schema', ['tools']],
    ['bedrock', 'error-400-temperature', ['temperature']],
    ['bedrock', 'error-400-temperature-field', ['temperature']],
    ['bedrock', 'error-400-forced-tool', ['toolChoice']],
    ['bedrock', 'error-400-effort', ['reasoningEffort']],
    ['bedrock', 'error-400-open-tool-schema', ['tools']],
  ])('of %s, %s, blames %j', (provider, name, members) => {
    expect(failureOf(provider, name)).toMatchObject({ kind: 'configuration', members });
  });

  it.each([
    ['`temperature` and `top_p` cannot both be specified for this model.', ['temperature', 'topP']],
    ['max_tokens: 200000 > 64000, which is the maximum allowed', ['maxTokens']],
    ['output_config.format.schema: not supported', ['schema']],
    ['output_config.effort: not supported', ['reasoningEffort']],
    ['messages.0.content: `temperature` is deprecated for this model.', []],
    ['The text says tools are bad', []],
  ])('of Anthropic that says %j blames %j', (message, members) => {
    const json = { type: 'error', error: { type: 'invalid_request_error', message } };
    const kind = members.length === 0 ? 'rejected_input' : 'configuration';
    expect(toAnthropicFailure({ status: 400, headers: {}, json }, 0)).toMatchObject({ kind, members });
  });

  it('of Anthropic that says that the prompt is too long blames nothing but the length', () => {
    const message = 'prompt is too long: 300000 tokens > 200000 maximum';
    const json = { type: 'error', error: { type: 'invalid_request_error', message } };
    const failure = toAnthropicFailure({ status: 400, headers: {}, json }, 0);
    expect(failure).toMatchObject({ kind: 'context_too_long', members: [] });
  });
});

describe('a refusal to fill a schema', () => {
  it('is one when it is streamed too', () => {
    const reader = createCompletionReader();
    const chunk = (delta: object, reason: string | null = null) => ({
      event: undefined,
      data: JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] }),
    });
    const events = [
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ refusal: 'I cannot ' }),
      chunk({ refusal: 'assist.' }),
      chunk({}, 'stop'),
      { event: undefined, data: '[DONE]' },
    ].flatMap((event) => reader.read(event));
    expect(events).toEqual([
      { type: 'text', text: 'I cannot ' },
      { type: 'text', text: 'assist.' },
      { type: 'end', finish: 'filtered', usage: undefined, modelVersion: undefined },
    ]);
  });
});
