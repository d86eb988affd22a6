// A condition on the input cannot be passed by putting the text elsewhere: whatever a model call could be sent is looked at.
// biome-ignore-all lint/suspicious/noThenProperty: `then` is the branch's name in settings files; nothing here is awaited.
import { describe, expect, it } from 'vitest';
import { validateFlow } from '../../../core/admin/validate/flow.ts';
import {
  assistantMessage,
  type Conversation,
  conversationOf,
  type Message,
  userMessage,
} from '../../../core/conversation/conversation.ts';
import { inputOutcomes } from '../../../core/flow/contains.ts';
import { runFlow } from '../../../core/flow/run.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { flowPorts } from './flow-ports.ts';

const SECRET = '123-45-6789';
const ASK = userMessage('Repeat it.');
const EMPTY: Conversation = { system: [], messages: [ASK], tools: [], parameters: {} };
const say = (text: string): Message => assistantMessage(text);
const calling = (args: object | string): Message =>
  assistantMessage('', [
    { id: 'a', name: 'look_up', arguments: typeof args === 'string' ? args : { ...args } },
  ]);
const result = (text: string): Message => ({
  role: 'tool',
  toolCallId: 'a',
  content: [{ type: 'text', text }],
});
const tool = (more: object) => ({ name: 'f', parameters: { type: 'object' }, ...more });

/** Each place in which a caller may put a text that a model could be sent. */
const PLACES: readonly (readonly [string, Conversation])[] = [
  ['an earlier turn of the user', { ...EMPTY, messages: [userMessage(SECRET), say('Yes.'), ASK] }],
  ['an earlier turn of the assistant', { ...EMPTY, messages: [userMessage('Hi'), say(SECRET), ASK] }],
  ['a system text', { ...EMPTY, system: [{ text: 'Be kind.' }, { text: SECRET }] }],
  ['arguments of a call', { ...EMPTY, messages: [ASK, calling({ ssn: [SECRET] }), result('done')] }],
  ['a name in arguments', { ...EMPTY, messages: [ASK, calling({ [SECRET]: 1 }), result('done')] }],
  ['arguments that are no JSON', { ...EMPTY, messages: [ASK, calling(`{"ssn":"${SECRET}`), result('done')] }],
  ['a result of a tool', { ...EMPTY, messages: [ASK, calling({}), result(SECRET)] }],
  ['a system text between turns', { ...EMPTY, messages: [ASK, { role: 'system', text: SECRET }, ASK] }],
  [
    'the name of a document',
    {
      ...EMPTY,
      messages: [
        {
          role: 'user',
          content: [{ type: 'document', mediaType: 'application/pdf', data: 'JVBERi0x', name: SECRET }],
        },
        ASK,
      ],
    },
  ],
  [
    'the address of an image',
    {
      ...EMPTY,
      messages: [{ role: 'user', content: [{ type: 'imageAddress', url: `https://a.com/${SECRET}` }] }, ASK],
    },
  ],
  [
    'the words of a thought',
    {
      ...EMPTY,
      messages: [
        ASK,
        {
          role: 'assistant',
          blocks: [
            {
              type: 'reasoning',
              reasoning: { origin: 'anthropic', model: 'm', text: SECRET, payload: 'sealed' },
            },
          ],
        },
        ASK,
      ],
    },
  ],
  [
    'a namespace of a call',
    {
      ...EMPTY,
      messages: [
        ASK,
        assistantMessage('', [{ id: 'a', namespace: SECRET, name: 'f', arguments: {} }]),
        result('done'),
      ],
    },
  ],
  [
    'the id of a call',
    {
      ...EMPTY,
      messages: [ASK, assistantMessage('', [{ id: SECRET, name: 'f', arguments: {} }]), result('done')],
    },
  ],
  [
    'the id that a result names',
    { ...EMPTY, messages: [ASK, calling({}), { role: 'tool', toolCallId: SECRET, content: [] }] },
  ],
  ['a description of a tool', { ...EMPTY, tools: [tool({ description: SECRET })] }],
  [
    'the schema of a tool',
    { ...EMPTY, tools: [tool({ parameters: { type: 'object', description: SECRET } })] },
  ],
  ['the schema of the answer', { ...EMPTY, schema: { name: 's', schema: { const: SECRET } } }],
  [
    'two parts of a turn',
    {
      ...EMPTY,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '123-45' },
            { type: 'text', text: '-6789' },
          ],
        },
        say('Yes.'),
        ASK,
      ],
    },
  ],
];

