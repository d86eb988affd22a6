// Guards by Amazon Bedrock: a guardrail of the account, and checks without one. Both are called with the role of the function.
import * as z from 'zod/mini';
import { members } from '../../members.ts';
import { decimal, money } from '../../scalars.ts';
import { serviceTimeout } from './timeout.ts';

const region = z
  .string()
  .check(z.regex(/^[a-z]{2}(?:-[a-z]+)+-[0-9]$/, { error: 'must be an AWS region, such as us-east-1' }));

/** The id of a guardrail; none of another account, whose ARN the API takes too. */
export const guardrailId = z.string().check(
  z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, {
    error: 'must be the id of a guardrail of this account: a-z, 0-9 and -, no ARN',
  }),
);

/** A draft would change without a change here. */
const guardrailVersion = z
  .string()
  .check(z.regex(/^[1-9][0-9]{0,7}$/, { error: 'must be the number of a version, such as "3", not DRAFT' }));

/** The guardrail of a `callModel` step, which Converse applies. */
export const stepGuardrail = members({ id: guardrailId, version: guardrailVersion });

const price = z.optional(money);

export const bedrock = members({
  type: z.literal('bedrock'),
  guardrail: guardrailId,
  version: guardrailVersion,
  /** @default the region of the stage */
  region: z.optional(region),
  timeout: serviceTimeout,
  /** Per text unit: up to 1,000 characters, by policy. Words and regular expressions are free. */
  prices: z.optional(
    members({
      content: price,
      topic: price,
      sensitiveInformation: price,
      contextualGrounding: price,
      automatedReasoning: price,
    }),
  ),
});

/** The lowest score that counts as a find. */
const threshold = decimal(0.01, 1);
const category = z.optional(threshold);

const named = z.refine<object>((one) => Object.keys(one).length > 0, {
  error: 'must have a category with its threshold',
});

const CHECKS = ['promptAttack', 'contentFilter', 'sensitiveInformation'] as const;
export type BedrockCheck = (typeof CHECKS)[number];

export const bedrockChecks = members({
  type: z.literal('bedrockChecks'),
  region,
  promptAttack: z.optional(
    members({ jailbreak: category, promptInjection: category, promptLeakage: category }).check(named),
  ),
  contentFilter: z.optional(
    members({
      hate: category,
      insults: category,
      misconduct: category,
      sexual: category,
      violence: category,
    }).check(named),
  ),
  sensitiveInformation: z.optional(
    members({
      /** Names of `BEDROCK_ENTITIES`, which `validate` knows. */
      entities: z
        .array(z.string().check(z.regex(/^[A-Z][A-Z_]{1,63}$/)))
        .check(z.minLength(1), z.maxLength(100)),
      minScore: z._default(threshold, 0.6),
    }),
  ),
  timeout: serviceTimeout,
  /** Per text unit: up to 1,000 characters, by check. */
  prices: z.optional(members({ promptAttack: price, contentFilter: price, sensitiveInformation: price })),
}).check(z.refine((one) => checksOf(one).length > 0, { error: `must have a check: ${CHECKS.join(', ')}` }));

export type BedrockGuard = z.output<typeof bedrock>;
export type BedrockChecksGuard = z.output<typeof bedrockChecks>;

/** The checks that a guard asks for. */
export function checksOf(guard: Pick<BedrockChecksGuard, BedrockCheck>): readonly BedrockCheck[] {
  return CHECKS.filter((check) => guard[check] !== undefined);
}
