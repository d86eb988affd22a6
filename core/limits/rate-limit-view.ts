// The limit that a caller sees in the RateLimit headers: of its own limits, the one with the smallest fraction remaining.
import type { RateLimitView } from '../surfaces/surface.ts';
import type { Account } from './account.ts';
import { type Balance, takenOf } from './balance.ts';
import type { LimitedCounter } from './plan-counters.ts';

/** Limits of requests and tokens with the scope `user` or `ip`. Limits with other scopes, of cost and of runs at once are never shown. */
export function rateLimitViewOf(
  accounts: readonly Account[],
  balance: Balance,
  timeMs: number,
): RateLimitView | undefined {
  const views = accounts.flatMap((account) => viewsOf(account, balance, timeMs));
  return views.reduce<RateLimitView | undefined>(
    (least, view) =>
      least === undefined || fractionRemaining(view) < fractionRemaining(least) ? view : least,
    undefined,
  );
}

/** True for limits that count a single caller; the others would reveal other callers' use. */
export function isShown({ scope }: Pick<LimitedCounter, 'scope'>): boolean {
  return scope === 'user' || scope === 'ip';
}

function viewsOf({ counter, takenByOthers }: Account, balance: Balance, timeMs: number): RateLimitView[] {
  const { scope, period, window, limits } = counter;
  if (!isShown(counter)) return [];
  return limits.flatMap(({ metric, limit }) => {
    const taken = takenByOthers[metric];
    if ((metric !== 'requests' && metric !== 'tokens') || taken === undefined) return [];
    return {
      name: `${scope}-${metric}-${period}`,
      metric,
      limit,
      windowMs: window.endMs - window.startMs,
      remaining: Math.max(0, limit - taken - takenOf(balance[metric])),
      resetMs: window.endMs - timeMs,
    };
  });
}

function fractionRemaining({ remaining, limit }: RateLimitView): number {
  return remaining / limit;
}
