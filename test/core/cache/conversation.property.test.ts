// Conversations share an entry of the response cache only where a model would be sent the same.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CacheRequest } from '../../../core/cache/plan.ts';
import type { Conversation } from '../../../core/conversation/conversation.ts';
import { anyConversation } from '../../support/any-conversation.ts';
import '../../support/property-runs.ts';
import { createTestCache, requestOf, SEMANTIC } from './requests.ts';

type Changed = Partial<Record<keyof Conversation, unknown>>;

/** What makes a conversation another one: each of its members, and each member of those. A member without one does not compile. */
const CHANGES: {
  readonly [Member in keyof Required<Omit<Conversation, 'promptCacheKey' | 'passed'>>]: readonly ((
    was: Conversation,
  ) => Changed)[];
} = {
  variables: [
    ({ variables = [] }) => ({ variables: [...variables, { name: 'tone', text: 'warm' }] }),
    ({ variables = [] }) => ({ variables: [...variables, { name: 'tone', text: 'warm', isQuoted: true }] }),
  ],
  thinking: [({ thinking }) => ({ thinking: { mode: thinking?.mode === 'off' ? 'adaptive' : 'off' } })],
  system: [({ system }) => ({ system: [...system, { text: 'Be brief.' }] })],
  messages: [
    ({ messages }) => ({ messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'x' }] }] }),
    ({ messages }) => ({ messages: messages.map((one, index) => (index === 0 ? withMore(one) : one)) }),
    ({ messages }) => ({
      messages: changeLast(messages, 'assistant', ({ blocks, ...one }) => ({
        ...one,
        blocks: [{ type: 'text', text: 'x' }, ...blocks],
      })),
    }),
    ({ messages }) => ({
      messages: changeLast(messages, 'assistant', (one) => ({
        ...one,
        blocks: [...one.blocks, { type: 'toolCall', call: { id: 'another', name: 'f', arguments: {} } }],
      })),
    }),
    ({ messages }) => ({
      messages: changeLast(messages, 'assistant', (one) => ({ ...one, blocks: one.blocks.toReversed() })),
    }),
    ({ messages }) => ({
      messages: changeLast(messages, 'assistant', (one) => ({
        ...one,
        blocks: [
          { type: 'reasoning', reasoning: { origin: 'anthropic', model: 'm', payload: 'x' } },
          ...one.blocks,
        ],
      })),
    }),
    ({ messages }) => ({
      messages: changeLast(messages, 'tool', (one) => ({
        ...one,
        content: [...one.content, { type: 'text', text: 'x' }],
      })),
    }),
    ({ messages }) => ({ messages: changeLast(messages, 'tool', (one) => ({ ...one, isError: true })) }),
    ({ messages }) => ({
      messages: changeLast(messages, 'user', (one) => ({
        ...one,
        content: [...one.content, { type: 'document', mediaType: 'application/pdf', data: 'JVBERi0x' }],
      })),
    }),
  ],
  tools: [
    ({ tools }) => ({ tools: [...tools, { name: 'one-more', parameters: {} }] }),
    ({ tools: [first, ...rest] }) => ({ tools: [{ ...first, name: `${first?.name}_` }, ...rest] }),
    ({ tools: [first, ...rest] }) => ({ tools: [{ ...first, namespace: 'n' }, ...rest] }),
    ({ tools: [first, ...rest] }) => ({
      tools: [{ ...first, description: `${first?.description}.` }, ...rest],
    }),
    ({ tools: [first, ...rest] }) => ({ tools: [{ ...first, strict: !first?.strict }, ...rest] }),
    ({ tools: [first, ...rest] }) => ({
      // The same members in another order: a model sees them in it.
      tools: [
        { ...first, parameters: Object.fromEntries(Object.entries(first?.parameters ?? {}).toReversed()) },
        ...rest,
      ],
    }),
  ],
  toolChoice: [
    ({ toolChoice }) => ({ toolChoice: toolChoice === 'auto' ? 'none' : 'auto' }),
    () => ({ toolChoice: { name: 'one-more' } }),
    () => ({ toolChoice: undefined }),
  ],
  schema: [
    () => ({ schema: undefined }),
    ({ schema }) => ({ schema: { ...schema, name: `${schema?.name}_` } }),
    ({ schema }) => ({ schema: { ...schema, description: 'x' } }),
    ({ schema }) => ({ schema: { ...schema, strict: !schema?.strict } }),
    ({ schema }) => ({ schema: { ...schema, schema: { ...schema?.schema, title: 'another title' } } }),
  ],
  json: [() => ({ json: true })],
  parameters: [
    ({ parameters }) => ({
      parameters: { ...parameters, temperature: parameters.temperature === 1 ? 0 : 1 },
    }),
    ({ parameters }) => ({ parameters: { ...parameters, topP: parameters.topP === 1 ? 0 : 1 } }),
    ({ parameters }) => ({ parameters: { ...parameters, maxTokens: 10_000 } }),
    ({ parameters }) => ({ parameters: { ...parameters, stop: [...(parameters.stop ?? []), 'x'] } }),
    ({ parameters }) => ({ parameters: { ...parameters, parallelToolCalls: false } }),
    ({ parameters }) => ({ parameters: { ...parameters, frequencyPenalty: 0.5 } }),
    ({ parameters }) => ({ parameters: { ...parameters, presencePenalty: 0.5 } }),
    ({ parameters }) => ({ parameters: { ...parameters, logitBias: { 7: -100 } } }),
    ({ parameters }) => ({ parameters: { ...parameters, reasoningEffort: 'low' } }),
    ({ parameters }) => ({ parameters: { ...parameters, verbosity: 'low' } }),
    ({ parameters }) => ({ parameters: { ...parameters, seed: (parameters.seed ?? -1) + 1 } }),
  ],
};

