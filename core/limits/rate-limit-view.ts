// Selects the limit for the RateLimit headers: the caller's own limit with the smallest remaining fraction.
import type { RateLimitView } from '../surfaces/surface.ts';
import type { Account } from './account.ts';
import { type Balance, takenOf } from './balance.ts';
import type { LimitedCounter } from './plan-counters.ts';

/** Shows limits of requests and tokens with the scope `user` or `ip`, never those of other scopes, of cost or of runs at once. */
export function selectRateLimitView(
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

/** True for limits that count a single caller; others would reveal the use of other callers. */
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
