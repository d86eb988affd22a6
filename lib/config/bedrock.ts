// The stage setting `bedrock`: what the role of the execution function may call on Amazon Bedrock, by region.
import * as z from 'zod/mini';
import { guardrailId } from '../../core/settings/guards/remote/bedrock.ts';
import { members } from '../../core/settings/members.ts';
import { flag, isBedrockModelId } from '../../core/settings/scalars.ts';
import { matching, REGION } from './optional-settings.ts';

/** Foundation models, and inference profiles that AWS defines. */
const models = z
  .array(
    z.string().check(
      z.refine(isBedrockModelId, {
        error:
          'must be the id of a foundation model or of an inference profile of AWS, such as us.amazon.nova-lite-v1:0',
      }),
    ),
  )
  .check(z.minLength(1, { error: 'must name at least one model' }));

/** Guardrails of the account that guards and flows name. */
const guardrails = z.array(guardrailId).check(z.minLength(1, { error: 'must name at least one guardrail' }));

/** Profiles of guardrails whose texts AWS may judge in other regions of a geography. */
const guardrailProfiles = z
  .array(
    matching(
      /^[a-z0-9-]{1,30}\.guardrail\.v[0-9:]{1,10}$/,
      'must be the id of a guardrail profile of AWS, such as us.guardrail.v1:0',
    ),
  )
  .check(z.minLength(1, { error: 'must name at least one guardrail profile' }));

const OPTIONS = ['models', 'guardrails', 'guardrailChecks'] as const;

export const bedrockGrants = members({
  region: matching(REGION, 'must be an AWS region such as us-east-1'),
  models: z.optional(models),
  guardrails: z.optional(guardrails),
  guardrailProfiles: z.optional(guardrailProfiles),
  /** Checks without a guardrail, which have no resource to name. @default false */
  guardrailChecks: z.optional(flag),
}).check(
  z.refine((one) => OPTIONS.some((option) => one[option] !== undefined && one[option] !== false), {
    error: `must allow something: ${OPTIONS.join(', ')}`,
  }),
);
