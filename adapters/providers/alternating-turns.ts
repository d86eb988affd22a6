// Turns as Anthropic and Bedrock take them: user and assistant alternate, the user is first, and tool results come first in a user's turn.
import type {
  AssistantBlock,
  CacheHint,
  ContentPart,
  Message,
  SealedReasoning,
  SystemBlock,
} from '../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../core/ports/providers.ts';

/** A result under the id that its call has upstream. */
export interface ResultBlock {
  readonly type: 'toolResult';
  readonly toolCallId: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  readonly cache?: CacheHint;
}

export type Block = ContentPart | AssistantBlock | ResultBlock;

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/** Stands for a turn of the user without text, and before a conversation that the assistant begins: both APIs reject empty turns. */
export const EMPTY_TURN = '(no text)';

/** The provider and model that a request goes to: what another model thought is sealed for that one. */
type Target = Pick<ModelRequest, 'messages' | 'model'> & { readonly origin: SealedReasoning['origin'] };

/**
 * Joins neighbouring turns of one side, leaves out texts of white space alone, and renumbers ids that the APIs do not take or that were used
 * before, in calls and results alike.
 */
export function toAlternatingTurns(target: Target): readonly Turn[] {
  const renumber = createRenumbering(target.messages);
  const turns: { role: Turn['role']; blocks: Block[] }[] = [];
  for (const message of target.messages) {
    // Both APIs have system texts in one place only.
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(renumber(message), target).filter((block) => !isBlank(block));
    if (role === 'assistant' && blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', blocks: [] });
  trimEnd(turns.at(-1));
  return turns.map(({ role, blocks }) => ({
    role,
    blocks: blocks.length === 0 ? [{ type: 'text', text: EMPTY_TURN }] : resultsFirst(blocks),
  }));
}

/** Both APIs reject the beginning of an answer that ends with white space. */
function trimEnd(turn: { readonly role: Turn['role']; readonly blocks: Block[] } | undefined): void {
  const last = turn?.blocks.at(-1);
  if (turn?.role !== 'assistant' || last?.type !== 'text') return;
  turn.blocks[turn.blocks.length - 1] = { ...last, text: last.text.trimEnd() };
}

/** Asks for `json`, which neither API has a member for. */
const JSON_INSTRUCTION =
  'Answer with one JSON object and nothing else: no words around it, no Markdown and no code fence.';

/** System texts of a request, those among its turns last. */
export function systemBlocksOf({
  system,
  messages,
  json,
}: Pick<ModelRequest, 'system' | 'messages' | 'json'>): readonly SystemBlock[] {
  const later = messages.flatMap((message) => (message.role === 'system' ? [message] : []));
  return [...system, ...later, ...(json === true ? [{ text: JSON_INSTRUCTION }] : [])].filter(
    ({ text }) => text.trim() !== '',
  );
}

/** True for reasoning that its provider takes back: of the same kind of provider, and of the same model. */
export function isReplayable(
  { origin, model }: SealedReasoning,
  target: { readonly origin: Target['origin'] | undefined; readonly model: string },
): boolean {
  return origin === target.origin && model === target.model;
}

/** The turn, its calls and results under the ids that go upstream. */
type Renumbered = Exclude<Message, { readonly role: 'system' }>;

function blocksOf(message: Renumbered, target: Target): readonly Block[] {
  if (message.role === 'user') return message.content;
  if (message.role === 'assistant') {
    return message.blocks.filter(
      (block) => block.type !== 'reasoning' || isReplayable(block.reasoning, target),
    );
  }
  const { toolCallId, content, isError = false, cache } = message;
  const shown = content.filter((part) => part.type !== 'text' || part.text !== '');
  return [
    { type: 'toolResult', toolCallId, content: shown, isError, ...(cache === undefined ? {} : { cache }) },
  ];
}

/** Both APIs reject a text of only white space, which some models write before a call. */
function isBlank(block: Block): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

function resultsFirst(blocks: readonly Block[]): readonly Block[] {
  const isResult = ({ type }: Block): boolean => type === 'toolResult';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

/** Ids of calls that both APIs take (Anthropic `tool_use.id`, Bedrock `ToolUseBlock$toolUseId`). */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Gives each call an id of its own; to be asked for the turns in their order. A result follows its call. */
function createRenumbering(messages: readonly Message[]): (message: Renumbered) => Renumbered {
  const taken = new Set(messages.flatMap(idsOf));
  const used = new Set<string>();
  let current = new Map<string, string>();
  let number = 0;
  const next = (): string => {
    do number += 1;
    while (taken.has(`call_${number}`));
    return `call_${number}`;
  };
  return (message) => {
    if (message.role === 'tool') {
      return { ...message, toolCallId: current.get(message.toolCallId) ?? message.toolCallId };
    }
    if (message.role !== 'assistant') return message;
    current = new Map();
    return {
      ...message,
      blocks: message.blocks.map((block) => {
        if (block.type !== 'toolCall') return block;
        const { id } = block.call;
        const fresh = ID.test(id) && !used.has(id) ? id : next();
        used.add(fresh);
        current.set(id, fresh);
        return { ...block, call: { ...block.call, id: fresh } };
      }),
    };
  };
}

function idsOf(message: Message): readonly string[] {
  if (message.role !== 'assistant') return [];
  return message.blocks.flatMap((block) => (block.type === 'toolCall' ? [block.call.id] : []));
}
