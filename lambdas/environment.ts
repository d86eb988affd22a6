// The environment contract between the stacks and the functions: lib/ writes it with toVariables, handlers read it with fromVariables.
import { isHostPattern } from '../core/settings/provider-hosts.ts';

/** How API Gateway passes the answer to the caller. */
type TransferMode = 'STREAM' | 'BUFFERED';

/** The variables of all functions. Waiting times are stage settings so that tests need not wait. */
export interface FunctionEnvironment {
  readonly stage: string;
  readonly configTable: string;
  readonly keysTable: string;
  readonly countersTable: string;
  readonly cacheTable: string;
  readonly logsTable: string;
  readonly usageTable: string;
  /** Items that share a limit of `total` requests. */
  readonly counterShards: number;
  /** Runs at once of an organization without a limit of its own; 0: no limit. */
  readonly organizationConcurrency: number;
  /** The only hosts that providers may have; undefined where the stage lists none and each is allowed. */
  readonly providerHosts: readonly string[] | undefined;
  /** The bucket that gets the heads of the log's seals every hour, or `NO_BUCKET`. */
  readonly headsBucket: string;
  /** Folder of that bucket, without slashes around it: account, region and stage, since several may share a bucket. */
  readonly headsFolder: string;
  /** The bucket with Object Lock that gets the archive of the log; empty in a stage without one, which has no function that reads it. */
  readonly archiveBucket: string;
  /** Folder of that bucket, without slashes around it. */
  readonly archiveFolder: string;
  /** `GOVERNANCE 400 acme=3650,beta=90`: the mode of the lock, its days, and those of single organizations. */
  readonly archiveLock: string;
  /** Partitions of one hour of a neuron's log. */
  readonly logShards: number;
  /** Secrets are named `PREFIX/ORGANIZATION_ID/PURPOSE`. */
  readonly secretPrefix: string;
  readonly transferMode: TransferMode;
  /** Max. deadline of a neuron, in milliseconds. */
  readonly maxDeadlineMs: number;
  /** How long settings are used without reading them again. */
  readonly settingsTtlMs: number;
  /** Max. age of settings while their store fails. */
  readonly settingsMaxStaleMs: number;
  readonly secretsTtlMs: number;
  /** How long the keys behind a JWKS URL are used without fetching them again. */
  readonly keySetsTtlMs: number;
  /** Max. age of these keys while their endpoint fails. */
  readonly keySetsMaxStaleMs: number;
  /** Min. age of these keys before they are fetched again for a token that none of them verifies. */
  readonly keySetsRefetchAfterMs: number;
  /** How long an endpoint that failed is left alone. */
  readonly keySetsErrorBackoffMs: number;
  /** URL that spans are posted to; empty in a stage without traces, which has no function that reads it. */
  readonly tracesEndpoint: string;
  /** Name or ARN of the secret whose names and values are sent there as headers; undefined where there is none. */
  readonly tracesHeadersSecret: string | undefined;
  /** Whether spans hold the texts of callers and models, as far as the log has them. */
  readonly tracesContent: 'on' | 'off';
  /** Name or ARN of the EventBridge bus that alerts of limits are sent to. */
  readonly alertEventBus: string;
  /** Topic that alerts of limits are sent to as well; undefined where the stage has none. */
  readonly alertTopicArn: string | undefined;
}

type Field = keyof FunctionEnvironment;

/** Fields whose variables may be absent. */
const OPTIONAL: ReadonlySet<Field> = new Set<Field>([
  'alertTopicArn',
  'providerHosts',
  'tracesHeadersSecret',
]);

const VARIABLES = {
  stage: 'NEURON_STAGE',
  configTable: 'CONFIG_TABLE',
  keysTable: 'KEYS_TABLE',
  countersTable: 'COUNTERS_TABLE',
  cacheTable: 'CACHE_TABLE',
  logsTable: 'LOGS_TABLE',
  usageTable: 'USAGE_TABLE',
  headsBucket: 'HEADS_BUCKET',
  headsFolder: 'HEADS_FOLDER',
  archiveBucket: 'ARCHIVE_BUCKET',
  archiveFolder: 'ARCHIVE_FOLDER',
  archiveLock: 'ARCHIVE_LOCK',
  counterShards: 'COUNTER_SHARDS',
  organizationConcurrency: 'ORGANIZATION_CONCURRENCY',
  providerHosts: 'PROVIDER_HOSTS',
  logShards: 'LOG_SHARDS',
  secretPrefix: 'SECRET_PREFIX',
  transferMode: 'TRANSFER_MODE',
  maxDeadlineMs: 'MAX_DEADLINE_MS',
  settingsTtlMs: 'SETTINGS_TTL_MS',
  settingsMaxStaleMs: 'SETTINGS_MAX_STALE_MS',
  secretsTtlMs: 'SECRETS_TTL_MS',
  keySetsTtlMs: 'KEY_SETS_TTL_MS',
  keySetsMaxStaleMs: 'KEY_SETS_MAX_STALE_MS',
  keySetsRefetchAfterMs: 'KEY_SETS_REFETCH_AFTER_MS',
  keySetsErrorBackoffMs: 'KEY_SETS_ERROR_BACKOFF_MS',
  tracesEndpoint: 'TRACES_ENDPOINT',
  tracesHeadersSecret: 'TRACES_HEADERS_SECRET',
  tracesContent: 'TRACES_CONTENT',
  alertEventBus: 'ALERT_EVENT_BUS',
  alertTopicArn: 'ALERT_TOPIC_ARN',
} as const satisfies Record<Field, string>;

