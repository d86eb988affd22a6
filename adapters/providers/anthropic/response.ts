// Reads a message (platform.claude.com/docs/en/api/messages): the text, why it ended, and what it used.

import { memberOf } from '../../../core/contract/json.ts';
import { type FinishReason, type ModelResult, ProviderFailure } from '../../../core/ports/providers.ts';
import { toModelVersion } from '../post-json.ts';
import { type CountNames, toUsageWithCache } from '../usage-with-cache.ts';

/** `refusal` is the vendor's filter. What ends by a reason that is not here is served like any other, and never cached. */
const FINISHES: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'filtered'],
]);

const COUNTS: CountNames = {
  input: 'input_tokens',
  output: 'output_tokens',
  written: 'cache_creation_input_tokens',
  read: 'cache_read_input_tokens',
};

/** Throws `ProviderFailure` `malformed_answer` for anything that is no message. */
export function toModelResult(json: unknown, status: number): ModelResult {
  const content = memberOf(json, 'content');
  if (memberOf(json, 'type') !== 'message' || !Array.isArray(content)) {
    throw new ProviderFailure('malformed_answer', { status });
  }
  return {
    text: content.map(toText).join(''),
    finish: FINISHES.get(memberOf(json, 'stop_reason')) ?? 'other',
    usage: toUsageWithCache(memberOf(json, 'usage'), COUNTS),
    modelVersion: toModelVersion(memberOf(json, 'model')),
  };
}

/** Blocks of other types (thinking) are no part of the answer. */
function toText(block: unknown): string {
  const text = memberOf(block, 'text');
  return memberOf(block, 'type') === 'text' && typeof text === 'string' ? text : '';
}
