// A conversation reaches each provider whole: read back from the provider's form, no role, text, id or argument is missing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMessagesRequest } from '../../../adapters/providers/anthropic/request.ts';
import { buildConverseRequest } from '../../../adapters/providers/bedrock/request.ts';
import { buildCompletionRequest } from '../../../adapters/providers/openai/request.ts';
import {
  assistantMessage,
  callsOfBlocks,
  type Message,
  textOfBlocks,
  textOfParts,
} from '../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../core/ports/providers.ts';
import { anyMessages } from '../../support/any-conversation.ts';
import '../../support/property-runs.ts';

/** One thing that is said, and by which side. Ids of calls are replaced by the order of the calls. */
type Said = readonly ['user' | 'assistant', string, ...unknown[]];

/** The wire form of a vendor, read by hand, apart from the code that writes it. */
type Wire = Readonly<Record<string, unknown>>;

const object = (value: unknown): Wire => value as Wire;
const objects = (value: unknown): readonly Wire[] => value as readonly Wire[];
/** A member of a member; undefined where one of them is not there. */
const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((one, name) => (one as Wire | undefined)?.[name], value);
const side = (value: unknown): Said[0] => value as Said[0];

function requestOf(messages: readonly Message[]): ModelRequest {
  return { model: 'm', system: [], messages, maxTokens: 9, signal: new AbortController().signal };
}

/** Bedrock takes turns with tools only beside the tools. */
const TOOLS = [{ name: 'f', parameters: { type: 'object' } }];

/** Numbers ids in the order of their calls, and finds them again for results. */
function numbering() {
  const known = new Map<string, number>();
  return {
    call(id: string): number {
      if (known.has(id)) throw new Error(`the id ${id} is used twice`);
      known.set(id, known.size);
      return known.size - 1;
    },
    result(id: string): number {
      const number = known.get(id);
      if (number === undefined) throw new Error(`no call has the id ${id}`);
      return number;
    },
    ids: () => [...known.keys()],
  };
}

function saidIn(messages: readonly Message[]): readonly Said[] {
  const ids = numbering();
  return messages.flatMap((message): readonly Said[] => {
    if (message.role === 'tool')
      return [['user', 'result', ids.result(message.toolCallId), textOfParts(message.content)]];
    if (message.role === 'system') return [];
    if (message.role === 'user') {
      return message.content.map((part) =>
        part.type === 'image'
          ? ['user', 'image', part.mediaType, part.data]
          : ['user', 'text', part.type === 'text' ? part.text : undefined],
      );
    }
    const text = textOfBlocks(message.blocks);
    return [
      ...(text === '' ? [] : [['assistant', 'text', text] as const]),
      ...callsOfBlocks(message.blocks).map(
        ({ id, name, arguments: options }): Said => ['assistant', 'call', ids.call(id), name, options],
      ),
    ];
  });
}

function readCompletion(messages: readonly Wire[]): readonly Said[] {
  const ids = numbering();
  return messages.flatMap(({ role, content, tool_call_id: id, tool_calls: called }): readonly Said[] => {
    if (role === 'tool') return [['user', 'result', ids.result(String(id)), content]];
    if (role === 'user' && typeof content === 'string') return [['user', 'text', content]];
    if (role === 'user') {
      return objects(content).map((part) => {
        if (part['type'] === 'text') return ['user', 'text', part['text']];
        const url = String(at(part, 'image_url', 'url'));
        const [, mediaType, data] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
        return ['user', 'image', mediaType, data];
      });
    }
    const calls = objects(called ?? []).map(
      (call): Said => [
        'assistant',
        'call',
        ids.call(String(call['id'])),
        at(call, 'function', 'name'),
        JSON.parse(String(at(call, 'function', 'arguments'))),
      ],
    );
    return [...(content === null ? [] : [['assistant', 'text', content] as const]), ...calls];
  });
}

function readMessages(turns: readonly Wire[], ids = numbering()): readonly Said[] {
  return turns.flatMap(({ role, content }): readonly Said[] => {
    if (typeof content === 'string') return [[side(role), 'text', content]];
    return objects(content).map((block): Said => {
      const { type, text, source, id, name, input, tool_use_id: result } = block;
      if (type === 'text') return [side(role), 'text', text];
      if (type === 'image') return [side(role), 'image', at(source, 'media_type'), at(source, 'data')];
      if (type === 'tool_use') return [side(role), 'call', ids.call(String(id)), name, input];
      return [side(role), 'result', ids.result(String(result)), block['content']];
    });
  });
}

