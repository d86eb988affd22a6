// Ports to the usage table: daily rollups of log entries, written by the rollup function and read by operators.
import type { LogEntry } from '../contract/log-entry.ts';
import type { Seal } from './seals.ts';

/**
 * The amounts of a row. `hits`: answers of the cache, which rows of a version count apart from its runs. All are integers; money in microdollars, but what AWS charges in nanodollars. Values of feedback are added up in
 * thousandths, their squares in millionths; `true` is 1.
 */
export const USAGE_AMOUNTS = [
  'success',
  'stopped',
  'failed',
  'refused',
  'hits',
  'modelCalls',
  'tokensInput',
  'tokensOutput',
  'costMicrodollars',
  'unknownCosts',
  'savingsMicrodollars',
  'infrastructureNanodollars',
  'ratings',
  'ratingSum',
  'ratingSquares',
] as const;

export type UsageAmount = (typeof USAGE_AMOUNTS)[number];

/**
 * Requests by outcome, model calls, tokens, cost, savings and AWS's charges. `costMicrodollars` is the sum of the known costs, and `unknownCosts`
 * the number of model calls of unknown cost. A row of a model counts calls, not requests.
 */
export type UsageAmounts = Readonly<Record<UsageAmount, number>>;

/**
 * The subject of a row: a whole neuron, one of its models, one of its users, one API key, the calls with a tag, the runs of an arm, of a
 * version, of a shadow or of a branch of it, the feedback on a version, or a whole organization, whose row has no neuron. A slot is no day: it
 * has what was counted of an arm in some seconds, for the function that watches rollouts, and no report lists it.
 */
export type UsageSubject =
  | { readonly kind: 'neuron' }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string }
  | { readonly kind: 'user'; readonly username: string }
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly value: string }
  | { readonly kind: 'arm'; readonly rollout: string; readonly arm: RolloutArm; readonly version: string }
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'shadow'; readonly shadow: string; readonly version: string }
  | {
      readonly kind: 'slot';
      readonly rollout: string;
      readonly arm: RolloutArm;
      /** When it begins, ISO 8601 in UTC. */
      readonly slot: string;
      /** Slug, by which the neuron is found. */
      readonly organization: string;
    }
  | { readonly kind: 'branch'; readonly version: string; readonly branch: string }
  | { readonly kind: 'feedback'; readonly metric: string; readonly version: string }
  | { readonly kind: 'organization'; readonly slug: string };

type RolloutArm = NonNullable<LogEntry['rollout']>['arm'];

/** The usage of one subject on one day, or an increment of it. */
export interface UsageRow {
  readonly organizationId: string;
  /** `2026-11-21`, UTC, by the time of the request. */
  readonly day: string;
  readonly neuronId: string;
  /** The neuron's slug. */
  readonly neuron: string;
  readonly subject: UsageSubject;
  readonly amounts: UsageAmounts;
  /**
   * In rows of runs: their number by `latency#7` or `cost#12`, the bucket of the scales of core/statistics; in slots also values of feedback by
   * `rating#METRIC#VALUE`, the value being `true`, `false` or an integer part.
   */
  readonly buckets?: Readonly<Record<string, number>>;
  /** In a neuron's row: requests by the day (UTC) on which their entries expire, since a recount cannot find expired ones. */
  readonly entriesEnd: Readonly<Record<string, number>>;
  /** In a user's row: its TTL in seconds since the Unix epoch, that of the entries that name the user. In a slot's: when it is of no use. */
  readonly expiresAt: number | undefined;
}

/** The prefix of groups of marks whose items are only sealed. */
export const ITEM_MARK = 'ITEM#';

/** Marks an entry, or a part of one, as counted and sealed. The marks of a group are kept together. */
export interface UsageMark {
  /** Depends on the entry alone, so that every delivery gives the same group. */
  readonly group: string;
  /** Unique in its group: 16 bytes as base64url. */
  readonly id: string;
  /** Seconds since the Unix epoch, after which the entry cannot be delivered again. A group expires with its last mark. */
  readonly expiresAt: number;
}

/**
 * `repeated`: these marks existed already. `outdated`: these chains have a seal of that sequence number already. `conflict`: a concurrent
 * transaction. `rejected`: the store takes no such transaction, now or later. None of them changes anything.
 */
export type AddUsageOutcome =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'repeated'; readonly marks: readonly UsageMark[] }
  | { readonly outcome: 'outdated'; readonly chains: readonly string[] }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'rejected'; readonly error: unknown };

/** The maximum number of groups of marks, rows and items of seals together (API_TransactWriteItems: 100 actions). */
export const MAX_TRANSACTION_ITEMS = 100;

/**
 * Marks of one group in a transaction. The condition has two operators for each, of the 300 that an expression may have, and 20 of
 * its 4,096 bytes (amazondynamodb/latest/developerguide/Constraints.html).
 */
export const MAX_GROUP_MARKS = 100;

/** The link itself, and the head of its chain. */
export const ITEMS_PER_SEAL = 2;

/** The usage table for the rollup function. */
export interface UsageLedger {
  /**
   * Writes all marks, adds all changes and appends all seals in one transaction, or does nothing. Marks, rows and the chains of seals must be
   * unique, and no group may have more than `MAX_GROUP_MARKS`. Throws on failure.
   */
  add(
    marks: readonly UsageMark[],
    changes: readonly UsageRow[],
    seals: readonly Seal[],
  ): Promise<AddUsageOutcome>;
}

/** A query; both days are inclusive. */
export interface UsageQuery {
  readonly organizationId: string;
  readonly neuronId?: string | undefined;
  readonly fromDay: string;
  readonly toDay: string;
}

/** The usage table for operators. Strongly consistent; expired rows are left out. */
export interface UsageReader {
  list(query: UsageQuery): AsyncIterable<UsageRow>;
  /**
   * One row for each organization and day (both inclusive) with a request, day by day. As bounded as their number: nothing is read of an
   * organization that was not called. Eventually consistent.
   */
  listOrganizations(days: Pick<UsageQuery, 'fromDay' | 'toDay'>): AsyncIterable<UsageRow>;
  /** True when the entry with this mark has been counted, until the mark expires. */
  isCounted(mark: Pick<UsageMark, 'group' | 'id'>): Promise<boolean>;
}

export type CountedEntry = Pick<
  LogEntry,
  | 'executionId'
  | 'timeMs'
  | 'organization'
  | 'organizationId'
  | 'neuron'
  | 'neuronId'
  | 'version'
  | 'rollout'
  | 'shadow'
  | 'branch'
  | 'feedback'
  | 'cache'
  | 'outcome'
  | 'username'
  | 'keyId'
  | 'tags'
  | 'tokensInput'
  | 'tokensOutput'
  | 'costMicrodollars'
  | 'savingsMicrodollars'
  | 'infrastructureNanodollars'
  | 'modelCalls'
  | 'latencyMs'
  | 'count'
  | 'expiresAt'
>;

export interface PlacedEntry extends CountedEntry {
  /** The shard of its hour, from 0. */
  readonly logShard: number;
}

/** The entries of the log, for a recount. */
export interface EntryReader {
  /** Every unexpired entry of a request on these days, in no particular order. */
  entries(query: UsageQuery): AsyncIterable<PlacedEntry>;
}
