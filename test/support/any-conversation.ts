// Any valid conversation for property tests, as it is inside and as a caller sends it.
import fc from 'fast-check';
import {
  assistantMessage,
  type ContentPart,
  type Conversation,
  callsOfBlocks,
  type Message,
  type ToolCall,
  textOfBlocks,
  textOfParts,
} from '../../core/conversation/conversation.ts';
import { anyText } from './any-text.ts';

/** The smallest image of each type that the service takes by its first bytes, and some more bytes. */
export const IMAGES = {
  'image/png': Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64'),
  'image/jpeg': Buffer.from('ffd8ffe000104a4649460001', 'hex').toString('base64'),
  'image/gif': Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00', 'latin1').toString('base64'),
  'image/webp': Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1').toString('base64'),
} as const;

const text = anyText(30).filter((one) => one.trim() !== '');
const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const input = fc.dictionary(anyText(8), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

const part: fc.Arbitrary<ContentPart> = fc.oneof(
  { weight: 3, arbitrary: text.map((one): ContentPart => ({ type: 'text', text: one })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...(Object.keys(IMAGES) as (keyof typeof IMAGES)[]))
      .map((mediaType): ContentPart => ({ type: 'image', mediaType, data: IMAGES[mediaType] })),
  },
);

type Unnumbered = Omit<ToolCall, 'id'> & { readonly idText: string; readonly result: string };
const call: fc.Arbitrary<Unnumbered> = fc.record({
  idText: fc.stringMatching(/^[A-Za-z0-9_-]{0,6}$/),
  name,
  arguments: input,
  result: anyText(20),
});

/** One question with all that follows it. */
interface Round {
  readonly question: readonly ContentPart[];
  readonly toolTurns: readonly {
    readonly text: string;
    readonly calls: readonly Unnumbered[];
    readonly reversed: boolean;
  }[];
  readonly answer: string;
}

const round: fc.Arbitrary<Round> = fc.record({
  question: fc.array(part, { minLength: 1, maxLength: 3 }),
  toolTurns: fc.array(
    fc.record({
      text: fc.oneof(fc.constant(''), text),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      reversed: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  answer: text,
});

/** Turns of a transcript that some provider could take. `rounds` bounds its length. */
export function anyMessages(rounds: {
  minLength?: number;
  maxLength: number;
}): fc.Arbitrary<readonly Message[]> {
  return fc
    .record({ rounds: fc.array(round, { minLength: 1, ...rounds }), endsWithResults: fc.boolean() })
    .map(({ rounds: list, endsWithResults }) => {
      const messages = list.flatMap((one, index) => messagesOf(one, index));
      const isLastOfTools = list.at(-1)?.toolTurns.length !== 0;
      if (endsWithResults && isLastOfTools) return messages.slice(0, -1);
      return [...messages, { role: 'user', content: [{ type: 'text', text: 'And now?' }] } as const];
    });
}

function messagesOf({ question, toolTurns, answer }: Round, round: number): readonly Message[] {
  return [
    { role: 'user', content: question },
    ...toolTurns.flatMap(({ text: said, calls, reversed }, turn): readonly Message[] => {
      const numbered = calls.map((one, index) => ({ ...one, id: `${one.idText}${round}_${turn}_${index}` }));
      const results = numbered.map(
        ({ id, result }): Message => ({
          role: 'tool',
          toolCallId: id,
          content: result === '' ? [] : [{ type: 'text', text: result }],
        }),
      );
      return [
        assistantMessage(
          said,
          numbered.map(({ id, name: called, arguments: all }) => ({ id, name: called, arguments: all })),
        ),
        ...(reversed ? results.toReversed() : results),
      ];
    }),
    assistantMessage(answer),
  ];
}

/** A conversation with every member that it may have. */
export const anyConversation: fc.Arbitrary<Conversation> = fc.record({
  system: fc.array(fc.record({ text }), { maxLength: 2 }),
  messages: anyMessages({ maxLength: 3 }),
  tools: fc.uniqueArray(
    fc.record({
      name,
      description: anyText(20),
      parameters: fc.constant({ type: 'object', properties: { a: { type: 'string' } } }),
      strict: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3, selector: (tool) => tool.name },
  ),
  toolChoice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const),
  schema: fc.record({
    name,
    schema: input.map((more) => ({ type: 'object', ...more })),
    strict: fc.boolean(),
  }),
  parameters: fc.record(
    {
      temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((one) => one + 0),
      topP: fc.double({ min: 0, max: 1, noNaN: true }).map((one) => one + 0),
      maxTokens: fc.integer({ min: 1, max: 9_999 }),
      stop: fc.array(text, { minLength: 1, maxLength: 4 }),
      seed: fc.integer({ min: 0, max: 2_147_483_647 }),
    },
    { requiredKeys: [] },
  ),
});

/** The request body of a conversation, as a caller writes it. */
export function toBody({ system, messages, tools, toolChoice, schema, parameters }: Conversation): object {
  return {
    messages: [
      ...system.map((one) => ({ role: 'system', content: one.text })),
      ...messages.map(toSentMessage),
    ],
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(schema === undefined ? {} : { responseFormat: { type: 'json_schema', json_schema: schema } }),
    parameters,
  };
}

function toSentMessage(message: Message): object {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.toolCallId, content: textOfParts(message.content) };
  if (message.role === 'system') return { role: 'system', content: message.text };
  if (message.role === 'user') {
    return {
      role: 'user',
      content: message.content.map((one) =>
        one.type === 'image'
          ? { type: 'image_url', image_url: { url: `data:${one.mediaType};base64,${one.data}` } }
          : one,
      ),
    };
  }
  const text = textOfBlocks(message.blocks);
  const toolCalls = callsOfBlocks(message.blocks);
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map(({ id, name: called, arguments: all }) => ({
            id,
            type: 'function',
            function: { name: called, arguments: JSON.stringify(all) },
          })),
        }),
  };
}
