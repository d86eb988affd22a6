// The schema of a neuron document: settings, which take effect at once, and the flow, which versions fix.
import * as z from 'zod/mini';
import { accessSchema, tokenCondition } from './access-schema.ts';
import { feedbackSchema } from './feedback/feedback-schema.ts';
import { guardUses } from './guards/guards-schema.ts';
import { explainKind, members } from './members.ts';
import { modelNames } from './names/model-names.ts';
import { MAX_NEURON_TAGS, tagsSchema } from './names/tags.ts';
import { DOCUMENT_FORMAT } from './organization-schema.ts';
import { rolloutSchema, shareSchema } from './rollout-schema.ts';
import {
  decimal,
  duration,
  explainNeuronName,
  flag,
  integer,
  label,
  modelName,
  money,
  providerName,
  slugPattern,
  text,
} from './scalars.ts';
import { noted } from './schema-notes.ts';
import { concurrency, METRICS } from './usage-limits.ts';
import { versionMembers } from './variables/version-content.ts';

export const RATE_PERIODS = [
  '1s',
  '10s',
  '30s',
  '1m',
  '5m',
  '10m',
  '15m',
  '30m',
  '1h',
  '6h',
  '12h',
  '1d',
] as const;

const period = z.enum(RATE_PERIODS, { error: `must be one of ${RATE_PERIODS.join(' ')}` });
const scope = z.enum(['total', 'ip', 'user'], { error: 'must be total, ip or user' });

const when = z.optional(tokenCondition);

const rateLimit = z.discriminatedUnion(
  'metric',
  [
    members({ metric: z.literal('requests'), scope, limit: integer(1, 1_000_000_000_000), period, when }),
    members({ metric: z.literal('tokens'), scope, limit: integer(1, 1_000_000_000_000), period, when }),
    members({ metric: z.literal('cost'), scope, limit: money, period, when }),
    members({ metric: z.literal('concurrent'), scope, limit: concurrency, when }),
  ],
  { error: explainKind('metric', METRICS) },
);

const semantic = members({
  threshold: z._default(decimal(0.8, 1), 0.95),
  embedding: members({ provider: providerName, model: modelName }),
  allowPublic: z._default(flag, false),
});

const caching = members({
  exact: z._default(flag, false),
  ttl: z._default(duration('1m', '7d'), 3_600_000),
  perUser: z._default(flag, false),
  semantic: z.optional(semantic),
});

const BODIES_ERROR = 'must be full, hash, none, or a share that is logged in full, such as { full: 5% }';
const bodies = z.union([z.enum(['full', 'hash', 'none']), members({ full: shareSchema })], {
  error: BODIES_ERROR,
});

const logging = members({
  bodies: z._default(bodies, 'hash'),
  retention: z._default(duration('1d', '365d'), 90 * 86_400_000),
});

/** The tool that the neuron is to clients of the Model Context Protocol. */
const mcp = members({ description: text(1, 1024), title: z.optional(label(100)) });

const settingsShape = {
  format: z._default(z.literal(DOCUMENT_FORMAT, { error: 'must be 1' }), DOCUMENT_FORMAT),
  /** `ORGANIZATION/NEURON`. */
  neuron: noted(
    z.string().check(
      z.refine((value) => explainNeuronName(value) === undefined, {
        error: ({ input }) => explainNeuronName(String(input)),
      }),
    ),
    { pattern: `^${slugPattern('/')}/${slugPattern('$')}$`, examples: ['acme/support'] },
  ),
  name: z.optional(label(100)),
  tags: z.optional(tagsSchema(MAX_NEURON_TAGS)),
  /** Further names of the neuron on its organization's URL. */
  models: z.optional(modelNames),
  mcp: z.optional(mcp),
  maxInputBytes: z._default(integer(1, 1_000_000), 262_144),
  deadline: z._default(duration('1s', '4m'), 60_000),
  receipt: z._default(flag, false),
  access: z._default(accessSchema, {}),
  rateLimits: z._default(z.array(rateLimit).check(z.maxLength(10)), []),
  whenCountersFail: z._default(z.enum(['refuse', 'admit'], { error: 'must be refuse or admit' }), 'refuse'),
  guards: guardUses,
  /** Defaults of `neuron versions rollout start`. */
  rollout: z.optional(rolloutSchema),
  feedback: z.optional(feedbackSchema),
  caching: z._default(caching, { exact: false, ttl: 3_600_000, perUser: false }),
  logging: z._default(logging, { bodies: 'hash', retention: 90 * 86_400_000 }),
};

/** Settings that take effect at once and are stored on the neuron: everything but the flow and its variables. */
export const neuronSettingsSchema = z.strictObject(settingsShape);
/** A whole neuron document as a file holds it. */
export const neuronSchema = members({ ...settingsShape, ...versionMembers });

export type NeuronSettings = z.output<typeof neuronSettingsSchema>;
export type Neuron = z.output<typeof neuronSchema>;
/** Settings as written and stored. */
export type NeuronSettingsDocument = z.input<typeof neuronSettingsSchema>;
/** A neuron document as written. */
export type NeuronDocument = z.input<typeof neuronSchema>;
/** One parsed rate limit; `limit` in requests, tokens, microdollars or runs at once. */
export type RateLimit = NeuronSettings['rateLimits'][number];
