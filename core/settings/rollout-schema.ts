// The defaults of a neuron's rollouts, by whom callers are told apart, and the stages; and the share of a split.
import * as z from 'zod/mini';
import { members } from './members.ts';
import { duration, integer } from './scalars.ts';
import { noted } from './schema-notes.ts';

/** The subject that a rollout keeps on one side: whoever has none of the kind is told apart by the next one. */
export const ROLLOUT_SUBJECTS = ['user', 'key', 'address', 'request'] as const;
export type RolloutSubject = (typeof ROLLOUT_SUBJECTS)[number];

/** One stage: the next may begin after a time and a number of runs of the candidate. */
export interface RolloutStage {
  /** Basis points, 1 to 10,000. */
  readonly share: number;
  /** Milliseconds. */
  readonly for: number;
  readonly runs: number;
}

export const DEFAULT_STAGES: readonly RolloutStage[] = [
  { share: 500, for: 0, runs: 0 },
  { share: 2_500, for: 0, runs: 0 },
  { share: 5_000, for: 0, runs: 0 },
  { share: 10_000, for: 0, runs: 0 },
];

const SHARE = /^(?:100|[1-9]?[0-9](?:\.[0-9]{1,2})?)%$/;
const WRONG_SHARE = 'must be a share from 0.01% to 100% with at most 2 decimals, such as 5%';

/** Basis points of a share such as `5%`; undefined for other texts, and for none of the callers. */
export function parseShare(text: string): number | undefined {
  const basisPoints = SHARE.test(text) ? Math.round(Number.parseFloat(text) * 100) : 0;
  return basisPoints === 0 ? undefined : basisPoints;
}

/** `5%`, `0.25%` */
export function renderShare(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

/** Basis points of a share such as `5%` after parsing. */
export const shareSchema = z.pipe(
  noted(
    z
      .string({ error: WRONG_SHARE })
      .check(z.refine((text) => parseShare(text) !== undefined, { error: WRONG_SHARE })),
    { pattern: SHARE.source, examples: ['5%', '100%'] },
  ),
  z.transform((text: string) => parseShare(text) ?? 0),
);

/** Every neuron has these, beside the metrics of its feedback. */
export const BUILT_IN_GUARDS: readonly string[] = ['failed', 'slow', 'dear'];
export const DEFAULT_GUARDS: readonly string[] = ['failed'];

const GUARD = /^[a-z][a-z0-9_]{0,31}$/;
const guards = z
  .array(
    z
      .string()
      .check(z.regex(GUARD, { error: `must be ${BUILT_IN_GUARDS.join(', ')} or a metric of feedback` })),
  )
  .check(
    z.maxLength(13),
    z.refine((list) => new Set(list).size === list.length, { error: 'must not name a guard twice' }),
  );

const stage = members({
  share: shareSchema,
  for: z._default(duration('1s', '90d'), 0),
  runs: z._default(integer(0, 1_000_000_000), 0),
});

const stages = z.array(stage).check(
  z.minLength(1, { error: 'must have at least one stage' }),
  z.maxLength(10),
  z.refine((list) => list.every(({ share }, at) => share > (list[at - 1]?.share ?? 0)), {
    error: 'must grow: each stage has a larger share than the one before',
  }),
);

export const rolloutSchema = members({
  by: z._default(z.enum(ROLLOUT_SUBJECTS, { error: `must be one of ${ROLLOUT_SUBJECTS.join(' ')}` }), 'user'),
  stages: z._default(stages, DEFAULT_STAGES as RolloutStage[]),
  guards: z._default(guards, DEFAULT_GUARDS as string[]),
});

/** The subject that a split of a flow keeps on one branch. */
const SPLIT_SUBJECTS = ['user', 'key', 'address'] as const;
export type SplitSubject = (typeof SPLIT_SUBJECTS)[number];

const percentage = noted(
  z.number({ error: 'must be a percentage from 0 to 100' }).check(
    z.refine((value) => value >= 0 && value <= 100 && /^[0-9]+(?:\.[0-9]{1,2})?$/.test(String(value)), {
      error: 'must be a percentage from 0 to 100 with at most 2 decimals',
    }),
  ),
  { minimum: 0, maximum: 100, description: 'at most 2 decimals' },
);

const WRONG_NAME = 'must be a lowercase letter, and up to 31 letters, digits, _ or -';

/** The members of a split beside its branches. */
export const splitMembers = {
  percentageA: percentage,
  stickyBy: z.optional(z.enum(SPLIT_SUBJECTS, { error: `must be one of ${SPLIT_SUBJECTS.join(' ')}` })),
  name: z.optional(
    z.string({ error: WRONG_NAME }).check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/, { error: WRONG_NAME })),
  ),
};
