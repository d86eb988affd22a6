// Each part of a conversation at each provider: where it stands upstream, or that it is ignored or refused.
import {
  assistantMessage,
  type ContentPart,
  type Message,
  userMessage,
} from '../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../core/ports/providers.ts';
import { IMAGES } from '../../support/any-conversation.ts';

export const HELLO: ModelRequest = {
  model: 'm',
  system: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxTokens: 900,
  signal: new AbortController().signal,
};
export const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
export const TOOL = { name: 'look_up', parameters: SCHEMA };
export const WITH_TOOL: ModelRequest = { ...HELLO, tools: [TOOL] };
export const WITH_SCHEMA: ModelRequest = { ...HELLO, schema: { name: 'answer', schema: SCHEMA } };
const data = IMAGES['image/png'];
const image = (more: object = {}): Partial<ModelRequest> => ({
  messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data, ...more }] }],
});
const IMAGE: ContentPart = { type: 'image', mediaType: 'image/png', data };
export const PDF: ContentPart = {
  type: 'document',
  mediaType: 'application/pdf',
  data: 'JVBERi0x',
  name: 'bill.pdf',
};
const toolTurns = (content: readonly ContentPart[], isError = false): readonly Message[] => [
  ...HELLO.messages,
  assistantMessage('', [{ id: 'c1', name: 'look_up', arguments: { a: 'x' } }]),
  { role: 'tool', toolCallId: 'c1', content, isError },
];
export const TOOL_TURNS: Partial<ModelRequest> = { messages: toolTurns([{ type: 'text', text: 'found' }]) };

/** A path in the upstream request with the value there; for echo anything in its answer. */
type Sent = readonly [path: string, value: unknown];
/** `left out`: by its name. `ignored`: without a loss, since it says what happens anyway or is a name. */
export type Decision = Sent | 'ignored' | 'left out' | 'refused';
export type Provider = 'openai' | 'anthropic' | 'bedrock' | 'echo';

export interface Member {
  /** The request without the member. */
  readonly of?: ModelRequest;
  readonly with: Partial<ModelRequest>;
  readonly at: Readonly<Record<Provider, Decision>>;
}

export const ECHO = 'text';

