// Writes an export as CSV (RFC 4180) that is safe to open in a spreadsheet.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeFormulas, quoteCell } from '../../output/spreadsheet.ts';
import { type Cell, EXPORT_COLUMNS, toCells } from './columns.ts';
import { OWNER_ONLY } from './manifest.ts';
import type { SizedEntry } from './read-spool.ts';

/** Rows that are written at once. */
const ROWS = 500;

export async function writeCsv(entries: AsyncIterable<SizedEntry>, path: string): Promise<void> {
  await pipeline(
    Readable.from(toBlocks(entries), { objectMode: false }),
    createWriteStream(path, { mode: OWNER_ONLY }),
  );
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

/** An empty text is quoted, to distinguish it from no value. Callers choose usernames, which must not become formulas. */
function render(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  return cell === '' ? '""' : quoteCell(escapeFormulas(cell));
}
