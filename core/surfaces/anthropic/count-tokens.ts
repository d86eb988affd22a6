// Counts the tokens of a conversation without a model: never too few, since agents make a conversation shorter by what they are told.
import type { Conversation } from '../../conversation/conversation.ts';
import { bytesOfConversation } from '../../conversation/size.ts';

/** For the marks around a turn, a tool or a system text. */
const PER_PART = 8;

/** An upper estimate. */
export function countTokens(conversation: Conversation): number {
  const { messages, tools, system } = conversation;
  const parts = messages.length + tools.length + system.length;
  return Math.ceil(bytesOfConversation(conversation) / 3) + parts * PER_PART;
}
