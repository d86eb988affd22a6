// Renders conversations for the log: a single text as it is, everything else as JSON without the bytes of images.

import { bytesOf } from '../conversation/base64.ts';
import {
  type AssistantBlock,
  type ContentPart,
  type Conversation,
  type EmbeddingWish,
  type Message,
  plainTextOf,
  type ToolCall,
} from '../conversation/conversation.ts';
import { describeEmbedding } from '../conversation/embedding.ts';

/** Everything that a caller has sent, for the log. */
export function describeInput({
  conversation,
  embedding,
}: {
  readonly conversation: Conversation;
  readonly embedding?: EmbeddingWish;
}): string {
  return embedding === undefined ? describeConversation(conversation) : describeEmbedding(embedding);
}

/** The whole conversation of a caller. */
export function describeConversation(conversation: Conversation): string {
  const plain = plainTextOf(conversation);
  const named = describeVariables(conversation);
  if (plain !== undefined) return named === undefined ? plain : JSON.stringify({ input: plain, ...named });
  // A request that is passed on says the same, with the thoughts of models.
  const { passed: _passed, variables: _variables, ...said } = conversation;
  return JSON.stringify({ ...said, messages: said.messages.map(describeMessage), ...named });
}

/** Defaults too: they decide on the answer as well. */
function describeVariables({ variables = [] }: Conversation): { readonly variables: object } | undefined {
  if (variables.length === 0) return undefined;
  return { variables: Object.fromEntries(variables.map(({ name, text }) => [name, text])) };
}

export function describeMessages(messages: readonly Message[]): string {
  const [only, ...others] = messages;
  if (only?.role === 'user' && others.length === 0) {
    const [part, ...more] = only.content;
    if (part?.type === 'text' && more.length === 0) return part.text;
  }
  return JSON.stringify(messages.map(describeMessage));
}

export function describeAnswer(text: string, toolCalls: readonly ToolCall[]): string {
  return toolCalls.length === 0 ? text : JSON.stringify({ text, toolCalls });
}

function describeMessage(message: Message): unknown {
  if (message.role === 'system') return message;
  if (message.role === 'assistant') return { ...message, blocks: message.blocks.map(describeBlock) };
  return { ...message, content: message.content.map(describePart) };
}

/** Without sealed reasoning: it is for its provider alone. */
function describeBlock(block: AssistantBlock): unknown {
  if (block.type !== 'reasoning') return block;
  const { origin, model, payload } = block.reasoning;
  return { type: block.type, origin, model, length: payload.length };
}

function describePart(part: ContentPart): unknown {
  if (part.type === 'text' || part.type === 'imageAddress') return part;
  const { type, mediaType, data } = part;
  return { type, mediaType, bytes: bytesOf(data), ...(part.type === 'document' ? { name: part.name } : {}) };
}
