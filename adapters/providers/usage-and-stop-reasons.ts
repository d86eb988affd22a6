// Usage and stop reasons that the APIs of Anthropic and Bedrock have in common: both count input through the prompt cache apart.
import type { FinishReason, TokenUsage } from '../../core/ports/providers.ts';
import { memberOf } from '../../core/text/json.ts';
import { toCount } from './post-json.ts';

/** The API's names of its counts: input besides the cache, output, and tokens written to and read from the cache. */
export interface CountNames {
  readonly input: string;
  readonly output: string;
  readonly written: string;
  readonly read: string;
  /** The tokens written that are kept for an hour. */
  readonly writtenForHour: (usage: unknown) => number;
  /** Object and member of the output tokens spent on reasoning, for APIs that count them. */
  readonly reasoning?: readonly [string, string];
}

/** Input includes tokens written to and read from the cache. Undefined unless both counts are there. */
export function toUsageWithCache(usage: unknown, names: CountNames): TokenUsage | undefined {
  const input = toCount(memberOf(usage, names.input));
  const output = toCount(memberOf(usage, names.output));
  if (input === undefined || output === undefined) return undefined;
  const written = toCount(memberOf(usage, names.written)) ?? 0;
  const read = toCount(memberOf(usage, names.read)) ?? 0;
  const writtenForHour = Math.min(names.writtenForHour(usage), written);
  const cacheWrite = written - writtenForHour;
  const [details, count] = names.reasoning ?? ['', ''];
  const reasoning = toCount(memberOf(memberOf(usage, details), count)) ?? 0;
  return {
    input: input + written + read,
    output,
    ...(read === 0 ? {} : { cachedInput: read }),
    ...(cacheWrite === 0 ? {} : { cacheWrite }),
    ...(writtenForHour === 0 ? {} : { cacheWrite1h: writtenForHour }),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

/** `filters`: reasons of the vendor's filters. An answer with another reason is served like any other, and never cached. */
export function mapStopReasons(filters: readonly string[]): ReadonlyMap<unknown, FinishReason> {
  return new Map<unknown, FinishReason>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ...filters.map((reason) => [reason, 'filtered'] as const),
  ]);
}
