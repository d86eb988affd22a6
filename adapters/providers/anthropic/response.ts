// Reads a message (platform.claude.com/docs/en/api/messages): the text, why it ended, and what it used.
import {
  type FinishReason,
  type ModelResult,
  ProviderFailure,
  type TokenUsage,
} from '../../../core/ports/providers.ts';
import { memberOf, toCount, toModelVersion } from '../post-json.ts';

/** `refusal` is the vendor's filter. What ends by a reason that is not here is served like any other, and never cached. */
const FINISHES: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'filtered'],
]);

/** Throws `ProviderFailure` `malformed_answer` for anything that is no message. */
export function toModelResult(json: unknown, status: number): ModelResult {
  const content = memberOf(json, 'content');
  if (memberOf(json, 'type') !== 'message' || !Array.isArray(content)) {
    throw new ProviderFailure('malformed_answer', { status });
  }
  return {
    text: content.map(toText).join(''),
    finish: FINISHES.get(memberOf(json, 'stop_reason')) ?? 'other',
    usage: toUsage(memberOf(json, 'usage')),
    modelVersion: toModelVersion(memberOf(json, 'model')),
  };
}

/** Blocks of other types (thinking) are no part of the answer. */
function toText(block: unknown): string {
  const text = memberOf(block, 'text');
  return memberOf(block, 'type') === 'text' && typeof text === 'string' ? text : '';
}

/** `input_tokens` leaves out what was written to and read from the prompt cache; undefined unless both counts are there. */
function toUsage(usage: unknown): TokenUsage | undefined {
  const input = toCount(memberOf(usage, 'input_tokens'));
  const output = toCount(memberOf(usage, 'output_tokens'));
  if (input === undefined || output === undefined) return undefined;
  const written = toCount(memberOf(usage, 'cache_creation_input_tokens')) ?? 0;
  const read = toCount(memberOf(usage, 'cache_read_input_tokens')) ?? 0;
  return { input: input + written + read, output, ...(read === 0 ? {} : { cachedInput: read }) };
}
