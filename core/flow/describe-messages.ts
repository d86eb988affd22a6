// Renders conversations for the log: a single text as it is, everything else as JSON without the bytes of images.
import {
  type ContentPart,
  type Conversation,
  type Message,
  plainTextOf,
  type ToolCall,
} from '../conversation/conversation.ts';
import { bytesOf } from '../conversation/parse-image.ts';

/** The whole conversation of a caller. */
export function describeConversation(conversation: Conversation): string {
  const plain = plainTextOf(conversation);
  if (plain !== undefined) return plain;
  return JSON.stringify({ ...conversation, messages: conversation.messages.map(describeMessage) });
}

export function describeMessages(messages: readonly Message[]): string {
  const [only, ...others] = messages;
  if (only?.role === 'user' && others.length === 0) {
    const [part, ...more] = only.content;
    if (part?.type === 'text' && more.length === 0) return part.text;
  }
  return JSON.stringify(messages.map(describeMessage));
}

/** A model's answer: its text, or text and calls of tools as JSON. */
export function describeAnswer(text: string, toolCalls: readonly ToolCall[]): string {
  return toolCalls.length === 0 ? text : JSON.stringify({ text, toolCalls });
}

function describeMessage(message: Message): unknown {
  return message.role === 'user' ? { ...message, content: message.content.map(describePart) } : message;
}

function describePart(part: ContentPart): unknown {
  if (part.type === 'text') return part;
  return { type: part.type, mediaType: part.mediaType, bytes: bytesOf(part.data) };
}
