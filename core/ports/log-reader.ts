// Port to the audit trail for operators: queries, never a scan.
import type { LogEntry, LogOutcome } from '../contract/log-entry.ts';

/** Whose entries, from when to when (milliseconds since the Unix epoch, `fromMs` inclusive, `toMs` exclusive), and which of them. */
export interface LogQuery {
  readonly organizationId: string;
  /** Absent: every neuron of the organization, those that have been deleted included. */
  readonly neuronId?: string | undefined;
  readonly username?: string | undefined;
  readonly outcome?: LogOutcome | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
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

/** How far a list has come; hours are read from the newest to the oldest. */
export interface LogProgress {
  readonly hoursRead: number;
  readonly hoursInAll: number;
}

/** The audit trail, newest first. */
export interface LogReader {
  /** Pages are read as the caller goes on. `onProgress` is called when an hour has been read. */
  list(query: LogQuery, onProgress?: (progress: LogProgress) => void): AsyncIterable<ListedEntry>;
  /** One entry in full. */
  find(executionId: string): Promise<LogEntry | undefined>;
}

/** Only refusals and failures can match: those have an index of their own. */
export function asksForFailures({ outcome, status }: LogQuery): boolean {
  return outcome === 'failed' || outcome === 'refused' || (status !== undefined && status >= 400);
}

/** True for an entry with the outcome and the status that are asked for. */
export function hasOutcome(
  { outcome, status }: LogQuery,
  entry: Pick<LogEntry, 'outcome' | 'status'>,
): boolean {
  return (
    (outcome === undefined || entry.outcome === outcome) && (status === undefined || entry.status === status)
  );
}
