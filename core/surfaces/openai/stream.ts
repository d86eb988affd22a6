// Encodes a run as the chunks of a chat completion (platform.openai.com/docs/api-reference/chat/streaming).
import { toEventData } from '../event-stream.ts';
import type { StreamEncoder } from '../surface.ts';
import { type CompletionHead, finishOf, identify, toWireCall, usageOf } from './answer.ts';

/** The chunks of one answer: role once, then texts and calls, the finish, usage where it was asked for, and the end. */
export function createCompletionEncoder(head: CompletionHead, includeUsage: boolean): StreamEncoder {
  let hasRole = false;
  let calls = 0;
  const chunk = (choices: readonly object[], usage: object | null = null): string =>
    frame({ ...identify(head, 'chat.completion.chunk'), choices, ...(includeUsage ? { usage } : {}) });
  const delta = (content: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }]);
  const role = (): string => {
    if (hasRole) return '';
    hasRole = true;
    return delta({ role: 'assistant', content: '', refusal: null });
  };
  return {
    text: (text) => role() + delta({ content: text }),
    reasoningText: (text) => role() + delta({ reasoning_content: text }),
    toolCall(call) {
      const index = calls;
      calls += 1;
      return role() + delta({ tool_calls: [{ index, ...toWireCall(call) }] });
    },
    result: (result) =>
      role() + delta({}, finishOf(result)) + (includeUsage ? chunk([], usageOf(result)) : '') + DONE,
    // Every client takes this for a failure; without it some take a part of the answer for the whole.
    error: ({ body }) => `data: ${toEventData(body)}\n\n${DONE}`,
  };
}

const DONE = 'data: [DONE]\n\n';

function frame(chunk: object): string {
  return `data: ${toEventData(JSON.stringify(chunk))}\n\n`;
}
