// Entries of the log as cases: what callers sent comes back, whatever its form, and nothing is made up.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCase } from '../../../../core/admin/cases/to-case.ts';
import { conversationOf, userMessage } from '../../../../core/conversation/conversation.ts';
import { describeConversation } from '../../../../core/flow/describe-messages.ts';
import { variablesSchema } from '../../../../core/settings/variables/variables-schema.ts';
import { anyText } from '../../../support/any-text.ts';

const full = (text: string) => ({ kind: 'full', text, bytes: text.length }) as const;
const entryOf = (text: string) => ({
  executionId: 'e-1=',
  version: 'v3',
  surface: undefined,
  input: full(text),
});
const DECLARED = variablesSchema.parse({
  note: { type: 'string' },
  days: { type: 'number' },
  polite: { type: 'boolean' },
});
const variables = [
  { name: 'note', text: 'é "q"' },
  { name: 'days', text: '2.5' },
  { name: 'polite', text: 'false' },
];

describe('a case', () => {
  it('is a text as it was sent', () => {
    fc.assert(
      fc.property(anyText(40), (text) => {
        const logged = describeConversation(conversationOf(text));
        expect(toCase(entryOf(logged), {})).toEqual({ name: 'e-1= v3', input: text, assert: [] });
      }),
    );
  });

  it.each(['{"input":"a","variables":{"note":"b"}}', '{"messages":[]}', '[1]', 'null', '3', '{}'])(
    'is JSON that somebody sent as a text: %s',
    (text) => {
      expect(toCase(entryOf(text), {})).toMatchObject({ input: text });
    },
  );

  it('has variables by their types', () => {
    const logged = describeConversation({ ...conversationOf('Hi'), variables });
    expect(toCase(entryOf(logged), DECLARED)).toEqual({
      name: 'e-1= v3',
      input: 'Hi',
      variables: { note: 'é "q"', days: 2.5, polite: false },
      assert: [],
    });
    const masked = variables.map((one) => (one.name === 'days' ? { ...one, text: '[IP]' } : one));
    const other = describeConversation({ ...conversationOf('Hi'), variables: masked });
    expect(toCase(entryOf(other), DECLARED)).toMatchObject({ variables: { days: '[IP]' } });
  });

  it('has the turns of a conversation', () => {
    const logged = describeConversation({
      ...conversationOf('Hi'),
      system: [{ text: 'Be kind.' }],
      messages: [
        userMessage('a'),
        { role: 'assistant', blocks: [{ type: 'text', text: 'b' }] },
        { role: 'system', text: 'c' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'd' },
            { type: 'text', text: 'e' },
          ],
        },
      ],
      variables,
    });
    expect(toCase(entryOf(logged), DECLARED)).toMatchObject({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'system', content: 'c' },
        { role: 'user', content: 'd\ne' },
      ],
      variables: { days: 2.5 },
    });
  });

  it('is none of what it has no place for', () => {
    const of = (changes: object) =>
      toCase(entryOf(describeConversation({ ...conversationOf('Hi'), ...changes })), {});
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
    expect(of({ messages: [{ role: 'user', content: [image] }] })).toBe('files');
    expect(of({ tools: [{ name: 'f', parameters: {} }] })).toBe('tools');
    const call = { type: 'toolCall', call: { id: 'c', name: 'f', arguments: {} } };
    expect(of({ messages: [userMessage('a'), { role: 'assistant', blocks: [call] }] })).toBe('tools');
    expect(of({ messages: [{ role: 'tool', toolCallId: 'c', content: [] }] })).toBe('tools');
    const { input: _input, ...entry } = entryOf('');
    for (const input of [
      undefined,
      { kind: 'hash', hash: 'x', bytes: 1 } as const,
      { ...full('x'), cut: true as const },
    ])
      expect(toCase({ ...entry, input }, {})).toBe('notInFull');
    expect(toCase({ ...entryOf('["a"]'), surface: 'embeddings' }, {})).toBe('vectors');
  });
});
