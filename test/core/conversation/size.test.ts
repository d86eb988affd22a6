// The bytes of a conversation are those of everything that reaches a model, ids of calls included: they are sent, and some servers bill them.
import { describe, expect, it } from 'vitest';
import { assistantMessage } from '../../../core/conversation/conversation.ts';
import { parseConversation } from '../../../core/conversation/parse-conversation.ts';
import { textBytesOf } from '../../../core/conversation/size.ts';

describe('the ids of calls', () => {
  it('count in a call and in its result', () => {
    const call = { id: 'call_1', name: 'f', arguments: {} };
    expect(textBytesOf(assistantMessage('ab', [call]))).toBe(2 + 6 + 1 + 2);
    expect(
      textBytesOf({ role: 'tool', toolCallId: 'call_1', content: [{ type: 'text', text: 'abc' }] }),
    ).toBe(6 + 3);
  });

  it.each(['', 'x'.repeat(65), 'ü', 'a b', 'functions.f:0'])('are none of %j', (id) => {
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content: 'x' },
    ];
    expect(() => parseConversation({ messages }, 10_000)).toThrow(
      expect.objectContaining({ param: 'messages[1].tool_calls[0].id' }),
    );
  });

  it('take room that the neuron bounds', () => {
    const id = (index: number) => `${'x'.repeat(60)}${index}`;
    const calls = Array.from({ length: 100 }, (_, index) => ({
      id: id(index),
      type: 'function',
      function: { name: 'f', arguments: '' },
    }));
    const results = calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: '' }));
    const messages = [{ role: 'user', content: 'x' }, { role: 'assistant', tool_calls: calls }, ...results];
    expect(() => parseConversation({ messages }, 12_000)).toThrow(
      expect.objectContaining({ code: 'input_too_large' }),
    );
    expect(() => parseConversation({ messages }, 13_000)).not.toThrow();
  });
});

describe('half of a surrogate pair', () => {
  it.each(['\ud800', 'a\udfff'])('is no input and no message: %j', (text) => {
    for (const body of [{ input: text }, { messages: [{ role: 'user', content: text }] }]) {
      expect(() => parseConversation(body, 100)).toThrow(
        expect.objectContaining({ detail: expect.stringContaining('must be well-formed Unicode') }),
      );
    }
  });
});