function withMore(message: Conversation['messages'][number]): unknown {
  return message.role === 'user'
    ? { ...message, content: [...message.content, { type: 'text', text: '' }] }
    : message;
}

function changeLast<Role extends Conversation['messages'][number]['role']>(
  messages: Conversation['messages'],
  role: Role,
  change: (message: Extract<Conversation['messages'][number], { role: Role }>) => unknown,
): readonly unknown[] {
  const index = messages.findLastIndex((one) => one.role === role);
  return messages.map((one, at) => (at === index ? change(one as never) : one));
}

const withConversation = (conversation: Conversation, caching: object = { exact: true }): CacheRequest => ({
  ...requestOf({ caching }),
  conversation,
});

describe('two conversations', () => {
  it('that are the same share an entry', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const cache = createTestCache();
        await cache.store(withConversation(conversation), 'the answer');
        const again = withConversation(structuredClone(conversation));
        expect((await cache.find(again)).found?.output).toBe('the answer');
      }),
    );
  });

  it.each(
    Object.entries(CHANGES).flatMap(([member, changes]) =>
      changes.map((change, index) => ({ member, index, change })),
    ),
  )('that differ in $member ($index) never do', async ({ change }) => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const changed = { ...conversation, ...change(conversation) } as Conversation;
        fc.pre(JSON.stringify(changed) !== JSON.stringify(conversation));
        const cache = createTestCache();
        await cache.store(withConversation(conversation), 'the answer');
        expect((await cache.find(withConversation(changed))).found).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  it('that differ in the name of a prompt cache alone share an entry: it changes no answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const cache = createTestCache();
        await cache.store(withConversation({ ...conversation, promptCacheKey: 'a' }), 'the answer');
        const other = withConversation({ ...conversation, promptCacheKey: 'b' });
        expect((await cache.find(other)).found?.output).toBe('the answer');
      }),
      { numRuns: 20 },
    );
  });

  it('are never found by what they are about, unless they are one text', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, async (conversation) => {
        const cache = createTestCache();
        const semantic = { semantic: SEMANTIC };
        const plain = { ...requestOf({ caching: semantic, input: 'And now?' }) };
        await cache.store(plain, 'the answer to the text alone');
        expect((await cache.find(withConversation(conversation, semantic))).found).toBeUndefined();
      }),
    );
  });
});
