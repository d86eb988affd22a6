// Ports to the usage table: rollups of log entries by day, which the rollup function adds to and operators read.
import type { LogEntry } from '../contract/log-entry.ts';

/** What a row adds up. All are integers; money in microdollars. */
export const USAGE_AMOUNTS = [
  'success',
  'stopped',
  'failed',
  'refused',
  'modelCalls',
  'tokensInput',
  'tokensOutput',
  'costMicrodollars',
  'unknownCosts',
  'savingsMicrodollars',
] as const;

/** One of the amounts. */
export type UsageAmount = (typeof USAGE_AMOUNTS)[number];

/**
 * Requests by outcome, model calls, tokens, cost and savings. `costMicrodollars` is the sum of the costs that are known, and
 * `unknownCosts` the number of model calls without one: an unknown cost is never zero. A row of a model counts calls, not requests.
 */
export type UsageAmounts = Readonly<Record<UsageAmount, number>>;

/** What a row of one neuron is about: all of it, one of its models, or one of its users. */
export type UsageSubject =
  | { readonly kind: 'neuron' }
  | { readonly kind: 'model'; readonly provider: string; readonly model: string }
  | { readonly kind: 'user'; readonly username: string };

/** What one neuron used on one day, or a change of that. */
export interface UsageRow {
  readonly organizationId: string;
  /** `2026-11-21`, UTC, by the time of the request. */
  readonly day: string;
  readonly neuronId: string;
  /** The neuron's slug. */
  readonly neuron: string;
  readonly subject: UsageSubject;
  readonly amounts: UsageAmounts;
  /** Of a neuron's row: requests by the day (UTC) on which their entries end, so that a recount knows what it cannot find. */
  readonly entriesEnd: Readonly<Record<string, number>>;
  /** Of a user's row: Unix epoch seconds at which it ends, with the entries that name the user. */
  readonly expiresAt: number | undefined;
}

/** Marks an entry as counted. `expiresAt` (Unix epoch seconds) is when nothing can hand the entry over again. */
export interface UsageMark {
  readonly key: string;
  readonly expiresAt: number;
}

/** What became of an addition. `repeated`: these marks were there already; `conflict`: another writer was at it. Both change nothing. */
export type UsageAddition =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'repeated'; readonly marks: readonly UsageMark[] }
  | { readonly outcome: 'conflict' };

/** Marks and rows that one addition may take together (API_TransactWriteItems: 100 actions). */
export const LARGEST_ADDITION = 100;

/** The rollups, as the rollup function writes them. */
export interface UsageLedger {
  /** Sets every mark and adds every change, or does nothing at all. No two marks and no two rows are the same. Throws on failure. */
  add(marks: readonly UsageMark[], changes: readonly UsageRow[]): Promise<UsageAddition>;
}

/** Whose usage, and of which days, both inclusive. */
export interface UsageQuery {
  readonly organizationId: string;
  readonly neuronId?: string | undefined;
  readonly fromDay: string;
  readonly toDay: string;
}

/** The rollups, as operators read them. Strongly consistent; rows that have ended are left out. */
export interface UsageReader {
  list(query: UsageQuery): AsyncIterable<UsageRow>;
  /** True when the entry with this mark has been counted, for as long as its mark lasts. */
  isCounted(markKey: string): Promise<boolean>;
}

/** What usage is counted from. */
export type CountedEntry = Pick<
  LogEntry,
  | 'executionId'
  | 'timeMs'
  | 'organizationId'
  | 'neuron'
  | 'neuronId'
  | 'outcome'
  | 'username'
  | 'tokensInput'
  | 'tokensOutput'
  | 'costMicrodollars'
  | 'savingsMicrodollars'
  | 'modelCalls'
  | 'count'
  | 'expiresAt'
>;

/** The entries themselves, for a recount. */
export interface EntryReader {
  /** Every entry of a request on these days that has not ended, in no order. */
  entries(query: UsageQuery): AsyncIterable<CountedEntry>;
}
