// Turns as Anthropic and Bedrock take them: user and assistant alternate, and tool results come first in a user's turn.
import type { ContentPart, Message, ToolCall } from '../../core/conversation/conversation.ts';

export type Block =
  | ContentPart
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  | { readonly type: 'toolResult'; readonly toolCallId: string; readonly text: string };

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/** Ids of calls that both APIs take (Anthropic `tool_use.id`, Bedrock `ToolUseBlock$toolUseId`). */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Joins neighbouring turns of one side, and renumbers ids that the APIs do not take, in calls and results alike. */
export function toAlternatingTurns(messages: readonly Message[]): readonly Turn[] {
  const ids = renumber(messages);
  const turns: { role: Turn['role']; blocks: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    const blocks = blocksOf(message, ids);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns.map(({ role, blocks }) => ({ role, blocks: resultsFirst(blocks) }));
}

function blocksOf(message: Message, ids: ReadonlyMap<string, string>): readonly Block[] {
  if (message.role === 'user') return message.content;
  if (message.role === 'tool') {
    const { toolCallId, text } = message;
    return [{ type: 'toolResult', toolCallId: ids.get(toolCallId) ?? toolCallId, text }];
  }
  return [
    // Both APIs reject a text of only white space, which some models write before a call.
    ...(message.text.trim() === '' && message.toolCalls.length > 0
      ? []
      : [{ type: 'text' as const, text: message.text }]),
    ...message.toolCalls.map((call) => ({
      type: 'toolCall' as const,
      call: { ...call, id: ids.get(call.id) ?? call.id },
    })),
  ];
}

function resultsFirst(blocks: readonly Block[]): readonly Block[] {
  const isResult = ({ type }: Block): boolean => type === 'toolResult';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

function renumber(messages: readonly Message[]): ReadonlyMap<string, string> {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
  );
  const taken = new Set(ids);
  const renamed = new Map<string, string>();
  for (const id of ids) {
    if (ID.test(id)) continue;
    let number = renamed.size + 1;
    while (taken.has(`call_${number}`)) number += 1;
    taken.add(`call_${number}`);
    renamed.set(id, `call_${number}`);
  }
  return renamed;
}
