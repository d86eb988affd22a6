// Reads messages in the shape of OpenAI's Chat Completions (platform.openai.com/docs/api-reference/chat/create) into the inner form.
import { countValues, memberOf, valueAt } from '../text/json.ts';
import { assistantMessage, type Message, type ToolCall, toolMessage } from './conversation.ts';
import { CONTENT, TEXT_CONTENT } from './parse-parts.ts';
import {
  anything,
  choice,
  invalidAt,
  jsonObject,
  type LocatedValue,
  list,
  mapped,
  NAME,
  noted,
  openObject,
  optional,
  type Reader,
  TEXT,
  variants,
} from './reader.ts';
import { parseArguments, type ToolArguments } from './tool-arguments.ts';

const MAX_MESSAGES = 10_000;
/** In one turn; an answer has no more either. */
export const MAX_TOOL_CALLS = 128;

/** Values and names within the arguments of all calls: some tools take tables. */
const MAX_ARGUMENT_VALUES = 100_000;

/** A turn of the conversation, or a system text of the caller, with its path. */
export type ParsedMessage = Message & {
  readonly path: string;
  /** Paths of the ids of its calls, or of the call that it is the result of, where they are not those of Chat Completions. */
  readonly idPaths?: readonly string[];
  /** Paths of its parts, where they are not those of Chat Completions. */
  readonly partPaths?: readonly string[];
};

const ARGUMENT_VALUES = jsonObject(MAX_ARGUMENT_VALUES);

/** A text that is no JSON object is sent on as the model wrote it: a conversation does not end at one broken call. */
const ARGUMENTS: Reader<ToolArguments> = {
  schema: { type: 'string', description: 'A JSON object as text, or what the model wrote in its place.' },
  read(located) {
    const value = parseArguments(TEXT.read(located));
    return typeof value === 'string' ? value : ARGUMENT_VALUES.read({ path: located.path, value });
  },
};

/**
 * Throws where the arguments of all calls have too many values together. Each is a text of JSON, in which those of the body are not
 * counted; to be asked before one of them is parsed.
 */
export function checkArguments(located: readonly LocatedValue[]): void {
  let left = MAX_ARGUMENT_VALUES;
  for (const { path, value } of located) {
    if (typeof value === 'string') left -= countValues(value, left);
    if (left >= 0) continue;
    const must = `must not have more than ${MAX_ARGUMENT_VALUES} values and names with those of the calls before it`;
    throw invalidAt(path, must);
  }
}

/** A call that the model made earlier. */
export const TOOL_CALL: Reader<ToolCall> = mapped(
  openObject({
    id: noted(NAME, { description: 'Unique in the message.' }),
    type: optional(choice(['function'])),
    function: openObject({ name: NAME, arguments: ARGUMENTS }),
  }),
  ({ id, function: called }) => ({ id, ...called }),
);

const UNSUPPORTED: Reader<never> = {
  schema: { type: 'null' },
  read({ path }) {
    throw invalidAt(path, 'is not supported');
  },
};

const ASSISTANT: Reader<Message> = mapped(
  openObject(
    {
      role: choice(['assistant']),
      content: optional(TEXT_CONTENT),
      tool_calls: optional(list(TOOL_CALL, 0, MAX_TOOL_CALLS)),
      refusal: optional(anything({ type: 'string' })),
      audio: optional(UNSUPPORTED),
      function_call: optional(UNSUPPORTED),
    },
    '`content`, `tool_calls`, or both.',
  ),
  ({ content, tool_calls: toolCalls = [], refusal }, { path }) => {
    const instead = refusal === undefined ? '' : TEXT.read({ path: `${path}.refusal`, value: refusal });
    return assistantMessage(content ?? instead, toolCalls);
  },
);

const SYSTEM: Reader<Message> = mapped(
  openObject({ role: choice(['system', 'developer']), content: TEXT_CONTENT }),
  ({ content: text }) => ({ role: 'system', text }),
);

const ROLES = variants('role', 'must be an object with role and content', {
  user: mapped(
    openObject({ role: choice(['user']), content: CONTENT }),
    ({ role, content }): Message => ({ role, content }),
  ),
  assistant: ASSISTANT,
  tool: mapped(
    openObject(
      { role: choice(['tool']), content: CONTENT, tool_call_id: NAME },
      'The result of a call of the assistant message before it: each call has one.',
    ),
    ({ content, tool_call_id: id }): Message => toolMessage(id, content),
  ),
  system: SYSTEM,
  developer: SYSTEM,
});

/** A message of any role, with its path. */
export const MESSAGE: Reader<ParsedMessage> = mapped(
  noted(ROLES, { description: 'A message in the shape of OpenAI. Other members are passed over.' }),
  (turn, { path }) => ({ ...turn, path }),
);

const LIST = list(MESSAGE, 1, MAX_MESSAGES);

export const MESSAGES: Reader<readonly ParsedMessage[]> = {
  schema: LIST.schema,
  read(located) {
    checkArguments(argumentsIn(located));
    return LIST.read(located);
  },
};

/** The arguments of all calls, wherever they are texts. */
function argumentsIn({ path, value: messages }: LocatedValue): readonly LocatedValue[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, index) => {
    const calls = memberOf(message, 'tool_calls');
    if (!Array.isArray(calls)) return [];
    return calls.map((call: unknown, at) => ({
      path: `${path}[${index}].tool_calls[${at}].function.arguments`,
      value: valueAt(call, ['function', 'arguments']),
    }));
  });
}
