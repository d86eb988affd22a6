// Port to the audit trail for operators: queries, never a scan.
import type { ErrorCode } from '../contract/error-codes.ts';
import type { LogEntry, LogOutcome } from '../contract/log-entry.ts';

/** Owner, period (milliseconds since the Unix epoch, `fromMs` inclusive, `toMs` exclusive) and filters of a query. */
export interface LogQuery {
  readonly organizationId: string;
  /** Absent: every neuron of the organization, those that have been deleted included. */
  readonly neuronId?: string | undefined;
  readonly username?: string | undefined;
  readonly outcome?: LogOutcome | undefined;
  readonly status?: number | undefined;
  readonly keyId?: string | undefined;
  /** The caller's address, as it is logged. */
  readonly sourceIp?: string | undefined;
  readonly code?: ErrorCode | undefined;
  /** The version that answered, such as `v3`. */
  readonly version?: string | undefined;
  /** Latency of more than these milliseconds. */
  readonly slowerThanMs?: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

/** An entry as lists show it: no texts, no trace, no model calls. */
export type ListedEntry = Pick<
  LogEntry,
  | 'executionId'
  | 'timeMs'
  | 'organization'
  | 'neuron'
  | 'version'
  | 'outcome'
  | 'status'
  | 'code'
  | 'reason'
  | 'sourceIp'
  | 'username'
  | 'keyId'
  | 'cache'
  | 'latencyMs'
  | 'tokensInput'
  | 'tokensOutput'
  | 'costMicrodollars'
  | 'count'
  | 'restored'
>;

/** An entry in full, or without its texts, trace and feedback where the reader's rights reach no texts. */
export type FoundEntry = LogEntry & { readonly textsWithheld?: true };

/** The progress of a list; hours are read from the newest to the oldest. */
export interface LogProgress {
  readonly hoursRead: number;
  readonly hoursInAll: number;
}

/** The audit trail, newest first. */
export interface LogReader {
  /** Pages are read on demand. `onProgress` is called when an hour has been read. */
  list(query: LogQuery, onProgress?: (progress: LogProgress) => void): AsyncIterable<ListedEntry>;
  find(executionId: string): Promise<FoundEntry | undefined>;
}

/** True when only failures and rejected requests can match: those have an index of their own. */
export function asksForFailures({ outcome, status }: LogQuery): boolean {
  return outcome === 'failed' || outcome === 'refused' || (status !== undefined && status >= 400);
}

/** Conditions that no key of a table or an index answers. */
const FILTERS = [
  'outcome',
  'status',
  'keyId',
  'sourceIp',
  'code',
  'version',
] as const satisfies readonly (keyof LogQuery)[];

/** True for an entry with the outcome, status, key, address, code, version and latency of the query. */
export function passesFilters(
  query: LogQuery,
  entry: Pick<LogEntry, (typeof FILTERS)[number] | 'latencyMs'>,
): boolean {
  const { slowerThanMs } = query;
  if (slowerThanMs !== undefined && !(entry.latencyMs > slowerThanMs)) return false;
  return FILTERS.every((name) => query[name] === undefined || entry[name] === query[name]);
}
