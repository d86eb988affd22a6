// Writes an export as CSV (RFC 4180) that is safe to open in a spreadsheet.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, EXPORT_COLUMNS, toCells } from './columns.ts';
import type { SizedEntry } from './read-spool.ts';

/** Rows that are written at once. */
const ROWS = 500;

/** Writes a header and one row for each entry. */
export async function writeCsv(entries: AsyncIterable<SizedEntry>, path: string): Promise<void> {
  await pipeline(Readable.from(toBlocks(entries), { objectMode: false }), createWriteStream(path));
}

async function* toBlocks(entries: AsyncIterable<SizedEntry>): AsyncGenerator<string> {
  let block = [toLine(EXPORT_COLUMNS.map(({ name }) => name))];
  for await (const { entry } of entries) {
    block.push(toLine(toCells(entry)));
    if (block.length < ROWS) continue;
    yield block.join('');
    block = [];
  }
  yield block.join('');
}

/** One row, with the end of the line. */
export function toLine(cells: readonly Cell[]): string {
  return `${cells.map(render).join(',')}\r\n`;
}

/**
 * Beginnings of a formula, including full-width forms (OWASP, CSV Injection), since callers choose usernames. The apostrophe itself is
 * escaped too, so that removing one restores every text.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠']/;

/** An empty text is quoted, to distinguish it from no value. */
function render(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
