// A request that goes to a provider of its own form as its caller wrote it, and the thoughts in it that may not.
import { isJsonObject, type JsonObject, memberOf, toList } from '../text/json.ts';
import type { PassedRequest, SealedReasoning } from './conversation.ts';

/**
 * The body with the thoughts that `isOwn` says are the target's, as the target sealed them, and without all others. In the midst of a
 * chain of calls of which a turn begins without a thought, the API rejects a budget for thoughts: it is left out as well.
 */
export function bodyForTarget(
  { body, thoughts }: PassedRequest,
  isOwn: (reasoning: SealedReasoning) => boolean,
): { readonly body: JsonObject; readonly isWhole: boolean; readonly thinks: boolean } {
  const messages = toList(body['messages']);
  const chainBegins = messages.findLastIndex(isQuestion);
  let isWhole = true;
  let isChainWhole = true;
  const kept = messages.flatMap((message, index) => {
    const content = memberOf(message, 'content');
    const isOfChain = index > chainBegins && memberOf(message, 'role') === 'assistant';
    if (!isJsonObject(message) || !Array.isArray(content)) {
      isChainWhole &&= !isOfChain;
      return [message];
    }
    const blocks = content.flatMap((block: unknown) => {
      if (!thoughts.has(block)) return [block];
      const reasoning = thoughts.get(block);
      if (reasoning !== undefined && isOwn(reasoning)) return [unsealed(block as JsonObject, reasoning)];
      isWhole = false;
      return [];
    });
    isChainWhole &&= !isOfChain || isThought(blocks[0]);
    return blocks.length === 0 && content.length > 0 ? [] : [{ ...message, content: blocks }];
  });
  const thinks = isChainWhole || memberOf(body['thinking'], 'type') !== 'enabled';
  const { thinking: _thinking, context_management: _edits, ...rest } = body;
  return { body: { ...(thinks ? body : rest), messages: kept }, isWhole, thinks };
}

function isThought(block: unknown): boolean {
  const type = memberOf(block, 'type');
  return type === 'thinking' || type === 'redacted_thinking';
}

/** True for a turn of the user without results of tools: what stands beside them goes on with the chain. */
function isQuestion(message: unknown): boolean {
  if (memberOf(message, 'role') !== 'user') return false;
  const content = memberOf(message, 'content');
  return !Array.isArray(content) || !content.some((block) => memberOf(block, 'type') === 'tool_result');
}

function unsealed(block: JsonObject, { payload }: SealedReasoning): JsonObject {
  return block['type'] === 'thinking' ? { ...block, signature: payload } : { ...block, data: payload };
}
