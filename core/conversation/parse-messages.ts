// Reads messages in the shape of OpenAI's Chat Completions (platform.openai.com/docs/api-reference/chat/create) into the inner form.

import { isJsonObject, type JsonObject } from '../text/json.ts';
import type { ContentPart, Message, ToolCall } from './conversation.ts';
import { parseImage } from './parse-image.ts';
import {
  invalidAt,
  type Located,
  readChoice,
  readJsonObject,
  readList,
  readName,
  readObject,
  readText,
} from './reader.ts';

/** Messages of a conversation. */
export const MAX_MESSAGES = 200;
const MAX_PARTS = 100;
const MAX_TOOL_CALLS = 128;

const ROLES = ['user', 'assistant', 'tool', 'system', 'developer'] as const;

type Turn = Message | { readonly role: 'system'; readonly text: string };

/** A turn of the conversation, or a system text of the caller, with its path. */
export type ParsedMessage = Turn & { readonly path: string };

/** Members by role. `name` is ignored: no provider but one knows it. `rejection` and `annotations` come back with answers of others. */
const MEMBERS = {
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'annotations', 'audio', 'function_call'],
  tool: ['role', 'content', 'name', 'tool_call_id'],
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
} as const;

/** Throws 422 `invalid_input` with the path of the first mistake. */
export function parseMessages(located: Located): readonly ParsedMessage[] {
  return readList(located, 1, MAX_MESSAGES).map((entry) => ({ ...parseMessage(entry), path: entry.path }));
}

function parseMessage(located: Located): Turn {
  const role = readChoice(firstOf(located, 'role', 'must be an object with role and content'), ROLES);
  const message = readObject(located, MEMBERS[role]);
  if (role === 'assistant') return parseAssistant(located);
  const content = message.required('content');
  if (role === 'user') return { role, content: parseUserContent(content) };
  const text = parseTextContent(content);
  if (role === 'tool') {
    const id = message.required('tool_call_id');
    return { role, toolCallId: readText(id), text };
  }
  if (text === '') throw invalidAt(content.path, 'must not be empty');
  return { role: 'system', text };
}

/** The member that says which others there are. */
function firstOf({ path, value }: Located, name: string, must: string): Located {
  if (!isJsonObject(value)) throw invalidAt(path, must);
  return { path: `${path}.${name}`, value: value[name] };
}

/** Before the members: of a part that is not taken, such as audio or a file, its type is what to say. */
function readPartType<T extends string>(entry: Located, types: readonly T[]): T {
  return readChoice(firstOf(entry, 'type', 'must be a part with a type'), types);
}

function parseUserContent(content: Located): readonly ContentPart[] {
  if (typeof content.value === 'string') {
    const text = readText(content);
    if (text === '') throw invalidAt(content.path, 'must not be empty');
    return [{ type: 'text', text }];
  }
  if (!Array.isArray(content.value)) throw invalidAt(content.path, 'must be a text or a list of parts');
  return readList(content, 1, MAX_PARTS).map((entry) => {
    const type = readPartType(entry, ['text', 'image_url']);
    const part = readObject(entry, ['type', 'text', 'image_url']);
    if (type === 'image_url') {
      return parseImage(part.required('image_url'));
    }
    const located = part.required('text');
    const text = readText(located);
    if (text === '') throw invalidAt(located.path, 'must not be empty');
    return { type: 'text', text };
  });
}

/** A text, or parts of type `text`, which are one text in pieces. */
function parseTextContent(content: Located): string {
  if (typeof content.value === 'string') return readText(content);
  if (!Array.isArray(content.value)) {
    throw invalidAt(content.path, 'must be a text or a list of parts of type text');
  }
  return readList(content, 1, MAX_PARTS)
    .map((entry) => {
      const type = readPartType(entry, ['text', 'refusal']);
      const part = readObject(entry, ['type', 'text', 'refusal']);
      return type === 'text' ? readText(part.required('text')) : readText(part.required('refusal'));
    })
    .join('');
}

function parseAssistant(located: Located): Extract<Message, { role: 'assistant' }> {
  const message = readObject(located, MEMBERS.assistant);
  const content = message.optional('content');
  const calls = message.optional('tool_calls');
  for (const name of ['audio', 'function_call']) {
    if (message.optional(name) !== undefined) throw invalidAt(`${located.path}.${name}`, 'is not supported');
  }
  const text = content === undefined ? rejectionOf(message.optional('refusal')) : parseTextContent(content);
  const toolCalls = calls === undefined ? [] : readList(calls, 1, MAX_TOOL_CALLS).map(parseToolCall);
  if (text === '' && toolCalls.length === 0) {
    throw invalidAt(located.path, 'must have content or tool_calls');
  }
  return { role: 'assistant', text, toolCalls };
}

function rejectionOf(rejection: Located | undefined): string {
  return rejection === undefined ? '' : readText(rejection);
}

function parseToolCall(located: Located): ToolCall {
  const call = readObject(located, ['id', 'type', 'function']);
  const type = call.optional('type');
  if (type !== undefined) readChoice(type, ['function']);
  const id = call.required('id');
  const text = readText(id);
  if (text === '' || text.length > 256) throw invalidAt(id.path, 'must be a text of 1 to 256 characters');
  const called = readObject(call.required('function'), ['name', 'arguments']);
  return {
    id: text,
    name: readName(called.required('name')),
    arguments: parseArguments(called.required('arguments')),
  };
}

/** Arguments are a text of JSON; a call without any may have the empty text. */
function parseArguments(located: Located): JsonObject {
  const text = readText(located);
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    throw invalidAt(located.path, 'must be a text of JSON');
  }
  if (!isJsonObject(value)) throw invalidAt(located.path, 'must be the text of a JSON object');
  return readJsonObject({ path: located.path, value });
}
