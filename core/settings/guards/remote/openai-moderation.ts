// A guard by OpenAI's moderation, or by a server with the same API, through a provider of the organization.
import * as z from 'zod/mini';
import { members } from '../../members.ts';
import { decimal, modelName, money, providerName } from '../../scalars.ts';
import { serviceTimeout } from './timeout.ts';

/** Those of `omni-moderation` (platform.openai.com/docs/guides/moderation). */
export const MODERATION_CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;
export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number];

const threshold = z.optional(decimal(0, 1));

const thresholds = members(
  Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, threshold])) as Record<
    ModerationCategory,
    typeof threshold
  >,
).check(
  z.refine((named) => Object.keys(named).length > 0, {
    error: `must have a category, such as ${MODERATION_CATEGORIES[0]}`,
  }),
);

export const openaiModeration = members({
  type: z.literal('openaiModeration'),
  /** A provider of type `openai`. */
  provider: providerName,
  model: z._default(modelName, 'omni-moderation-latest'),
  /** The score from which a category counts; without them the service's own flags of all categories do. */
  thresholds: z.optional(thresholds),
  timeout: serviceTimeout,
  prices: z.optional(members({ call: money })),
});

export type OpenaiModerationGuard = z.output<typeof openaiModeration>;
