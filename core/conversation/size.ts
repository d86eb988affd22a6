// How large a conversation is: what `maxInputBytes` bounds, and what limits reserve for it.
import { sum } from '../text/numbers.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { Conversation, Message } from './conversation.ts';

/** Bytes of a turn's texts in UTF-8, calls of tools included, images not. */
export function textBytesOf(message: Message): number {
  if (message.role === 'tool') return utf8Bytes(message.text);
  if (message.role === 'assistant') {
    const calls = message.toolCalls.map(({ name, arguments: input }) =>
      utf8Bytes(name + JSON.stringify(input)),
    );
    return utf8Bytes(message.text) + sum(calls);
  }
  return sum(message.content.map((part) => (part.type === 'text' ? utf8Bytes(part.text) : 0)));
}

/** Images of a turn. */
export function imagesOf(message: Message): number {
  return message.role === 'user' ? message.content.filter(({ type }) => type === 'image').length : 0;
}

/** Bytes in UTF-8 of everything that may reach a model but images: texts, calls, tools and schema. */
export function bytesOfConversation({ system, messages, tools, schema }: Conversation): number {
  return (
    sum(system.map(utf8Bytes)) +
    sum(messages.map(textBytesOf)) +
    (tools.length === 0 ? 0 : utf8Bytes(JSON.stringify(tools))) +
    (schema === undefined ? 0 : utf8Bytes(JSON.stringify(schema)))
  );
}
