// The size of a conversation, which `maxInputBytes` bounds and limits reserve for.
import { sum } from '../text/numbers.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { AssistantBlock, CacheHint, ContentPart, Conversation, Message } from './conversation.ts';
import { argumentsObject } from './tool-arguments.ts';

/** UTF-8 bytes of a turn's texts, with calls of tools and sealed reasoning, and without the data of images and documents. */
export function textBytesOf(message: Message): number {
  switch (message.role) {
    case 'system':
      return utf8Bytes(message.text);
    case 'user':
      return sum(message.content.map(textBytesOfPart));
    case 'tool':
      return utf8Bytes(message.toolCallId) + sum(message.content.map(textBytesOfPart));
    case 'assistant':
      return sum(message.blocks.map(bytesOfBlock));
  }
}

function textBytesOfPart(part: ContentPart): number {
  switch (part.type) {
    case 'text':
      return utf8Bytes(part.text);
    case 'imageAddress':
      return utf8Bytes(part.url);
    case 'document':
      return utf8Bytes(part.name ?? '');
    case 'image':
      return 0;
  }
}

function bytesOfBlock(block: AssistantBlock): number {
  if (block.type === 'text') return utf8Bytes(block.text);
  if (block.type === 'reasoning') {
    const { text = '', payload } = block.reasoning;
    return utf8Bytes(text) + utf8Bytes(payload);
  }
  const { id, namespace = '', name, arguments: input } = block.call;
  return utf8Bytes(id + namespace + name + JSON.stringify(argumentsObject(input)));
}

function partsOf(message: Message): readonly ContentPart[] {
  return message.role === 'user' || message.role === 'tool' ? message.content : [];
}

/** Images of a turn, sent or named by address. */
export function imagesOf(message: Message): number {
  return partsOf(message).filter(({ type }) => type === 'image' || type === 'imageAddress').length;
}

/** The data of a turn's documents, in characters of base64 each. */
export function documentLengthsOf(message: Message): readonly number[] {
  return partsOf(message).flatMap((part) => (part.type === 'document' ? [part.data.length] : []));
}

/** UTF-8 bytes of all that may reach a model except data of images and documents: texts, calls, tools and schema. */
export function bytesOfConversation({ system, messages, tools, schema }: Conversation): number {
  return (
    sum(system.map(({ text }) => utf8Bytes(text))) +
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

interface Marked {
  readonly cache?: CacheHint;
}

interface SentConversation {
  readonly system: readonly Marked[];
  readonly messages: readonly Message[];
  readonly tools?: readonly Marked[];
}

/** The wishes for the prompt cache in what is sent. */
export function cacheHintsOf({ system, messages, tools = [] }: SentConversation): readonly CacheHint[] {
  const marked: readonly Marked[] = [...system, ...tools, ...messages.flatMap(markedOf)];
  return marked.flatMap(({ cache }) => cache ?? []);
}

/** The longest of these wishes; undefined without one. */
export function longestCacheHint(sent: SentConversation): CacheHint['ttl'] | undefined {
  const [first, ...others] = cacheHintsOf(sent);
  return others.some(({ ttl }) => ttl === '1h') ? '1h' : first?.ttl;
}

function markedOf(message: Message): readonly Marked[] {
  switch (message.role) {
    case 'user':
      return message.content;
    case 'assistant':
      return message.blocks.flatMap((block) => (block.type === 'reasoning' ? [] : [block]));
    case 'tool':
      return [message, ...message.content];
    case 'system':
      return [message];
  }
}
