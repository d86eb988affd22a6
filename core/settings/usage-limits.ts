// Usage limits of organizations and of API keys: amounts for each day or month.
import * as z from 'zod/mini';
import { members } from './members.ts';
import { integer, money } from './scalars.ts';

const period = z.enum(['day', 'month'], { error: 'must be day or month' });

const amount = integer(1, 1_000_000_000_000);

/** Runs at once: as many as a function can be given execution environments. */
export const concurrency = integer(1, 100_000);

const periodic = [
  members({ metric: z.literal('requests'), limit: amount, period }),
  members({ metric: z.literal('tokens'), limit: amount, period }),
  members({ metric: z.literal('cost'), limit: money, period }),
] as const;

/** A usage limit as an operator writes it, with cost in dollars; after parsing, cost is in microdollars. */
export const usageLimitSchema = z.discriminatedUnion('metric', periodic, {
  error: 'must have a metric: requests, tokens or cost',
});

/** A usage limit of an organization: of one more metric, which has no period. */
export const organizationLimitSchema = z.discriminatedUnion(
  'metric',
  [...periodic, members({ metric: z.literal('concurrent'), limit: concurrency })],
  { error: 'must have a metric: requests, tokens, cost or concurrent' },
);

/** A parsed usage limit; `limit` in requests, tokens or microdollars. */
export type UsageLimit = z.output<typeof usageLimitSchema>;

/** A usage limit as the item of an API key has it: parsed already. */
export const storedUsageLimitSchema = z.object({
  metric: z.enum(['requests', 'tokens', 'cost']),
  limit: z.int().check(z.gte(0)),
  period,
});

/** A key has at most one limit for each metric and period. */
export const MAX_KEY_LIMITS = 6;
