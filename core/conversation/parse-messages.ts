// Reads messages in the shape of OpenAI's Chat Completions (platform.openai.com/docs/api-reference/chat/create) into the inner form.
import { hasMoreValues } from '../text/json.ts';
import { assistantMessage, type ContentPart, type Message, type ToolCall } from './conversation.ts';
import { IMAGE } from './parse-image.ts';
import {
  anything,
  choice,
  filledText,
  invalidAt,
  jsonObject,
  list,
  mapped,
  NAME,
  noted,
  object,
  optional,
  type Reader,
  TEXT,
  variants,
} from './reader.ts';
import { parseArguments, type ToolArguments } from './tool-arguments.ts';

const MAX_MESSAGES = 200;
const MAX_PARTS = 100;
const MAX_TOOL_CALLS = 128;

/** Values and names within the arguments of a call: some tools take tables. */
const MAX_ARGUMENT_VALUES = 100_000;

/** A turn of the conversation, or a system text of the caller, with its path. */
export type ParsedMessage = Message & { readonly path: string };

const NOT_EMPTY = filledText(Number.POSITIVE_INFINITY, 'must not be empty');

/** A part of what a user says. */
export const PART = variants('type', 'must be a part with a type', {
  text: mapped(
    object({ type: choice(['text']), text: NOT_EMPTY, image_url: optional(anything()) }),
    ({ text }): ContentPart => ({ type: 'text', text }),
  ),
  image_url: mapped(
    object({ type: choice(['image_url']), text: optional(anything()), image_url: IMAGE }),
    ({ image_url: image }) => image,
  ),
});
const USER_PARTS = list(PART, 1, MAX_PARTS);

/** A text or parts. */
const USER_CONTENT: Reader<readonly ContentPart[]> = {
  schema: { oneOf: [NOT_EMPTY.schema, USER_PARTS.schema] },
  read(located) {
    if (typeof located.value === 'string') return [{ type: 'text', text: NOT_EMPTY.read(located) }];
    if (!Array.isArray(located.value)) throw invalidAt(located.path, 'must be a text or a list of parts');
    return USER_PARTS.read(located);
  },
};

/** A refusal comes back with answers of OpenAI's own models. */
const TEXT_PARTS = list(
  variants('type', 'must be a part with a type', {
    text: mapped(
      object({ type: choice(['text']), text: TEXT, refusal: optional(anything()) }),
      ({ text }) => text,
    ),
    refusal: mapped(
      object({ type: choice(['refusal']), text: optional(anything()), refusal: TEXT }),
      ({ refusal }) => refusal,
    ),
  }),
  1,
  MAX_PARTS,
);

/** A text, or parts that are one text in pieces. */
const TEXT_CONTENT: Reader<string> = {
  schema: { oneOf: [TEXT.schema, TEXT_PARTS.schema] },
  read(located) {
    if (typeof located.value === 'string') return TEXT.read(located);
    if (!Array.isArray(located.value))
      throw invalidAt(located.path, 'must be a text or a list of parts of type text');
    return TEXT_PARTS.read(located).join('');
  },
};

const ARGUMENT_VALUES = jsonObject(MAX_ARGUMENT_VALUES);

/** A text that is no JSON object is sent on as the model wrote it: a conversation does not end at one broken call. */
const ARGUMENTS: Reader<ToolArguments> = {
  schema: { type: 'string', description: 'A JSON object as text, or what the model wrote in its place.' },
  read(located) {
    const text = TEXT.read(located);
    if (hasMoreValues(text, MAX_ARGUMENT_VALUES)) {
      throw invalidAt(located.path, `must not have more than ${MAX_ARGUMENT_VALUES} values and names`);
    }
    const value = parseArguments(text);
    return typeof value === 'string' ? value : ARGUMENT_VALUES.read({ path: located.path, value });
  },
};

/** A call that the model made earlier. */
export const TOOL_CALL: Reader<ToolCall> = mapped(
  object({
    id: noted(NAME, { description: 'Unique in the conversation.' }),
    type: optional(choice(['function'])),
    function: object({ name: NAME, arguments: ARGUMENTS }),
  }),
  ({ id, function: called }) => ({ id, ...called }),
);

const UNSUPPORTED: Reader<never> = {
  schema: { type: 'null' },
  read({ path }) {
    throw invalidAt(path, 'is not supported');
  },
};

/** No provider but one knows it. */
const IGNORED_NAME = optional(anything({ type: 'string' }));

const ASSISTANT: Reader<Message> = mapped(
  object(
    {
      role: choice(['assistant']),
      content: optional(TEXT_CONTENT),
      name: IGNORED_NAME,
      tool_calls: optional(list(TOOL_CALL, 1, MAX_TOOL_CALLS)),
      refusal: optional(anything({ type: 'string' })),
      annotations: optional(anything()),
      audio: optional(UNSUPPORTED),
      function_call: optional(UNSUPPORTED),
    },
    '`content`, `tool_calls`, or both.',
  ),
  ({ content, tool_calls: toolCalls = [], refusal }, { path }) => {
    const instead = refusal === undefined ? '' : TEXT.read({ path: `${path}.refusal`, value: refusal });
    const text = content ?? instead;
    if (text === '' && toolCalls.length === 0) throw invalidAt(path, 'must have content or tool_calls');
    return assistantMessage(text, toolCalls);
  },
);

const SYSTEM: Reader<Message> = mapped(
  object({ role: choice(['system', 'developer']), content: TEXT_CONTENT, name: IGNORED_NAME }),
  ({ content: text }, { path }) => {
    if (text === '') throw invalidAt(`${path}.content`, 'must not be empty');
    return { role: 'system', text };
  },
);

const ROLES = variants('role', 'must be an object with role and content', {
  user: mapped(
    object({ role: choice(['user']), content: USER_CONTENT, name: IGNORED_NAME }),
    ({ role, content }): Message => ({ role, content }),
  ),
  assistant: ASSISTANT,
  tool: mapped(
    object(
      { role: choice(['tool']), content: TEXT_CONTENT, name: IGNORED_NAME, tool_call_id: NAME },
      'The result of a call of the assistant message before it: each call has one.',
    ),
    ({ role, content: text, tool_call_id: toolCallId }): Message => ({
      role,
      toolCallId,
      content: text === '' ? [] : [{ type: 'text', text }],
    }),
  ),
  system: SYSTEM,
  developer: SYSTEM,
});

/** A message of any role, with its path. */
export const MESSAGE: Reader<ParsedMessage> = mapped(
  noted(ROLES, { description: 'A message in the shape of OpenAI.' }),
  (turn, { path }) => ({ ...turn, path }),
);

export const MESSAGES = list(MESSAGE, 1, MAX_MESSAGES);
