// The parts of a call's tokens that were cached or spent on reasoning, as its provider reported them.

import type { LoggedTokenParts } from '../contract/log-entry.ts';
import type { TokenUsage } from '../ports/providers.ts';

/** Within the whole, whatever a provider reports; cut in the order in which the cost counts them. Parts of 0 are absent. */
export function partsOf(usage: TokenUsage): LoggedTokenParts {
  const hour = Math.min(usage.cacheWrite1h ?? 0, usage.input);
  const write = Math.min(usage.cacheWrite ?? 0, usage.input - hour);
  const read = Math.min(usage.cachedInput ?? 0, usage.input - hour - write);
  const reasoning = Math.min(usage.reasoning ?? 0, usage.output);
  return toParts(read, write, hour, reasoning);
}

/** The parts of two attempts together. */
export function addParts(one: LoggedTokenParts, other: LoggedTokenParts): LoggedTokenParts {
  return toParts(
    (one.tokensCacheRead ?? 0) + (other.tokensCacheRead ?? 0),
    (one.tokensCacheWrite ?? 0) + (other.tokensCacheWrite ?? 0),
    (one.tokensCacheWrite1h ?? 0) + (other.tokensCacheWrite1h ?? 0),
    (one.tokensReasoning ?? 0) + (other.tokensReasoning ?? 0),
  );
}

function toParts(read: number, write: number, hour: number, reasoning: number): LoggedTokenParts {
  return {
    ...(read === 0 ? {} : { tokensCacheRead: read }),
    ...(write === 0 ? {} : { tokensCacheWrite: write }),
    ...(hour === 0 ? {} : { tokensCacheWrite1h: hour }),
    ...(reasoning === 0 ? {} : { tokensReasoning: reasoning }),
  };
}
