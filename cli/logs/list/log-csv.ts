// Log entries as CSV (RFC 4180) for spreadsheets, with the members of the JSON list as columns.
import { printableLine } from '../../output/printable.ts';
import { toLogJson } from './log-view.ts';
import type { NamedEntry } from './read-owners.ts';

const COLUMNS = [
  ...['time', 'organization', 'neuron', 'version', 'outcome', 'status', 'code', 'reason', 'count'],
  ...['cache', 'latencyMs', 'tokensInput', 'tokensOutput', 'costMicrodollars'],
  ...['username', 'keyId', 'sourceIp', 'executionId', 'restored', 'timeMs', 'keyName'],
] as const;

/** The names of the columns, with the end of the line. */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** One entry, with the end of the line. */
export function toCsvLine(entry: NamedEntry): string {
  const json = toLogJson(entry);
  return `${COLUMNS.map((name) => toCell(json[name])).join(',')}\r\n`;
}

/** Callers choose usernames: a cell that begins like a formula gets an apostrophe, so that no spreadsheet evaluates it (OWASP, CSV Injection). */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = printableLine(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
