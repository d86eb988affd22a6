// Marks for a provider's prompt cache: which parts `promptCache: auto` marks, for whom, and that they are reserved so.
import { describe, expect, it } from 'vitest';
import { marksOfAnthropic, marksOfBedrock } from '../../../adapters/providers/cache-marks.ts';
import { longestCacheHint } from '../../../core/conversation/size.ts';
import { forTarget } from '../../../core/flow/request/compose-parameters.ts';
import { estimateTokens } from '../../../core/flow/usage-totals.ts';
import type { CachedPart, ModelProvider, ModelRequest } from '../../../core/ports/providers.ts';
import { parseFlow } from '../../../core/settings/flow-schema.ts';

const cache = { ttl: '5m' };
const REQUEST: Omit<ModelRequest, 'signal'> = {
  model: 'm',
  maxTokens: 10,
  system: [{ text: 'One' }, { text: 'Two' }, { text: ' ' }],
  tools: [
    { name: 'a', parameters: {} },
    { name: 'b', parameters: {} },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Earlier' }] },
    { role: 'assistant', blocks: [{ type: 'text', text: 'Yes' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'text', text: '' },
      ],
    },
  ],
};

function callOf(settings: object) {
  const [step] = parseFlow([{ callModel: { provider: 'p', model: 'm', ...settings } }]) ?? [];
  if (step === undefined || !('callModel' in step)) throw new Error('no call');
  return step.callModel;
}

function send(settings: object, parts: readonly CachedPart[] | undefined, request = REQUEST) {
  const provider: ModelProvider = {
    generate: () => Promise.reject(new Error('not asked')),
    ...(parts === undefined ? {} : { cacheMarksOf: () => parts }),
  };
  const findProvider = () => ({ provider, timeoutMs: 1 });
  return forTarget(request, callOf(settings), { provider: 'p', model: 'm' }, { findProvider });
}

describe('promptCache: auto', () => {
  it('marks the last tool, the last system text and the end of the last turn, and nothing that is not sent', () => {
    const sent = send({ promptCache: 'auto' }, marksOfAnthropic());
    expect(sent.tools).toEqual([
      { name: 'a', parameters: {} },
      { name: 'b', parameters: {}, cache },
    ]);
    expect(sent.system).toEqual([{ text: 'One' }, { text: 'Two', cache }, { text: ' ' }]);
    expect(sent.messages).toEqual([
      ...REQUEST.messages.slice(0, 2),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello', cache },
          { type: 'text', text: '' },
        ],
      },
    ]);
  });

  it('marks a result of a tool, and not the beginning of an answer behind it', () => {
    const result = { role: 'tool', toolCallId: 'c', content: [] } as const;
    const begun = { role: 'assistant', blocks: [{ type: 'text', text: '{' }] } as const;
    const { messages } = send({ promptCache: 'auto' }, marksOfAnthropic(), {
      ...REQUEST,
      messages: [result, begun],
    });
    expect(messages).toEqual([{ ...result, cache }, begun]);
  });

  it('marks what the provider takes marks on, and nothing where it takes none', () => {
    const { tools, ...nova } = send({ promptCache: 'auto' }, ['system', 'messages']);
    expect(tools).toEqual(REQUEST.tools);
    expect(longestCacheHint(nova)).toBe('5m');
    expect(send({ promptCache: 'auto' }, undefined)).toEqual(REQUEST);
    expect(send({ promptCache: 'auto' }, [])).toEqual(REQUEST);
  });

  it('leaves the marks of a caller as they are', () => {
    const marked = { ...REQUEST, system: [{ text: 'One', cache: { ttl: '1h' as const } }] };
    expect(send({ promptCache: 'auto', accepts: ['cacheControl'] }, marksOfAnthropic(), marked)).toEqual(
      marked,
    );
  });

  it('is reserved at the price of writing all of it', () => {
    const { input, cacheWrite } = estimateTokens(send({ promptCache: 'auto' }, marksOfAnthropic()));
    expect(cacheWrite).toBe(input);
    expect(estimateTokens(send({}, marksOfAnthropic())).cacheWrite).toBeUndefined();
  });
});

describe('another promptCache', () => {
  it.each([{}, { promptCache: 'off' }, { promptCache: 'caller' }])('marks nothing: %j', (settings) => {
    expect(send(settings, marksOfAnthropic())).toEqual(REQUEST);
  });

  it.each([
    [{ promptCache: 'caller' }, true],
    [{ promptCache: 'caller', accepts: ['cacheControl', 'history'] }, true],
    [{ accepts: 'all' }, true],
    [{ accepts: 'all', promptCache: 'auto' }, true],
    [{ accepts: 'all', promptCache: 'off' }, false],
    [{ promptCache: 'auto' }, false],
    [{}, false],
  ])('of %j takes marks of callers: %s', (settings, takes) => {
    const { accepts } = callOf(settings);
    expect(accepts.filter((what) => what === 'cacheControl')).toHaveLength(takes ? 1 : 0);
  });
});

describe('the marks of Amazon Bedrock', () => {
  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3],
    ['anthropic.claude-3-7-sonnet-20250219-v1:0', 3],
    ['anthropic.claude-3-5-haiku-20241022-v1:0', 3],
    ['eu.amazon.nova-lite-v1:0', 2],
    ['anthropic.claude-3-haiku-20240307-v1:0', 0],
    ['meta.llama3-70b-instruct-v1:0', 0],
    ['arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc', 0],
  ])('on %s are on %i parts', (model, count) => {
    expect(marksOfBedrock(model)).toHaveLength(count);
  });
});
