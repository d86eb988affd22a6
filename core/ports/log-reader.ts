// Port to the audit trail for operators: queries, never a scan.
import type { LogEntry } from '../logs/entry.ts';

/** Whose entries, and from when to when (milliseconds since the Unix epoch, `fromMs` inclusive, `toMs` exclusive). */
export interface LogQuery {
  readonly organizationId: string;
  /** Absent: every neuron of the organization. */
  readonly neuronId?: string;
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

/** The audit trail, newest first. */
export interface LogReader {
  /** Pages are read as the caller goes on. */
  list(query: LogQuery): AsyncIterable<ListedEntry>;
  /** One entry in full. */
  find(executionId: string): Promise<LogEntry | undefined>;
}