/** The fields of each function, and nothing more. */
export const AUTHORIZER_FIELDS = [
  'stage',
  'configTable',
  'keysTable',
  'logsTable',
  'logShards',
  'secretPrefix',
  'settingsTtlMs',
  'settingsMaxStaleMs',
  'secretsTtlMs',
  'keySetsTtlMs',
  'keySetsMaxStaleMs',
  'keySetsRefetchAfterMs',
  'keySetsErrorBackoffMs',
] as const satisfies readonly Field[];

export const EXECUTION_FIELDS = [
  'stage',
  'configTable',
  'countersTable',
  'counterShards',
  'organizationConcurrency',
  'providerHosts',
  'cacheTable',
  'logsTable',
  'logShards',
  'secretPrefix',
  'transferMode',
  'maxDeadlineMs',
  'settingsTtlMs',
  'settingsMaxStaleMs',
  'secretsTtlMs',
] as const satisfies readonly Field[];

export const ROLLUP_FIELDS = [
  'stage',
  'usageTable',
  'configTable',
  'keysTable',
  'countersTable',
  'settingsTtlMs',
  'alertEventBus',
  'alertTopicArn',
] as const satisfies readonly Field[];

export const ROLLOUTS_FIELDS = [
  'stage',
  'configTable',
  'usageTable',
  'logsTable',
  'alertEventBus',
] as const satisfies readonly Field[];

export const TRACES_FIELDS = [
  'stage',
  'tracesEndpoint',
  'tracesHeadersSecret',
  'tracesContent',
  'secretsTtlMs',
] as const satisfies readonly Field[];

export const HEADS_FIELDS = ['usageTable', 'headsBucket', 'headsFolder'] as const satisfies readonly Field[];

export const ARCHIVE_FIELDS = [
  'logsTable',
  'usageTable',
  'archiveBucket',
  'archiveFolder',
  'archiveLock',
] as const satisfies readonly Field[];

/** Names no bucket: a bucket's name begins with a letter or a digit. */
export const NO_BUCKET = '-';

export type AuthorizerEnvironment = Pick<FunctionEnvironment, (typeof AUTHORIZER_FIELDS)[number]>;
export type ExecutionEnvironment = Pick<FunctionEnvironment, (typeof EXECUTION_FIELDS)[number]>;
export type ArchiveEnvironment = Pick<FunctionEnvironment, (typeof ARCHIVE_FIELDS)[number]>;
export type HeadsEnvironment = Pick<FunctionEnvironment, (typeof HEADS_FIELDS)[number]>;
export type RolloutsEnvironment = Pick<FunctionEnvironment, (typeof ROLLOUTS_FIELDS)[number]>;
export type RollupEnvironment = Pick<FunctionEnvironment, (typeof ROLLUP_FIELDS)[number]>;

export type TracesEnvironment = Pick<FunctionEnvironment, (typeof TRACES_FIELDS)[number]>;

/** The variables of a function at synth; fails to compile when a field of the list is missing. */
export function toVariables<F extends Field>(
  fields: readonly F[],
  environment: Pick<FunctionEnvironment, F>,
): Record<string, string> {
  const input = fields.filter((field) => environment[field] !== undefined);
  return Object.fromEntries(input.map((field) => [VARIABLES[field], String(environment[field])]));
}

/** Reads the variables in a function. Throws with the names of all that are missing or malformed. */
export function fromVariables<F extends Field>(
  fields: readonly F[],
  variables: Readonly<Record<string, string | undefined>>,
): Pick<FunctionEnvironment, F> {
  const wrong: string[] = [];
  const read = fields.map((field) => {
    const text = variables[VARIABLES[field]];
    const value = text === undefined || text === '' ? undefined : parseField(field, text);
    if (value === undefined && !(text === undefined && OPTIONAL.has(field))) wrong.push(VARIABLES[field]);
    return [field, value];
  });
  if (wrong.length > 0) throw new Error(`missing or malformed environment variables: ${wrong.join(', ')}`);
  return Object.fromEntries(read) as Pick<FunctionEnvironment, F>;
}

function parseField(field: Field, text: string): string | number | readonly string[] | undefined {
  if (field === 'providerHosts') return parseHosts(text);
  if (field === 'transferMode') return text === 'STREAM' || text === 'BUFFERED' ? text : undefined;
  if (field === 'tracesContent') return text === 'on' || text === 'off' ? text : undefined;
  if (field === 'organizationConcurrency' && text === '0') return 0;
  if (!/(?:Ms|Shards|Concurrency)$/.test(field)) return text;
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : undefined;
}

/** Hosts between commas. Undefined, which ends the function at its start, when one of them is not a host: fewer hosts than meant is no list. */
function parseHosts(text: string): readonly string[] | undefined {
  const hosts = text.split(',');
  return hosts.every(isHostPattern) ? hosts : undefined;
}
