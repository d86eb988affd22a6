// Encodes a run as the events of a message (platform.claude.com/docs/en/build-with-claude/streaming): numbered blocks, one open at a time.

import type { SealedReasoning } from '../../conversation/conversation.ts';
import type { TokenUsage } from '../../ports/providers.ts';
import { toEventData } from '../event-stream.ts';
import type { StreamEncoder } from '../surface.ts';
import type { MessageHead } from './head.ts';
import { callBlock, messageObject, stopReasonOf, textBlock, thinkingBlock, usageOf } from './message.ts';

/**
 * The events of one message. Its first one says the tokens of the input, since agents measure their context by it: as the provider reported
 * them by then, else as `countInput` does. The last one repeats that sum, whatever is reported later.
 */
export function createMessageEncoder(head: MessageHead, countInput: () => number): StreamEncoder {
  let hasBegun = false;
  let index = 0;
  let isTextOpen = false;
  let reported: TokenUsage | undefined;
  const inputTokens = countOnce(countInput);

  const begin = (): string => {
    if (hasBegun) return '';
    hasBegun = true;
    const message = messageObject(head, [], usageOf(reported ?? { input: inputTokens(), output: 0 }));
    return event('message_start', { message });
  };
  const closeText = (): string => {
    if (!isTextOpen) return '';
    isTextOpen = false;
    return event('content_block_stop', { index: index++ });
  };
  return {
    text(text) {
      const begun = begin();
      const started = isTextOpen ? '' : event('content_block_start', { index, content_block: textBlock('') });
      isTextOpen = true;
      return begun + started + event('content_block_delta', { index, delta: { type: 'text_delta', text } });
    },
    toolCall(call) {
      const before = begin() + closeText();
      const { input, ...block } = callBlock(call);
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
      return (
        before +
        event('content_block_start', { index, content_block: { ...block, input: {} } }) +
        event('content_block_delta', { index, delta }) +
        event('content_block_stop', { index: index++ })
      );
    },
    usage(usage) {
      if (!hasBegun) reported = usage;
    },
    reasoning(reasoning) {
      return begin() + closeText() + encodeThought(reasoning, index++);
    },
    result(result) {
      const before = begin() + closeText();
      const delta = {
        stop_reason: stopReasonOf(result),
        stop_sequence: null,
        stop_details: null,
        container: null,
      };
      const input = reported === undefined ? inputTokens() : (result.usage?.input ?? 0);
      const usage = usageOf({ output: 0, ...result.usage, input });
      return before + event('message_delta', { delta, usage }) + event('message_stop', {});
    },
    // Without a start and an end: nothing takes what was sent for a whole message.
    error: ({ body }) => `event: error\ndata: ${toEventData(body)}\n\n`,
  };
}

/** Counting takes time, and most providers say the number before it is needed. */
function countOnce(count: () => number): () => number {
  let counted: number | undefined;
  return () => {
    counted ??= count();
    return counted;
  };
}

function encodeThought(reasoning: SealedReasoning, index: number): string {
  const block = thinkingBlock(reasoning);
  const start = (content_block: object) => event('content_block_start', { index, content_block });
  const delta = (one: object) => event('content_block_delta', { index, delta: one });
  const frames =
    block.type === 'redacted_thinking'
      ? start(block)
      : start({ ...block, thinking: '', signature: '' }) +
        delta({ type: 'thinking_delta', thinking: block.thinking }) +
        delta({ type: 'signature_delta', signature: block.signature });
  return frames + event('content_block_stop', { index });
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${toEventData(JSON.stringify({ type, ...members }))}\n\n`;
}
