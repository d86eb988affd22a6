// The six tables as data: keys and indexes, deployed by lib/ and used by adapters/dynamodb. Key names never change once deployed.

/** The key attributes of a table or index, all of them strings. */
export interface KeySchema {
  readonly partition: string;
  readonly sort?: string;
}

/** A global secondary index; `include` lists the attributes that are projected beside the keys. */
export interface IndexSchema {
  readonly name: string;
  readonly key: KeySchema;
  readonly include: readonly string[];
}

/** A table: its keys, its indexes and the attribute that ends an item's life. */
export interface TableSchema {
  readonly key: KeySchema;
  readonly indexes: readonly IndexSchema[];
  /** Unix epoch seconds; readers check it themselves, since DynamoDB deletes late. */
  readonly timeToLive?: string;
  /** True where the stream of changes is read. */
  readonly stream?: true;
  /** Native vector index (SearchVectors); its numbers can never change. */
  readonly vectorIndex?: {
    readonly name: string;
    readonly partition: string;
    readonly vector: string;
    readonly dimensions: number;
  };
}

/** The attributes that lists of log entries show, so that no list reads the base table. */
const LOG_LIST_ATTRIBUTES = [
  'timeMs',
  'organization',
  'neuron',
  'version',
  'outcome',
  'status',
  'code',
  'reason',
  'sourceIp',
  'username',
  'keyId',
  'cache',
  'latencyMs',
  'tokensInput',
  'tokensOutput',
  'costMicrodollars',
  'count',
  'restored',
  'expiresAt',
] as const;

/**
 * Names of indexes. Keys and projection of an index can never change under its name, so each name carries a number: a changed index is a
 * new one, with the next number, deployed beside the old one (docs/operations.md#upgrade).
 */
export const INDEXES = {
  keys: { byOrganization: 'byOrganization1' },
  cache: { semantic: 'semantic1' },
  logs: {
    byOrganization: 'byOrganization1',
    byUsername: 'byUsername1',
    byFailure: 'byFailure1',
    byExecution: 'byExecution1',
  },
} as const;

export const TABLES = {
  /** `ORG#slug` / `META`, `NEURON#slug`, `VERSION#neuron-id#version`; `SERVICE` / `MAINTENANCE`. */
  config: { key: { partition: 'pk', sort: 'sk' }, indexes: [] },
  /** `KEY#sha256`. */
  keys: {
    key: { partition: 'pk' },
    indexes: [
      {
        name: INDEXES.keys.byOrganization,
        key: { partition: 'organizationId', sort: 'keyId' },
        include: [
          'name',
          'prefix',
          'lastFour',
          'createdAt',
          'createdBy',
          'expiresAt',
          'revokedAt',
          'neurons',
        ],
      },
    ],
  },
  /** `id#scope#period#subject-hash#window[#shard]`; `LASTUSED#keyId`. */
  counters: { key: { partition: 'pk' }, indexes: [], timeToLive: 'expiresAt' },
  /**
   * `X#scope#input-hash`; `S#scope#input-hash` with the vector; `I#neuron-id#subject-hash#key-hash`, the record of an idempotency key.
   */
  cache: {
    key: { partition: 'pk' },
    indexes: [],
    timeToLive: 'expiresAt',
    vectorIndex: { name: INDEXES.cache.semantic, partition: 'scope', vector: 'vector', dimensions: 512 },
  },
  /**
   * `neuron-id#hour#shard` / `time#execution-id`. Every index but the last has hour and shard in its key: the entries of all neurons
   * of an organization meet there, and the shards must carry them. Changes by operators are here too, in no index:
   * `CHANGES#organization-slug`, or `CHANGES` for the service / `time#change-id[#result]`.
   */
  logs: {
    key: { partition: 'pk', sort: 'sk' },
    timeToLive: 'expiresAt',
    stream: true,
    indexes: [
      {
        name: INDEXES.logs.byOrganization,
        key: { partition: 'organizationHour', sort: 'sk' },
        include: LOG_LIST_ATTRIBUTES,
      },
      {
        name: INDEXES.logs.byUsername,
        key: { partition: 'usernameHour', sort: 'sk' },
        include: LOG_LIST_ATTRIBUTES,
      },
      {
        name: INDEXES.logs.byFailure,
        key: { partition: 'failureHour', sort: 'sk' },
        include: LOG_LIST_ATTRIBUTES,
      },
      { name: INDEXES.logs.byExecution, key: { partition: 'executionId' }, include: [] },
    ],
  },
  /**
   * `ORG#id#DAY#day` / `NEURON#…`, `MODEL#…`, `USER#…`, `KEY#…`; `ENTRIES#organization-id#shard#seconds` / `ENTRIES`,
   * whose `ids` mark entries as counted and sealed, and `ITEM#hash` / `ITEM` for items that are only sealed;
   * `SEAL#organization-id` / sequence number, and `SEALS` / organization id with the newest seal; `ALERTS#organization-id` /
   * `window#alert-id`, and `ALERTS` / `time#alert-id` while an alert is unsent; over all organizations `SERVICE#DAY#day#shard` /
   * `ORG#organization-id`, and `SERVICE#ALERTS#window` / `organization-id#alert-id`; and `ROLLOUTS` / `slot#rollout#arm` while a rollout is going on.
   */
  usage: { key: { partition: 'pk', sort: 'sk' }, indexes: [], timeToLive: 'expiresAt' },
} as const satisfies Record<string, TableSchema>;

/**
 * The partitions of log entries as a pattern of IAM (`?` is one character): the 24 characters of a neuron's id, hour, shard. No
 * partition of an operator's changes matches, because neither `CHANGES` nor a slug contains `#`.
 */
export const ENTRY_PARTITIONS = `${'?'.repeat(24)}#????-??-??T??#*`;

/** The partition of changes to the whole service; an organization's has its slug after a `#`. No id of a neuron is such. */
export const CHANGES_PARTITION = 'CHANGES';

/** The partitions of changes as patterns of IAM. */
export const CHANGE_PARTITIONS = [CHANGES_PARTITION, `${CHANGES_PARTITION}#*`];

/** Ends the sort key of a change's outcome, so that it comes right after its change. */
export const OUTCOME_SUFFIX = '#result';

/** The partitions of daily usage as a pattern of IAM: no seal, mark or alert is there. */
export const USAGE_PARTITIONS = 'ORG#*';

export const HEADS_PARTITION = 'SEALS';

/** The partitions of seals and of their heads as patterns of IAM. */
export const SEAL_PARTITIONS = ['SEAL#*', HEADS_PARTITION];

/** Partitions of alerts in the usage table, as patterns of IAM: the records of organizations, and unsent alerts. */
export const ALERT_PARTITIONS = { records: 'ALERTS#*', pending: 'ALERTS' } as const;

/** All that the function which watches rollouts sees of a neuron. Keys have to be among them. */
export const WATCHED_ATTRIBUTES = [
  'pk',
  'sk',
  'id',
  'organizationId',
  'slug',
  'deployment',
  'rollout',
  'write',
] as const;

/** All that it may change. */
export const STOP_ATTRIBUTES = ['pk', 'sk', 'rollout', 'write'] as const;

/** The partition of the usage table with what rollouts are watched by. */
export const SLOTS_PARTITION = 'ROLLOUTS';

export type TableName = keyof typeof TABLES;
