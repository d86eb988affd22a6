// Prices what services use: units by the prices of their settings, tokens by those of models.
import type { Spending } from '../../limits/budget.ts';
import type { GuardUsage } from '../../ports/guards.ts';
import type { TokenUsage } from '../../ports/providers.ts';
import type { ServiceGuard } from '../../settings/guards/guards-schema.ts';
import { traitsOf } from './traits.ts';

/** Integer microdollars; null for a model without a price. */
export type CostOfModel = (provider: string, model: string, usage: TokenUsage) => number | null;

/** The sum of several calls; the cost is null as soon as a part of it has no price. */
export function spendingOf(
  guard: ServiceGuard,
  usages: readonly GuardUsage[],
  costOfModel: CostOfModel,
): Spending {
  const prices: Readonly<Record<string, number | undefined>> =
    ('prices' in guard ? guard.prices : undefined) ?? {};
  const { unpriced } = traitsOf(guard);
  let tokens = 0;
  let cost: number | null = 0;
  const add = (one: number | null): void => {
    cost = cost === null || one === null ? null : cost + one;
  };
  for (const { units = {}, tokens: used } of usages) {
    for (const [unit, count] of Object.entries(units)) {
      const price = Object.hasOwn(prices, unit) ? (prices[unit] ?? unpriced) : unpriced;
      add(count === 0 ? 0 : price === null ? null : Math.ceil(price * count));
    }
    if (used === undefined) continue;
    tokens += used.usage.input + used.usage.output;
    add(costOfModel(used.provider, used.model, used.usage));
  }
  return { tokens, costMicrodollars: cost };
}
