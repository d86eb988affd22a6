// The size of a conversation, which `maxInputBytes` bounds and limits reserve for.
import { sum } from '../text/numbers.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { Conversation, Message } from './conversation.ts';
import { argumentsObject } from './tool-arguments.ts';

/** UTF-8 bytes of a turn's texts, with calls of tools and without images. */
export function textBytesOf(message: Message): number {
  if (message.role === 'tool') return utf8Bytes(message.toolCallId + message.text);
  if (message.role === 'assistant') {
    const calls = message.toolCalls.map(({ id, name, arguments: input }) =>
      utf8Bytes(id + name + JSON.stringify(argumentsObject(input))),
    );
    return utf8Bytes(message.text) + sum(calls);
  }
  return sum(message.content.map((part) => (part.type === 'text' ? utf8Bytes(part.text) : 0)));
}

/** Images of a turn. */
export function imagesOf(message: Message): number {
  return message.role === 'user' ? message.content.filter(({ type }) => type === 'image').length : 0;
}

/** UTF-8 bytes of all that may reach a model except images: texts, calls, tools and schema. */
export function bytesOfConversation({ system, messages, tools, schema }: Conversation): number {
  return (
    sum(system.map(utf8Bytes)) +
    sum(messages.map(textBytesOf)) +
    (tools.length === 0 ? 0 : utf8Bytes(JSON.stringify(tools))) +
    (schema === undefined ? 0 : utf8Bytes(JSON.stringify(schema)))
  );
}

/** UTF-16 units for what is no text: brackets, names and roles of 10,000 messages, and blanks. */
const STRUCTURE_LENGTH = 400_000;

/**
 * The maximum length of a body without images, in UTF-16 units: an escape of JSON takes six of them for each byte of UTF-8 at most, as
 * `\u0041` does (RFC 8259, section 7).
 */
export function maxBodyLength(maxInputBytes: number): number {
  return 6 * maxInputBytes + STRUCTURE_LENGTH;
}
