// The feedback that a neuron takes on its answers: which metrics, whether with a comment, and for how long.
import * as z from 'zod/mini';
import { MAX_VALUE } from '../../contract/ratings.ts';
import { explainKind, members } from '../members.ts';
import { duration, flag } from '../scalars.ts';

const METRIC_NAME = /^[a-z][a-z0-9_]{0,31}$/;
const bound = z
  .number({ error: `must be a number from -${MAX_VALUE} to ${MAX_VALUE}` })
  .check(z.minimum(-MAX_VALUE), z.maximum(MAX_VALUE));

const metric = z.discriminatedUnion(
  'type',
  [
    members({ type: z.literal('boolean') }),
    members({ type: z.literal('number'), min: bound, max: bound }).check(
      z.refine(({ min, max }) => min < max, { error: 'must have a min that is less than its max' }),
    ),
  ],
  { error: explainKind('type', ['boolean', 'number']) },
);

const name = z
  .string()
  .check(z.regex(METRIC_NAME, { error: 'must be a lowercase letter with up to 31 letters, digits or _' }));

const metrics = z.record(name, metric).check(
  z.refine((all) => Object.keys(all).length > 0, { error: 'must name at least one metric' }),
  z.refine((all) => Object.keys(all).length <= 10, { error: 'must name at most 10 metrics' }),
);

export const feedbackSchema = members({
  metrics,
  comments: z._default(flag, false),
  within: z._default(duration('1m', '90d'), 7 * 86_400_000),
});

export type FeedbackSettings = z.output<typeof feedbackSchema>;
export type FeedbackMetric = FeedbackSettings['metrics'][string];