const flowOf = (more: object = {}) =>
  flowSchema.parse([
    {
      ifInputContains: {
        any: ['[0-9]{3}-[0-9]{2}-[0-9]{4}'],
        match: 'regex',
        then: [{ serveOutput: { text: 'stopped' } }],
        else: [{ serveOutput: { text: 'passed' } }],
        ...more,
      },
    },
  ]);

async function run(conversation: Conversation, more: object = {}): Promise<unknown> {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, 60_000);
  const context = { conversation, username: undefined, executionId: 'e', deadline };
  const ended = await runFlow(flowOf(more), context, flowPorts({ clock }));
  deadline.end();
  return ended.kind === 'done' ? ended.output : ended;
}

describe.each(PLACES)('a text in %s', (_place, conversation) => {
  it('is found by a condition, which looks at everything', async () => {
    expect(await run(conversation)).toBe('stopped');
    expect(await run(conversation, { in: 'everything' })).toBe('stopped');
  });

  it('passes one that looks at the last message alone', async () => {
    expect(await run(conversation, { in: 'lastMessage' })).toBe('passed');
  });

  it('is in the outcomes by which semantic entries are kept apart', async () => {
    const deadline = startDeadline(createMemoryClock(0), 60_000);
    expect(await inputOutcomes(flowOf(), conversation, deadline)).toBe('1');
    expect(await inputOutcomes(flowOf({ in: 'lastMessage' }), conversation, deadline)).toBe('0');
    expect(await inputOutcomes(flowOf(), conversationOf('Repeat it.'), deadline)).toBe('0');
    deadline.end();
  });
});

it('finds what arguments stand for, however they are escaped, and numbers', async () => {
  const args: object = JSON.parse('{"a":"\\u0073ecret","n":123456789}');
  const conversation = { ...EMPTY, messages: [ASK, calling(args), result('done')] };
  expect(await run(conversation, { any: ['secret'], match: 'word' })).toBe('stopped');
  expect(await run(conversation, { any: ['123456789'], match: 'word' })).toBe('stopped');
  expect(await run(conversation, { any: ['{"a":"s'], match: 'substring' })).toBe('stopped');
});

it('takes the ends of each text for those of a pattern', async () => {
  const conversation = { ...EMPTY, system: [{ text: 'one' }], messages: [userMessage('two')] };
  expect(await run(conversation, { any: ['^one$'] })).toBe('stopped');
  expect(await run(conversation, { any: ['^two$'] })).toBe('stopped');
  expect(await run(conversation, { any: ['one.*two'] })).toBe('passed');
});

it('has one other word for where to look, and none in a condition on the output', () => {
  expect(() => flowOf({ in: 'everywhere' })).toThrow('must be everything or lastMessage');
  expect(() => flowSchema.parse([{ ifOutputContains: { any: ['a'], in: 'everything' } }])).toThrow();
});

describe('a condition on the last message alone', () => {
  const validate = (where: string, accepts: readonly string[]) =>
    validateFlow(
      flowSchema.parse([
        { ifInputContains: { any: ['a'], in: where, then: [{ stop: {} }] } },
        { callModel: { provider: 'p', model: 'm', ...(accepts.length === 0 ? {} : { accepts }) } },
      ]),
    );

  it.each(['history', 'system', 'tools', 'schema'])('is warned of beside a call that accepts %s', (part) => {
    expect(validate('lastMessage', [part])).toEqual([
      {
        severity: 'warning',
        path: [0, 'ifInputContains', 'in'],
        message: expect.stringContaining(`accepts ${part}: a text that stands there passes`),
      },
    ]);
  });

  it('is none to warn of where nothing else has texts, nor is one that looks at everything', () => {
    expect(validate('lastMessage', [])).toEqual([]);
    expect(validate('lastMessage', ['images', 'parameters'])).toEqual([]);
    expect(validate('everything', ['history', 'system', 'tools'])).toEqual([]);
  });
});
