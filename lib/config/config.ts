// The settings of a stage: what may differ between one deployment and another, judged whole before anything is synthesized.
import * as z from 'zod/mini';
import { duration, flag, integer, isBedrockModelId } from '../../core/settings/scalars.ts';
import {
  alarms,
  domain,
  encryptionKeyArn,
  firewall,
  neurons,
  provisionedConcurrency,
} from './optional-settings.ts';
import { type StageDiagnostic, validateTogether } from './validate-together.ts';

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

/** Models on Bedrock that the service's role may call in a region: foundation models, and inference profiles that AWS defines. */
const bedrockModels = z.strictObject({
  region: z
    .string({ error: 'must be an AWS region such as us-east-1' })
    .check(z.regex(REGION, { error: 'must be an AWS region such as us-east-1' })),
  models: z
    .array(
      z.string().check(
        z.refine(isBedrockModelId, {
          error:
            'must be the id of a foundation model or of an inference profile of AWS, such as us.amazon.nova-lite-v1:0',
        }),
      ),
    )
    .check(z.minLength(1, { error: 'must name at least one model' })),
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
  settingsTtl: duration('1s', '60s'),
  /** How old settings may be while their store fails. */
  settingsMaxStale: duration('1s', '60s'),
  /** How long a function uses a secret without reading it again. */
  secretsTtl: duration('5s', '15m'),
  /** How long the keys behind a JWKS URL are used: so long a key that was removed there still verifies tokens. */
  keySetsTtl: duration('5s', '1h'),
  /** How old they may be while their endpoint fails. */
  keySetsMaxStale: duration('5s', '1h'),
  /** How old they must be to be fetched again for a token that none of them verifies. */
  keySetsRefetchAfter: duration('5s', '10m'),
  /** How long a JWKS endpoint that failed is not asked. */
  keySetsErrorBackoff: duration('1s', '1m'),
  /**
   * Requests per second that one neuron's limits of `total` requests must take: they are split over one item for every 500. A change of
   * that number can let up to twice a limit pass in the windows that run when it is deployed.
   */
  counterPeakPerSecond: z._default(integer(1, 100_000), 500),
  /** Partitions of an hour of one organization's log: one for every 500 requests a second. Never lowered before the retention of what was put is over. */
  logShards: integer(1, 64),
  /** Per function; 1,769 MB are one virtual CPU. */
  memoryMegabytes: integer(256, 10_240),
  reservedConcurrency: z.optional(reservedConcurrency),
  /** The role may call these and no others; `neuron apply` refuses flows that name others. */
  bedrock: z._default(z.array(bedrockModels), []),
  provisionedConcurrency: z.optional(provisionedConcurrency),
  throttle,
  domain: z.optional(domain),
  firewall: z.optional(firewall),
  encryptionKeyArn: z.optional(encryptionKeyArn),
  /** Absent: no alarm is made. Ten a month are free in an account, each more costs 0.10 dollars. */
  alarms: z.optional(alarms),
  /** Three a month are free in an account, each more costs 3 dollars. */
  dashboard: flag,
  neurons: z.optional(neurons),
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
 * Judges stage settings. Throws one error that names every mistake: path, reason with the value, and what to do.
 */
export function parseStage(settings: unknown): Stage {
  const judged = z.safeParse(stageSchema, settings);
  const mistakes = [
    ...(judged.success ? [] : judged.error.issues.map((issue) => toStageDiagnostic(issue, settings))),
    ...validateTogether(settings),
  ];
  if (judged.success && mistakes.length === 0) return judged.data;
  const lines = mistakes.map(({ path, reason, remedy }) => `  ${path}: ${reason}. ${remedy}`);
  throw new Error(`The stage settings are refused:\n${lines.join('\n')}`);
}

function toStageDiagnostic(issue: z.core.$ZodIssue, settings: unknown): StageDiagnostic {
  const path = issue.path.join('.') || '(stage)';
  if (issue.code === 'unrecognized_keys') {
    return { path, reason: `unknown: ${issue.keys.join(', ')}`, remedy: 'Remove it or mend its name.' };
  }
  const value = valueAt(settings, issue.path);
  const rule =
    issue.code === 'invalid_type' && issue.expected === 'object' && issue.message.startsWith('Invalid')
      ? 'must be an object of settings'
      : issue.message;
  if (value === undefined) return { path, reason: `${rule}; it is missing`, remedy: 'Add it.' };
  return { path, reason: `${rule}; it is ${shown(value)}`, remedy: 'Change it in the file of the stage.' };
}

function valueAt(settings: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    settings,
  );
}

/** Short enough for a line. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
