// The members of a request that make a conversation, for the OpenAPI document. What is described here is read in conversation/.
import { MAX_IMAGES } from '../../core/conversation/check-transcript.ts';
import { IMAGE_DETAILS, IMAGE_MEDIA_TYPES } from '../../core/conversation/conversation.ts';
import { MAX_IMAGE_BYTES } from '../../core/conversation/parse-image.ts';
import { MAX_MESSAGES } from '../../core/conversation/parse-messages.ts';

const TEXT = { type: 'string' } as const;
const NAME = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' } as const;
const JSON_SCHEMA = { type: 'object', description: 'A JSON Schema (draft 2020-12).' } as const;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const oneText = {
  type: 'object',
  required: ['type', 'text'],
  properties: { type: { const: 'text' }, text: TEXT },
};

/** The properties of a request. */
export const REQUEST_PROPERTIES = {
  input: { type: 'string', default: '', description: 'The text that the neuron works on; or `messages`.' },
  messages: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_MESSAGES,
    items: ref('Message'),
    description:
      'A conversation, in place of `input`. It begins with a user, after system texts, and ends with a user or the results of tools.',
  },
  tools: { type: 'array', minItems: 1, maxItems: 128, items: ref('Tool') },
  toolChoice: {
    description: 'Beside `tools` only.',
    oneOf: [
      { type: 'string', enum: ['auto', 'none', 'required'] },
      {
        type: 'object',
        required: ['type', 'function'],
        properties: {
          type: { const: 'function' },
          function: { type: 'object', required: ['name'], properties: { name: NAME } },
        },
      },
    ],
  },
  responseFormat: {
    oneOf: [
      { type: 'object', required: ['type'], properties: { type: { const: 'text' } } },
      {
        type: 'object',
        required: ['type', 'json_schema'],
        properties: {
          type: { const: 'json_schema' },
          json_schema: {
            type: 'object',
            required: ['name', 'schema'],
            properties: { name: NAME, description: TEXT, schema: JSON_SCHEMA, strict: { type: 'boolean' } },
          },
        },
      },
    ],
  },
  parameters: {
    type: 'object',
    description: 'Bounded by those of the flow.',
    additionalProperties: false,
    properties: {
      temperature: { type: 'number', minimum: 0, maximum: 2 },
      topP: { type: 'number', minimum: 0, maximum: 1 },
      maxTokens: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      stop: { oneOf: [TEXT, { type: 'array', minItems: 1, maxItems: 4, items: TEXT }] },
      seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    },
  },
};

/** What the properties refer to. */
export const CONVERSATION_SCHEMAS = {
  Message: {
    description: 'A message in the shape of OpenAI.',
    oneOf: [
      {
        type: 'object',
        required: ['role', 'content'],
        properties: {
          role: { const: 'user' },
          content: { oneOf: [TEXT, { type: 'array', minItems: 1, maxItems: 100, items: ref('Part') }] },
          name: TEXT,
        },
      },
      {
        type: 'object',
        required: ['role'],
        description: '`content`, `tool_calls`, or both.',
        properties: {
          role: { const: 'assistant' },
          content: { oneOf: [TEXT, { type: 'array', items: oneText }, { type: 'null' }] },
          tool_calls: { type: 'array', minItems: 1, maxItems: 128, items: ref('SentToolCall') },
          name: TEXT,
        },
      },
      {
        type: 'object',
        required: ['role', 'tool_call_id', 'content'],
        description: 'The result of a call of the assistant message before it: each call has one.',
        properties: {
          role: { const: 'tool' },
          tool_call_id: TEXT,
          content: { oneOf: [TEXT, { type: 'array', items: oneText }] },
        },
      },
      {
        type: 'object',
        required: ['role', 'content'],
        properties: {
          role: { enum: ['system', 'developer'] },
          content: { oneOf: [TEXT, { type: 'array', items: oneText }] },
        },
      },
    ],
  },
  Part: {
    oneOf: [
      oneText,
      {
        type: 'object',
        required: ['type', 'image_url'],
        properties: {
          type: { const: 'image_url' },
          image_url: {
            type: 'object',
            required: ['url'],
            properties: {
              url: {
                type: 'string',
                pattern: `^data:(?:${IMAGE_MEDIA_TYPES.join('|')});base64,`,
                description: `At most ${MAX_IMAGE_BYTES} bytes, and ${MAX_IMAGES} images in a conversation. Addresses are never fetched.`,
              },
              detail: { type: 'string', enum: IMAGE_DETAILS },
            },
          },
        },
      },
    ],
  },
  Tool: {
    type: 'object',
    required: ['type', 'function'],
    properties: {
      type: { const: 'function' },
      function: {
        type: 'object',
        required: ['name'],
        properties: { name: NAME, description: TEXT, parameters: JSON_SCHEMA, strict: { type: 'boolean' } },
      },
    },
  },
  SentToolCall: {
    type: 'object',
    required: ['id', 'function'],
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 256, description: 'Unique in the conversation.' },
      type: { const: 'function' },
      function: {
        type: 'object',
        required: ['name', 'arguments'],
        properties: { name: NAME, arguments: { type: 'string', description: 'A JSON object as text.' } },
      },
    },
  },
  ToolCall: {
    type: 'object',
    required: ['id', 'name', 'arguments'],
    description: "What the model wants of one of the caller's tools.",
    properties: { id: TEXT, name: TEXT, arguments: { type: 'object' } },
  },
};
