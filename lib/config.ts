// The settings of a stage: what may differ between one deployment and another, judged whole before anything is synthesized.
import * as z from 'zod/mini';
import { duration, flag, integer } from '../core/config/scalars.ts';

const STAGE_NAME = /^[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?$/;
const REGION = /^[a-z]{2}(?:-[a-z]+){1,3}-[1-9]$/;

/** What CloudWatch Logs accepts (API_PutRetentionPolicy). */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const RETENTION = `must be a number of days that CloudWatch Logs keeps: ${RETENTION_DAYS.join(', ')}`;

/** The functions' walls: none can take the concurrency of everything else in the account. */
const reservedConcurrency = z.strictObject({
  authorizer: integer(1, 100_000),
  execution: integer(1, 100_000),
  /** One for each partition of the log table is used at once; fewer only delay the usage. */
  rollup: z.optional(integer(1, 100_000)),
});

/** API Gateway's limit for the whole stage; beyond it callers get 429 `throttled`. */
const throttle = z.strictObject({
  requestsPerSecond: integer(1, 100_000),
  burst: integer(1, 100_000),
});

const stageSchema = z.strictObject({
  /** In the names of the stacks, the prefix of the secrets and the path of the URL. */
  name: z.string({ error: 'must be text such as dev' }).check(
    z.regex(STAGE_NAME, {
      error: 'must be 1 to 20 characters of a-z, 0-9 and -, begin with a letter and not end with -',
    }),
  ),
  /** Without one the stacks go where the AWS credentials point. */
  region: z.optional(
    z.string().check(z.regex(REGION, { error: 'must be an AWS region such as eu-central-1' })),
  ),
  /** STREAM answers before the log is written and allows deadlines beyond 20 s; BUFFERED is for regions without it. */
  transferMode: z.enum(['STREAM', 'BUFFERED'], { error: 'must be STREAM or BUFFERED' }),
  /** The longest deadline that a neuron may have; in BUFFERED transfer at most 20 s of it count. */
  maxDeadline: duration('1s', '4m'),
  /** How long a function uses settings without reading them again. */
  settingsFresh: duration('1s', '60s'),
  /** How old settings may be while their store fails. */
  settingsStale: duration('1s', '60s'),
  /** How long a function uses a secret without reading it again. */
  secretsFresh: duration('5s', '15m'),
  /** How long the keys behind a JWKS URL are used: so long a key that was removed there still verifies tokens. */
  keySetsFresh: duration('5s', '1h'),
  /** How old they may be while their endpoint fails. */
  keySetsStale: duration('5s', '1h'),
  /** How old they must be to be fetched again for a token that none of them verifies. */
  keySetsRefetch: duration('5s', '10m'),
  /** How long a JWKS endpoint that failed is not asked. */
  keySetsFailed: duration('1s', '1m'),
  /** Partitions of an hour of one neuron's log: one for every 500 requests a second. Never lowered before the retention of what was put is over. */
  logShards: integer(1, 64),
  /** Per function; 1,769 MB are one virtual CPU. */
  memoryMegabytes: integer(256, 10_240),
  reservedConcurrency: z.optional(reservedConcurrency),
  throttle,
  /** Of the functions' and the access log's groups; the audit trail has its own, per neuron. */
  logRetentionDays: z
    .number({ error: RETENTION })
    .check(z.refine((days) => RETENTION_DAYS.includes(days), { error: RETENTION })),
  /** Sets the role with which API Gateway writes logs. It is one per account and region: leave it out where it is set elsewhere. */
  accountLogRole: flag,
  /** Tables and log groups outlive the stack; tables and stacks refuse deletion. */
  protectData: flag,
  /** 35 days of continuous backups of settings, keys, logs and usage. */
  pointInTimeRecovery: flag,
});

/** Stage settings as written in `lib/stages/NAME.ts`; durations are text such as `15s`. */
export type StageSettings = z.input<typeof stageSchema>;

/** Stage settings after judging; durations are milliseconds. */
export type Stage = z.output<typeof stageSchema>;

/**
 * Judges stage settings. Throws one error that names every mistake: path, reason and what is allowed.
 */
export function parseStage(settings: unknown): Stage {
  const judged = z.safeParse(stageSchema, settings);
  if (judged.success) return judged.data;
  const mistakes = judged.error.issues.map(
    (issue) => `  ${issue.path.join('.') || '(stage)'}: ${reason(issue)}`,
  );
  throw new Error(`The stage settings are refused:\n${mistakes.join('\n')}`);
}

function reason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown: ${issue.keys.join(', ')}; remove it or mend its name`;
  }
  return issue.code === 'invalid_type' && issue.expected === 'object'
    ? 'must be an object of settings'
    : issue.message;
}