function readConverse(turns: readonly Wire[], ids = numbering()): readonly Said[] {
  return turns.flatMap(({ role, content }): readonly Said[] =>
    objects(content).map(({ text, image, toolUse, toolResult }): Said => {
      if (text !== undefined) return [side(role), 'text', text];
      if (image !== undefined) {
        const format = `image/${String(at(image, 'format'))}`;
        return [side(role), 'image', format, at(image, 'source', 'bytes')];
      }
      if (toolUse !== undefined) {
        const { toolUseId, name, input } = object(toolUse);
        return [side(role), 'call', ids.call(String(toolUseId)), name, input];
      }
      const { toolUseId, content: results } = object(toolResult);
      const said = objects(results)[0]?.['text'];
      return [side(role), 'result', ids.result(String(toolUseId)), said === '(no output)' ? '' : said];
    }),
  );
}

/** What both APIs ask of turns: sides alternate, the user is first, results stand before everything else of their turn. */
function expectTurns(turns: readonly Wire[], isResult: (block: Wire) => boolean): void {
  for (const [index, { role, content }] of turns.entries()) {
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    expect(content).not.toHaveLength(0);
    if (typeof content === 'string') continue;
    const results = objects(content).map(isResult);
    expect(results).toEqual(results.toSorted((a, b) => Number(b) - Number(a)));
  }
}

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
/** As it is once it has been sent: minus zero is none in JSON. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const messagesOf = (request: object): readonly Wire[] => objects(object(sent(request))['messages']);

function check(messages: readonly Message[]): void {
  const said = sent(saidIn(messages));
  const request = requestOf(messages);
  expect(readCompletion(messagesOf(buildCompletionRequest('https://m.example.com/v1', request)))).toEqual(
    said,
  );

  const anthropic = messagesOf(buildMessagesRequest(request));
  const anthropicIds = numbering();
  expect(readMessages(anthropic, anthropicIds)).toEqual(said);
  for (const id of anthropicIds.ids()) expect(id).toMatch(ID);
  expectTurns(anthropic, ({ type }) => type === 'tool_result');

  const bedrock = messagesOf(buildConverseRequest({ ...request, tools: TOOLS }));
  const bedrockIds = numbering();
  expect(readConverse(bedrock, bedrockIds)).toEqual(said);
  for (const id of bedrockIds.ids()) expect(id).toMatch(ID);
  expectTurns(bedrock, (block) => 'toolResult' in block);
}

describe('a transcript', () => {
  it('is in the form of each provider what it was', () => {
    fc.assert(fc.property(anyMessages({ maxLength: 4 }), check));
  });

  it('of 50 rounds with tools is too', () => {
    fc.assert(fc.property(anyMessages({ minLength: 50, maxLength: 50 }), check), { numRuns: 3 });
  });

  it('keeps the ids that an API takes, and renumbers the others past them', () => {
    const call = (id: string) => ({ id, name: 'f', arguments: {} });
    const messages: readonly Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'x' }] },
      assistantMessage(' \n', [call('call_1'), call('a b'), call('ü')]),
      ...['ü', 'call_1', 'a b'].map(
        (id): Message => ({ role: 'tool', toolCallId: id, content: [{ type: 'text', text: id }] }),
      ),
    ];
    const { messages: turns } = buildMessagesRequest(requestOf(messages));
    expect(turns).toEqual([
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: ['call_1', 'call_2', 'call_3'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_3', content: 'ü' },
          { type: 'tool_result', tool_use_id: 'call_1', content: 'call_1' },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'a b' },
        ],
      },
    ]);
  });
});

describe('a single text', () => {
  const request: ModelRequest = {
    ...requestOf([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]),
    system: [{ text: 'Be brief.' }],
    temperature: 1.5,
    topP: 0.5,
    stopSequences: ['END'],
    seed: 7,
  };

  // Written by hand as they were before there were conversations.
  it.each([
    [
      'openai',
      buildCompletionRequest('https://api.openai.com/v1', request),
      '{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}],"max_completion_tokens":9,"temperature":1.5,"top_p":0.5,"stop":["END"],"seed":7}',
    ],
    [
      'anthropic',
      buildMessagesRequest(request),
      '{"model":"m","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"Hello"}],"temperature":1,"top_p":0.5,"stop_sequences":["END"]}',
    ],
    [
      'bedrock',
      buildConverseRequest(request),
      '{"system":[{"text":"Be brief."}],"messages":[{"role":"user","content":[{"text":"Hello"}]}],"inferenceConfig":{"maxTokens":9,"temperature":1,"topP":0.5,"stopSequences":["END"]}}',
    ],
  ])('is sent to %s byte for byte as it always was', (_provider, body, text) => {
    expect(JSON.stringify(body)).toBe(text);
  });
});
