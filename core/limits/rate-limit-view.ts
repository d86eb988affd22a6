// What a caller may know of its limits: the one of its own with the smallest share left.
import type { RateLimitView } from '../contract/rate-limit.ts';
import type { Account } from './account.ts';
import { type Balance, takenOf } from './balance.ts';
import type { LimitedCounter } from './plan-counters.ts';

export type { RateLimitView };

/** Requests and tokens of the scopes `user` and `ip`; everyone's, the organization's and cost limits are never shown. */
export function viewOf(
  accounts: readonly Account[],
  balance: Balance,
  timeMs: number,
): RateLimitView | undefined {
  const views = accounts.flatMap((account) => viewsOf(account, balance, timeMs));
  return views.reduce<RateLimitView | undefined>(
    (least, view) => (least === undefined || shareLeft(view) < shareLeft(least) ? view : least),
    undefined,
  );
}

/** True for limits that count the caller alone. */
export function isShown({ scope }: Pick<LimitedCounter, 'scope'>): boolean {
  return scope === 'user' || scope === 'ip';
}

function viewsOf({ counter, others }: Account, balance: Balance, timeMs: number): RateLimitView[] {
  const { scope, period, window, limits } = counter;
  if (!isShown(counter)) return [];
  return limits.flatMap(({ metric, limit }) => {
    const taken = others[metric];
    if (metric === 'cost' || taken === undefined) return [];
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

function shareLeft({ remaining, limit }: RateLimitView): number {
  return remaining / limit;
}
