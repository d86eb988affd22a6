// Ids of calls of tools, which models and callers pass to and fro: one that holds a value is exchanged, and one call stays one call.
import type { AssistantBlock, Conversation, Message, ToolCall } from '../../conversation/conversation.ts';
import type { ModelResult } from '../../ports/providers.ts';
import type { ActiveGuard } from '../active-guards.ts';

/** The ids of one request and its answer. */
export interface CallIds {
  /** The same id, or another one, always the same, where a guard that acts finds something in it. */
  clean(id: string): string;
  /** Takes note of the ids that other calls have. */
  take(conversation: Pick<Conversation, 'messages'>): void;
}

/** An id says nothing to a model: nothing is counted or blocked. A new one has nine letters and digits, which every provider takes. */
export function createCallIds(guards: readonly ActiveGuard[]): CallIds {
  const acting = guards.filter(({ action }) => action !== 'flag');
  const exchanged = new Map<string, string>();
  const taken = new Set<string>();
  let last = 0;
  const nextId = (): string => {
    last += 1;
    const id = `call${String(last).padStart(5, '0')}`;
    return taken.has(id) ? nextId() : id;
  };
  return {
    clean(id) {
      const known = exchanged.get(id);
      if (known !== undefined) return known;
      if (!acting.some((guard) => guard.find(id).length > 0)) return id;
      const own = nextId();
      exchanged.set(id, own);
      return own;
    },
    take({ messages }) {
      for (const id of messages.flatMap(idsOf)) taken.add(id);
    },
  };
}

function idsOf(message: Message): readonly string[] {
  if (message.role === 'tool') return [message.toolCallId];
  if (message.role !== 'assistant') return [];
  return message.blocks.flatMap((block) => (block.type === 'toolCall' ? [block.call.id] : []));
}

/** The same conversation, with calls and results under clean ids. */
export function withCleanIds(conversation: Conversation, ids: CallIds): Conversation {
  ids.take(conversation);
  return { ...conversation, messages: conversation.messages.map((message) => cleanMessage(message, ids)) };
}

function cleanMessage(message: Message, ids: CallIds): Message {
  if (message.role === 'tool') return { ...message, toolCallId: ids.clean(message.toolCallId) };
  return message.role === 'assistant' ? { ...message, blocks: cleanBlocks(message.blocks, ids) } : message;
}

function cleanBlocks<Block extends AssistantBlock | NonNullable<ModelResult['blocks']>[number]>(
  blocks: readonly Block[],
  ids: CallIds,
): readonly Block[] {
  return blocks.map((block) =>
    block.type === 'toolCall' ? { ...block, call: cleanCall(block.call, ids) } : block,
  );
}

export function cleanCall(call: ToolCall, ids: CallIds): ToolCall {
  return { ...call, id: ids.clean(call.id) };
}

/** The same answer, with calls under clean ids. */
export function cleanAnswer(result: ModelResult, ids: CallIds): ModelResult {
  const { toolCalls, blocks } = result;
  return {
    ...result,
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => cleanCall(call, ids)) }),
    ...(blocks === undefined ? {} : { blocks: cleanBlocks(blocks, ids) }),
  };
}
