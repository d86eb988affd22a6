// The settings of a stage: what may differ between deployments. All of them are validated before anything is synthesized.

import * as z from 'zod/mini';
import { errorAt, type PartDiagnostic } from '../../core/admin/diagnostic.ts';
import { findNearest, members } from '../../core/settings/members.ts';
import { renderPath } from '../../core/settings/path.ts';
import { duration, flag, integer } from '../../core/settings/scalars.ts';
import { bedrockGrants } from './bedrock.ts';
import { compute } from './compute.ts';
import {
  alarms,
  alertEventBus,
  archive,
  canary,
  domain,
  firewall,
  kmsKeyArn,
  logHeads,
  managedPolicies,
  neurons,
  providerHosts,
  provisionedConcurrency,
  REGION,
  slo,
  tags,
  traces,
  xray,
} from './optional-settings.ts';
import { type Capacity, peak, throughput, toCapacity } from './peak.ts';
import { StageError } from './stage-error.ts';
import { validateCapacity } from './validate-capacity.ts';
import { regionOf, validateTogether } from './validate-together.ts';

const STAGE_NAME = /^[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?$/;

/** Values that CloudWatch Logs accepts (API_PutRetentionPolicy). */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const RETENTION = `must be a number of days that CloudWatch Logs keeps: ${RETENTION_DAYS.join(', ')}`;

/** Reserved concurrency of each function: none can use up the concurrency of the whole account. Where the stage has a peak, each follows from it. */
const reservedConcurrency = members({
  authorizer: z.optional(integer(1, 100_000)),
  execution: z.optional(integer(1, 100_000)),
  /** One for each partition of the log table is used at once; fewer only delay the usage. */
  rollup: z.optional(integer(1, 100_000)),
  /** The function that sends spans; fewer environments only delay them. @default 5 */
  traces: z.optional(integer(1, 100_000)),
});

/** API Gateway's throttle for the whole stage; beyond it callers get 429 `throttled`. */
const throttle = members({
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
  /** @default the region of the ARNs among the settings, then that of the AWS credentials */
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
  /** How long the keys of a JWKS URL are used; a key that was removed there verifies tokens until then. */
  keySetsTtl: duration('5s', '1h'),
  /** How old the keys may be while their endpoint fails. */
  keySetsMaxStale: duration('5s', '1h'),
  /** How old the keys must be before a token with an unknown key fetches them again. */
  keySetsRefetchAfter: duration('5s', '10m'),
  /** How long a JWKS endpoint is left alone after it failed. */
  keySetsErrorBackoff: duration('1s', '1m'),
  /**
   * Peak requests per second of one neuron with a limit on `total` requests, which is split over one item for every 500. A change of
   * the number of items can let up to twice the limit pass in the windows that are current at the deployment. @default 500, or the peak's
   */
  counterPeakPerSecond: z.optional(integer(1, 100_000)),
  /**
   * Partitions of one hour of an organization's log: one for every 500 requests per second. Lower it only after the retention of the entries
   * is over. @default that of the peak
   */
  logShards: z.optional(integer(1, 64)),
  /** Per function; 1,769 MB are one virtual CPU. */
  memoryMegabytes: integer(256, 10_240),
  /** The load that the stage must answer; throttle, concurrency, shards and throughput follow from it unless they are set. */
  peak: z.optional(peak),
  reservedConcurrency: z.optional(reservedConcurrency),
  /** Warm and maximum throughput of tables and their indexes, in units per second. @default that of the peak */
  throughput: z.optional(throughput),
  /**
   * Runs at once of each organization that sets no `concurrent` limit of its own, so that none takes the whole concurrency from the
   * others. It costs two writes for each request. @default no limit
   */
  organizationConcurrency: z.optional(integer(1, 100_000)),
  /** The execution role may call only these; `neuron apply` refuses flows that name others. */
  bedrock: z._default(z.array(bedrockGrants), []),
  /** The only hosts that providers may have. @default each public host */
  providerHosts: z.optional(providerHosts),
  provisionedConcurrency: z.optional(provisionedConcurrency),
  /** @default an environment for each run */
  compute: z.optional(compute),
  canary: z.optional(canary),
  /** @default that of the peak */
  throttle: z.optional(throttle),
  /** Tags of every resource that takes tags; secrets are made by the command and have none. */
  tags: z.optional(tags),
  domain: z.optional(domain),
  firewall: z.optional(firewall),
  /** Encrypts tables, log groups, environments, the stage's own topic, buckets and secrets. @default keys of AWS */
  encryptionKeyArn: z.optional(kmsKeyArn),
  /** Name or ARN of the EventBridge bus for alerts of usage limits. @default the account's `default` bus */
  alertEventBus: z.optional(alertEventBus),
  /** Sends each log entry as spans of OpenTelemetry, without texts. @default no function for it */
  traces: z.optional(traces),
  /** The share of requests that X-Ray traces. @default the rules of the account: X-Ray's own takes one a second and 5 % of the others */
  xray: z.optional(xray),
  /** Absent: no alarms. An account has ten free ones; each further one costs 0.10 dollars a month. */
  alarms: z.optional(alarms),
  /** Burn-rate alarms; needs `alarms`. Each objective costs 2.70 dollars a month. @default none */
  slo: z.optional(slo),
  /** Absent: heads are kept by whoever runs `neuron logs head`. */
  logHeads: z.optional(logHeads),
  archive: z.optional(archive),
  /** Managed policies for people, as outputs (docs/rights.md). @default none */
  managedPolicies: z.optional(managedPolicies),
  /** An account has three free ones; each further one costs 3 dollars a month. */
  dashboard: flag,
  neurons: z.optional(neurons),
  /** For the log groups of the functions and of the access log; the audit trail has a retention per neuron. */
  logRetentionDays: z
    .number({ error: RETENTION })
    .check(z.refine((days) => RETENTION_DAYS.includes(days), { error: RETENTION })),
  /** Sets the role with which API Gateway writes logs. There is one per account and region: false where it is set elsewhere. */
  accountLogRole: flag,
  /** Tables and log groups outlive the stack; tables and stacks refuse deletion. */
  protectData: flag,
  /** 35 days of continuous backups of settings, keys, logs and usage. */
  pointInTimeRecovery: flag,
});

/** Stage settings as written in `lib/stages/NAME.ts`; durations are text such as `15s`. */
export type StageSettings = z.input<typeof stageSchema>;

/** Validated stage settings; durations are milliseconds. Capacity is complete: what was left out follows from the peak. */
export type Stage = Omit<z.output<typeof stageSchema>, keyof Capacity> & Capacity;

/** Former names of settings. No edit distance leads from them to the present ones. */
const RENAMED: Readonly<Record<string, keyof StageSettings>> = {
  settingsFresh: 'settingsTtl',
  settingsStale: 'settingsMaxStale',
  secretsFresh: 'secretsTtl',
  keySetsFresh: 'keySetsTtl',
  keySetsStale: 'keySetsMaxStale',
  keySetsRefetch: 'keySetsRefetchAfter',
  keySetsFailed: 'keySetsErrorBackoff',
};

/** Validates stage settings. Throws one error with every diagnostic: path, what is wrong with the value, and what to do. */
export function parseStage(settings: unknown): Stage {
  const parsed = z.safeParse(stageSchema, settings);
  const diagnostics = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => toDiagnostics(issue, settings))),
    ...validateTogether(settings),
  ];
  if (parsed.success) diagnostics.push(...validateCapacity(parsed.data));
  const capacity = parsed.success ? toCapacity(parsed.data) : undefined;
  if (parsed.success && capacity !== undefined && diagnostics.length === 0) {
    const region = regionOf(parsed.data);
    return { ...parsed.data, ...capacity, ...(region === undefined ? {} : { region }) };
  }
  const lines = diagnostics.map(({ path, message }) => `  ${renderPath(path) || '(stage)'}: ${message}`);
  throw new StageError(`The stage settings are invalid:\n${lines.join('\n')}`);
}

function toDiagnostics(issue: z.core.$ZodIssue, settings: unknown): PartDiagnostic[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    if (path.length > 0) return [errorAt(path, `${issue.message}. Rename or remove it.`)];
    return issue.keys.map((key) => errorAt([key], explainUnknown(key)));
  }
  const value = valueAt(settings, path);
  const rule =
    issue.code === 'invalid_type' && issue.expected === 'object' && issue.message.startsWith('Invalid')
      ? 'must be an object of settings'
      : issue.message;
  if (value === undefined) return [errorAt(path, `${rule}; it is missing. Add it.`)];
  return [errorAt(path, `${rule}; it is ${excerpt(value)}. Change it in the file of the stage.`)];
}

function explainUnknown(name: string): string {
  const nearest = RENAMED[name] ?? findNearest(name, Object.keys(stageSchema.shape));
  return nearest === undefined
    ? 'is not a stage setting. Remove it.'
    : `is not a stage setting; did you mean ${nearest}? Rename or remove it.`;
}

function valueAt(settings: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    settings,
  );
}

/** A value, cut to what fits a line. */
function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
