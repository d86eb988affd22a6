// Renders log entries as CSV (RFC 4180) for spreadsheets. Its columns are members of the lines of JSON.
import { printableLine } from '../../output/printable.ts';
import { escapeFormulas, quoteCell } from '../../output/spreadsheet.ts';
import { toLogJson } from './log-view.ts';
import type { NamedEntry } from './read-owners.ts';

const COLUMNS = [
  'time',
  'organization',
  'neuron',
  'version',
  'outcome',
  'status',
  'code',
  'reason',
  'count',
  'cache',
  'latencyMs',
  'tokensInput',
  'tokensOutput',
  'costMicrodollars',
  'username',
  'keyId',
  'sourceIp',
  'executionId',
  'restored',
  'timeMs',
  'keyName',
] as const;

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

export function toCsvLine(entry: NamedEntry): string {
  const json = toLogJson(entry);
  return `${COLUMNS.map((name) => toCell(json[name])).join(',')}\r\n`;
}

/** Callers choose usernames, which must not become formulas. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? quoteCell(printableLine(escapeFormulas(value))) : String(value);
}
