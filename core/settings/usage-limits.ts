// Usage limits of organizations and of API keys: amounts for each day or month.
import * as z from 'zod/mini';
import { explainKind, members } from './members.ts';
import { integer, money } from './scalars.ts';
import { noted } from './schema-notes.ts';

const keyPeriod = z.enum(['minute', 'day', 'month'], { error: 'must be minute, day or month' });

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

function perPeriod<Period extends z.ZodMiniType<string>>(period: Period) {
  return [
    members({ metric: z.literal('requests'), limit: amount, period, alertAt }),
    members({ metric: z.literal('tokens'), limit: amount, period, alertAt }),
    members({ metric: z.literal('cost'), limit: money, period, alertAt }),
  ] as const;
}

const periodic = perPeriod(z.enum(['day', 'month'], { error: 'must be day or month' }));

/** Metrics of the limits of organizations and neurons. */
export const METRICS = ['requests', 'tokens', 'cost', 'concurrent'] as const;

/** A limit of an API key as an operator writes it; cost is in dollars, after parsing in microdollars. */
export const keyLimitSchema = z
  .discriminatedUnion('metric', perPeriod(keyPeriod), {
    error: explainKind('metric', ['requests', 'tokens', 'cost']),
  })
  .check(
    z.refine((limit) => limit.period !== 'minute' || limit.alertAt === undefined, {
      path: ['alertAt'],
      error: 'is for limits per day or month',
    }),
  );

/** A usage limit of an organization, which may also limit runs at once; these have no period. */
export const organizationLimitSchema = z.discriminatedUnion(
  'metric',
  [...periodic, members({ metric: z.literal('concurrent'), limit: concurrency })],
  { error: explainKind('metric', METRICS) },
);

/** A parsed usage limit; `limit` in requests, tokens or microdollars. */
export type UsageLimit = z.output<(typeof periodic)[number]>;

/** A parsed limit of an API key, as its item holds it. */
export const storedKeyLimitSchema = z.object({
  metric: z.enum(['requests', 'tokens', 'cost']),
  limit: z.int().check(z.gte(0)),
  period: keyPeriod,
  alertAt,
});

export type KeyLimit = z.output<typeof storedKeyLimitSchema>;

/** One limit for each metric and period. */
export const MAX_KEY_LIMITS = 9;
