// What a caller sends becomes a conversation, whichever of the accepted ways it is written in.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { anyConversation, toBody } from '../../support/any-conversation.ts';
import '../../support/property-runs.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];

function parse(body: object) {
  return parseInvocation({ body: JSON.stringify(body), bypassCache: [], rawOutput: [], accept: [] }, 262_144);
}

describe('a conversation', () => {
  it('is read from what a caller sends without a loss', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        // What JSON cannot hold (minus zero) is not sent.
        const sent = JSON.parse(JSON.stringify(conversation));
        expect(parse(toBody(conversation)).conversation).toEqual(sent);
      }),
    );
  });

  it('of one user message is the same as input, whichever way it is written', () => {
    const { conversation, input } = parse({ input: 'Hello' });
    expect(input).toBe('Hello');
    expect(parse({ messages: HELLO })).toEqual(parse({ input: 'Hello' }));
    expect(
      parse({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] }).conversation,
    ).toEqual(conversation);
  });

  it('has the text of the last user message as its input', () => {
    const messages = [
      ...HELLO,
      { role: 'assistant', content: 'Hi.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ];
    expect(parse({ messages }).input).toBe('one\ntwo');
  });

  it('takes null for what was not set, as clients send it', () => {
    const body = {
      input: null,
      messages: HELLO,
      tools: null,
      toolChoice: null,
      responseFormat: null,
      parameters: null,
    };
    expect(parse(body)).toEqual(parse({ input: 'Hello' }));
    const parameters = { temperature: null, topP: null, maxTokens: null, stop: null, seed: null };
    expect(parse({ messages: HELLO, parameters })).toEqual(parse({ input: 'Hello' }));
  });

  it('takes the developer for the system, and parts of text for a text', () => {
    const messages = [
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'Be ' },
          { type: 'text', text: 'brief.' },
        ],
      },
      ...HELLO,
    ];
    expect(parse({ messages }).conversation.system).toEqual([{ text: 'Be brief.' }]);
  });

  it('takes a tool without parameters, however it says so', () => {
    const parametersOf = (more: object) => {
      const tools = [{ type: 'function', function: { name: 'look_up', ...more } }];
      return parse({ messages: HELLO, tools }).conversation.tools[0]?.parameters;
    };
    const none = { type: 'object', properties: {} };
    expect(parametersOf({})).toEqual(none);
    expect(parametersOf({ parameters: null })).toEqual(none);
    expect(parametersOf({ parameters: {} })).toEqual(none);
    expect(parametersOf({ parameters: { properties: { a: {} } } })).toEqual({
      type: 'object',
      properties: { a: {} },
    });
  });
});
