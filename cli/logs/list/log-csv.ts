// Renders log entries as CSV (RFC 4180) for spreadsheets. Its columns are members of the lines of JSON.
import { printableLine } from '../../output/printable.ts';
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

/** Callers choose usernames. A cell that begins like a formula gets an apostrophe, so that no spreadsheet evaluates it (OWASP, CSV Injection). */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = printableLine(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
