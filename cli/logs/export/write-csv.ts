// An export as CSV (RFC 4180), safe to open in a spreadsheet.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, cellsOf, EXPORT_COLUMNS } from './columns.ts';
import type { SizedEntry } from './read-spool.ts';

/** Rows that are handed on together. */
const ROWS = 500;

/** Writes a header and one row for each entry. */
export async function writeCsv(entries: AsyncIterable<SizedEntry>, path: string): Promise<void> {
  await pipeline(Readable.from(blocksOf(entries), { objectMode: false }), createWriteStream(path));
}

async function* blocksOf(entries: AsyncIterable<SizedEntry>): AsyncGenerator<string> {
  let block = [toLine(EXPORT_COLUMNS.map(({ name }) => name))];
  for await (const { entry } of entries) {
    block.push(toLine(cellsOf(entry)));
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
 * What a spreadsheet takes for the beginning of a formula, full-width forms included (OWASP, CSV Injection): callers choose usernames.
 * And the apostrophe itself, so that taking one away gives every text back as it was.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠']/;

/** An empty text is quoted, which tells it from no value. */
function render(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
