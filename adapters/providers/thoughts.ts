// Thoughts of models, in answers and requests of the APIs of Anthropic and Amazon Bedrock (platform.claude.com/docs/en/build-with-claude/extended-thinking).
import {
  lastUserIndex,
  type SealedReasoning,
  type Thought,
  type ToolCall,
} from '../../core/conversation/conversation.ts';
import type { AnswerBlock, ModelRequest } from '../../core/ports/providers.ts';
import { isReplayable } from './alternating-turns.ts';

type SentRequest = Omit<ModelRequest, 'signal'>;

/** A thought, or a piece of one: `redacted` is all of a thought without a text. */
export interface ThoughtPiece {
  readonly text?: string | undefined;
  readonly signature?: string | undefined;
  readonly redacted?: string | undefined;
}

/** Undefined for nothing at all. Without a signature, or with half a character in its text, its provider would not take a thought back. */
export function toThought(
  origin: Thought['origin'],
  { text = '', signature, redacted }: ThoughtPiece,
): Thought | undefined {
  if (redacted) return { origin, payload: redacted };
  if (signature && text.isWellFormed()) return { origin, text, payload: signature };
  return text === '' ? undefined : { origin, text: text.toWellFormed() };
}

/** The blocks of an answer; none without a thought among them. */
export function blocksWithThoughts(blocks: readonly AnswerBlock[]): { blocks?: readonly AnswerBlock[] } {
  return blocks.some(({ type }) => type === 'thought') ? { blocks } : {};
}

export function callsIn(blocks: readonly AnswerBlock[]): readonly ToolCall[] {
  return blocks.flatMap((block) => (block.type === 'toolCall' ? [block.call] : []));
}

const BEFORE_4_6 = /claude-(?:instant|v?2|3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|[@:]|-v\d|$))/;

/** True for models before Claude 4.6, under the names of every vendor. */
export function isBeforeClaude46(model: string): boolean {
  return BEFORE_4_6.test(model);
}

const MIN_BUDGET = 1_024;
/** The API takes a lower one without thoughts only. */
const MIN_TOP_P = 0.95;

/** The member `thinking` of a request; undefined where its caller has no wish, or the API would reject it beside the rest of the request. */
export function thinkingOfClaude(
  request: SentRequest,
  origin: SealedReasoning['origin'],
): Record<string, unknown> | undefined {
  const { thinking, model, maxTokens } = request;
  if (thinking === undefined || !model.includes('claude')) return undefined;
  if (thinking.mode === 'off') return { type: 'disabled' };
  if (excludesThinking(request)) return undefined;
  if (thinking.mode === 'adaptive') {
    // Earlier models take a budget only.
    return isBeforeClaude46(model) ? undefined : { type: 'adaptive' };
  }
  // A budget is a part of the tokens of the answer.
  const budget = Math.min(thinking.tokens, maxTokens - 1);
  if (budget < MIN_BUDGET || lacksThoughts(request, origin)) return undefined;
  return { type: 'enabled', budget_tokens: budget };
}

/** True beside parameters, a forced call, or a beginning of the answer, with which the API takes no thinking. */
function excludesThinking({ temperature, topP, toolChoice, messages }: SentRequest): boolean {
  const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
  const isNarrow = topP !== undefined && topP < MIN_TOP_P;
  return temperature !== undefined || isNarrow || isForced || messages.at(-1)?.role === 'assistant';
}

/** True amid a chain of calls that another model began, or that began without thoughts: with a budget, the API wants them there. */
function lacksThoughts({ messages, model }: SentRequest, origin: SealedReasoning['origin']): boolean {
  return messages.slice(lastUserIndex(messages) + 1).some((turn) => {
    if (turn.role !== 'assistant') return false;
    const [first] = turn.blocks;
    return first?.type !== 'reasoning' || !isReplayable(first.reasoning, { origin, model });
  });
}
