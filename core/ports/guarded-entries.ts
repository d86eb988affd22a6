// Port to the entries in which guards found something, for reports.
import type { LogEntry } from '../contract/log-entry.ts';

/** Owner and period (milliseconds since the Unix epoch, `fromMs` inclusive, `toMs` exclusive). */
export interface GuardedQuery {
  readonly organizationId: string;
  /** Absent: every neuron of the organization, those that have been deleted included. */
  readonly neuronId?: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface GuardedEntry extends Pick<LogEntry, 'timeMs' | 'neuron' | 'outcome' | 'count'> {
  readonly guards: NonNullable<LogEntry['guards']>;
}

/** A part of the period, all of which has been read. */
export interface GuardedPart {
  /** The start of what has been read so far. */
  readonly fromMs: number;
  /** Entries that were read, with and without finds. */
  readonly scanned: number;
  readonly entries: readonly GuardedEntry[];
}

export interface GuardedEntries {
  /** Newest part first; a caller may stop after any of them. Unexpired entries alone. */
  parts(query: GuardedQuery): AsyncIterable<GuardedPart>;
}
