// Token usage of APIs that count what went through the prompt cache apart from the rest of the input.

import type { TokenUsage } from '../../core/ports/providers.ts';
import { memberOf } from '../../core/text/json.ts';
import { toCount } from './post-json.ts';

/** The API's names of its counts: input besides the cache, output, and what was written to and read from the cache. */
export interface CountNames {
  readonly input: string;
  readonly output: string;
  readonly written: string;
  readonly read: string;
  /** Where the part of the output is that was spent on reasoning, for APIs that tell. */
  readonly reasoning?: readonly [string, string];
}

/** The usage with everything that was put in as its input; undefined unless both counts are there. */
export function toUsageWithCache(usage: unknown, names: CountNames): TokenUsage | undefined {
  const input = toCount(memberOf(usage, names.input));
  const output = toCount(memberOf(usage, names.output));
  if (input === undefined || output === undefined) return undefined;
  const written = toCount(memberOf(usage, names.written)) ?? 0;
  const read = toCount(memberOf(usage, names.read)) ?? 0;
  const [details, count] = names.reasoning ?? ['', ''];
  const reasoning = toCount(memberOf(memberOf(usage, details), count)) ?? 0;
  return {
    input: input + written + read,
    output,
    ...(read === 0 ? {} : { cachedInput: read }),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}
