// Reads the entries of an export back, whatever its format: exactly what was exported, so that it can be checked without the table.
import { CommandFailure } from '../../output/failure.ts';
import { type Cell, type ColumnKind, EXPORT_COLUMNS, fromCells } from './columns.ts';
import type { ExportedEntry } from './exported-entry.ts';
import { readCsv } from './read-csv.ts';
import { readParquet } from './read-parquet.ts';
import { readSpool } from './read-spool.ts';

/** Every entry in the order of the file. Throws `CommandFailure` naming the row that is no entry. */
export async function* readEntries(path: string, format: string): AsyncGenerator<ExportedEntry> {
  const rows = format === 'csv' ? fromCsv(path) : format === 'parquet' ? fromParquet(path) : fromLines(path);
  let number = 0;
  try {
    for await (const entry of rows) {
      number += 1;
      yield entry;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandFailure({
      what: `Entry ${number + 1} of ${path} cannot be read.`,
      why: 'The file was changed or cut after it was exported.',
    });
  }
}

async function* fromLines(path: string): AsyncGenerator<ExportedEntry> {
  for await (const { entry } of readSpool(path)) yield entry;
}

async function* fromCsv(path: string): AsyncGenerator<ExportedEntry> {
  let isHeader = true;
  for await (const row of readCsv(path)) {
    if (!isHeader) yield fromCells(EXPORT_COLUMNS.map(({ kind }, at) => parseCell(kind, row[at])));
    isHeader = false;
  }
}

/** Takes away the apostrophe that keeps a spreadsheet from evaluating a text. */
function parseCell(kind: ColumnKind, text: string | undefined): Cell {
  if (text === undefined) return undefined;
  if (kind === 'integer' || kind === 'decimal') return Number(text);
  if (kind === 'boolean') return text === 'true';
  return text.startsWith("'") ? text.slice(1) : text;
}

async function* fromParquet(path: string): AsyncGenerator<ExportedEntry> {
  for await (const row of readParquet(path))
    yield fromCells(EXPORT_COLUMNS.map(({ name }) => toCell(row[name])));
}

/** Integers are read as BigInt, times as dates. */
function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Date ? value.toISOString() : (value as Cell);
}