/** By the names of the native surface. */
export const MESSAGE_MEMBERS: Readonly<Record<string, Member>> = {
  'messages: system': {
    with: { system: [{ text: 'Be brief.' }] },
    at: {
      openai: ['messages.0', { role: 'system', content: 'Be brief.' }],
      anthropic: ['system', 'Be brief.'],
      bedrock: ['system.0.text', 'Be brief.'],
      echo: [ECHO, '(Be brief.) You said: Hello'],
    },
  },
  'messages: earlier turns': {
    with: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        assistantMessage('Yes?'),
        ...HELLO.messages,
      ],
    },
    at: {
      openai: ['messages.1', { role: 'assistant', content: 'Yes?' }],
      anthropic: ['messages.1', { role: 'assistant', content: 'Yes?' }],
      bedrock: ['messages.1', { role: 'assistant', content: [{ text: 'Yes?' }] }],
      echo: [ECHO, 'You said: Hello Before that you said: Hi'],
    },
  },
  'messages: image_url.url': {
    with: image(),
    at: {
      openai: ['messages.0.content.0.image_url.url', `data:image/png;base64,${data}`],
      anthropic: ['messages.0.content.0.source', { type: 'base64', media_type: 'image/png', data }],
      bedrock: ['messages.0.content.0.image', { format: 'png', source: { bytes: data } }],
      echo: ['usage.input', 100],
    },
  },
  'messages: image_url.detail': {
    of: { ...HELLO, ...image() },
    with: image({ detail: 'low' }),
    at: {
      openai: ['messages.0.content.0.image_url.detail', 'low'],
      anthropic: 'left out',
      bedrock: 'left out',
      echo: 'left out',
    },
  },
  'messages: image_url.url by address': {
    with: {
      messages: [{ role: 'user', content: [{ type: 'imageAddress', url: 'https://a.example.com/i.png' }] }],
    },
    at: {
      openai: ['messages.0.content.0.image_url.url', 'https://a.example.com/i.png'],
      anthropic: ['messages.0.content.0.source', { type: 'url', url: 'https://a.example.com/i.png' }],
      bedrock: 'refused',
      echo: ['usage.input', 107],
    },
  },
  'messages: file': {
    with: { messages: [{ role: 'user', content: [PDF] }] },
    at: {
      openai: [
        'messages.0.content.0.file',
        { filename: 'bill.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' },
      ],
      anthropic: [
        'messages.0.content.0',
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' },
          title: 'bill.pdf',
        },
      ],
      bedrock: [
        'messages.0.content',
        [
          { document: { format: 'pdf', name: 'document-1', source: { bytes: 'JVBERi0x' } } },
          { text: '(no text)' },
        ],
      ],
      echo: ['usage.input', 102],
    },
  },
  'messages: system between turns': {
    with: { messages: [...HELLO.messages, { role: 'system', text: 'Be brief.' }, userMessage('Now?')] },
    of: { ...HELLO, messages: [...HELLO.messages, userMessage('Now?')] },
    at: {
      openai: ['messages.1', { role: 'system', content: 'Be brief.' }],
      anthropic: ['system', 'Be brief.'],
      bedrock: ['system.0.text', 'Be brief.'],
      echo: [ECHO, '(Be brief.) You said: Now? Before that you said: Hello'],
    },
  },
  'messages: several system texts': {
    with: { system: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    at: {
      openai: ['messages.0', { role: 'system', content: 'Be brief.\n\nBe kind.' }],
      anthropic: [
        'system',
        [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.' },
        ],
      ],
      bedrock: ['system', [{ text: 'Be brief.' }, { text: 'Be kind.' }]],
      echo: [ECHO, '(Be brief.\n\nBe kind.) You said: Hello'],
    },
  },
  'messages: cache_control': {
    of: { ...HELLO, system: [{ text: 'Be brief.' }] },
    with: { system: [{ text: 'Be brief.', cache: { ttl: '1h' } }] },
    at: {
      openai: 'left out',
      anthropic: [
        'system',
        [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      ],
      bedrock: ['system.1', { cachePoint: { type: 'default', ttl: '1h' } }],
      echo: 'left out',
    },
  },
  'messages: failed result of a tool': {
    of: { ...WITH_TOOL, ...TOOL_TURNS },
    with: { messages: toolTurns([{ type: 'text', text: 'found' }], true) },
    at: {
      openai: ['messages.2.content', 'Error: found'],
      anthropic: ['messages.2.content.0.is_error', true],
      bedrock: ['messages.2.content.0.toolResult.status', 'error'],
      echo: 'ignored',
    },
  },
  'messages: result of a tool with an image and a file': {
    of: { ...WITH_TOOL, ...TOOL_TURNS },
    with: { messages: toolTurns([{ type: 'text', text: 'found' }, IMAGE, PDF]) },
    at: {
      openai: [
        'messages.3.content',
        [
          { type: 'text', text: 'From the result of c1:' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
          { type: 'file', file: { filename: 'bill.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
        ],
      ],
      anthropic: [
        'messages.2.content.0.content',
        [
          { type: 'text', text: 'found' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' },
            title: 'bill.pdf',
          },
        ],
      ],
      bedrock: [
        'messages.2.content.0.toolResult.content',
        [
          { text: 'found' },
          { image: { format: 'png', source: { bytes: data } } },
          { document: { format: 'pdf', name: 'document-1', source: { bytes: 'JVBERi0x' } } },
        ],
      ],
      echo: 'ignored',
    },
  },
  'messages: tool_calls and results': {
    of: WITH_TOOL,
    with: TOOL_TURNS,
    at: {
      openai: ['messages.2', { role: 'tool', tool_call_id: 'c1', content: 'found' }],
      anthropic: ['messages.2.content.0', { type: 'tool_result', tool_use_id: 'c1', content: 'found' }],
      bedrock: ['messages.2.content.0.toolResult', { toolUseId: 'c1', content: [{ text: 'found' }] }],
      echo: [ECHO, 'You said: Hello Tools said: found'],
    },
  },
  'messages: tool_calls and results, without tools': {
    with: TOOL_TURNS,
    at: {
      openai: ['messages.2', { role: 'tool', tool_call_id: 'c1', content: 'found' }],
      anthropic: ['messages.2.content.0', { type: 'tool_result', tool_use_id: 'c1', content: 'found' }],
      bedrock: 'refused',
      echo: [ECHO, 'You said: Hello Tools said: found'],
    },
  },
};
