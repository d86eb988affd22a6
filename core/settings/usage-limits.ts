// Usage limits of organizations and of API keys: amounts for each day or month.
import * as z from 'zod/mini';
import { explainKind, members } from './members.ts';
import { integer, money } from './scalars.ts';
import { noted } from './schema-notes.ts';

const period = z.enum(['day', 'month'], { error: 'must be day or month' });

const amount = integer(1, 1_000_000_000_000);

/** Runs at once: at most as many as a function can have execution environments. */
export const concurrency = integer(1, 100_000);

const ALERT_AT =
  'must be at most 10 different percentages, whole numbers from 1 to 100, such as [50, 80, 100]';

/** Shares of a limit, in percent, at which an alert is sent (docs/alerts.md). */
const alertAt = z.optional(
  noted(
    z.array(integer(1, 100), { error: ALERT_AT }).check(
      z.minLength(1, { error: ALERT_AT }),
      z.maxLength(10, { error: ALERT_AT }),
      z.refine((shares) => new Set(shares).size === shares.length, { error: ALERT_AT }),
    ),
    { uniqueItems: true, examples: [[50, 80, 100]] },
  ),
);

const periodic = [
  members({ metric: z.literal('requests'), limit: amount, period, alertAt }),
  members({ metric: z.literal('tokens'), limit: amount, period, alertAt }),
  members({ metric: z.literal('cost'), limit: money, period, alertAt }),
] as const;

/** Metrics of the limits of organizations and neurons. */
export const METRICS = ['requests', 'tokens', 'cost', 'concurrent'] as const;

/** A usage limit as an operator writes it; cost is in dollars, after parsing in microdollars. */
export const usageLimitSchema = z.discriminatedUnion('metric', periodic, {
  error: explainKind('metric', ['requests', 'tokens', 'cost']),
});

/** A usage limit of an organization, which may also limit runs at once; these have no period. */
export const organizationLimitSchema = z.discriminatedUnion(
  'metric',
  [...periodic, members({ metric: z.literal('concurrent'), limit: concurrency })],
  { error: explainKind('metric', METRICS) },
);

/** A parsed usage limit; `limit` in requests, tokens or microdollars. */
export type UsageLimit = z.output<typeof usageLimitSchema>;

/** A parsed usage limit, as the item of an API key holds it. */
export const storedUsageLimitSchema = z.object({
  metric: z.enum(['requests', 'tokens', 'cost']),
  limit: z.int().check(z.gte(0)),
  period,
  alertAt,
});

/** One limit for each metric and period. */
export const MAX_KEY_LIMITS = 6;
