// The budget of a shadow: one counter of cost, which conditional writes keep within it, and which no limit of a caller knows.
import type { LimitedCounter } from '../limits/plan-counters.ts';
import type { Shadow } from '../settings/stored-settings.ts';

/** The key of its counter: owners of limits have ids of another form. */
export function shadowCounterKey({ id }: Pick<Shadow, 'id'>): string {
  return `SHADOW#${id}`;
}

/** The counter in the form of a usage limit, whose window is the time of the shadow. `nowMs`: since the Unix epoch. */
export function shadowCounter(shadow: Shadow, nowMs: number): LimitedCounter {
  const limits = [{ metric: 'cost', limit: shadow.budgetMicrodollars }] as const;
  return {
    scope: 'organization',
    period: 'month',
    window: { startMs: nowMs, endMs: Date.parse(shadow.until) },
    limits,
    items: [{ key: shadowCounterKey(shadow), limits }],
    isLast: true,
  };
}
