// Reads the entries of an export in any format, exactly as they were exported, so that they can be verified without the tables.
import { createReadStream } from 'node:fs';
import { CommandFailure } from '../../output/failure.ts';
import { unescapeFormulas } from '../../output/spreadsheet.ts';
import {
  type Cell,
  type ColumnKind,
  columnsNamed,
  type ExportColumn,
  fromCells,
  toCells,
} from './columns.ts';
import type { ExportedEntry } from './exported-entry.ts';
import { readSpool } from './read-spool.ts';
import { toLine } from './write-csv.ts';
import { GROUP_ROWS } from './write-parquet.ts';

/** Entries in the order of the file. Throws `CommandFailure` with the number of a row that is no entry. */
export async function* readEntries(path: string, format: string): AsyncGenerator<ExportedEntry> {
  const rows = format === 'csv' ? fromCsv(path) : format === 'parquet' ? fromParquet(path) : fromLines(path);
  let number = 0;
  try {
    for await (const entry of rows) {
      number += 1;
      yield entry;
    }
  } catch (error) {
    throw new CommandFailure(
      {
        what: `Entry ${number + 1} of ${path} cannot be read.`,
        why: 'The file was changed, damaged or cut after it was exported.',
      },
      { cause: error },
    );
  }
}

async function* fromLines(path: string): AsyncGenerator<ExportedEntry> {
  for await (const { entry } of readSpool(path)) yield entry;
}

async function* fromCsv(path: string): AsyncGenerator<ExportedEntry> {
  let columns: readonly ExportColumn[] | undefined;
  for await (const { text, cells } of readCsv(path)) {
    if (columns === undefined) {
      columns = columnsNamed(cells.map(String));
      checkText(text, toLine(cells));
      continue;
    }
    const entry = fromCells(
      columns.map(({ kind }, at) => parseCell(kind, cells[at])),
      columns,
    );
    checkText(text, toLine(toCells(entry, columns)));
    yield entry;
  }
}

/** Other programs read what is written in another way otherwise: a cell too many, a formula, a member that stands twice in one. */
function checkText(text: string, written: string): void {
  if (text !== written) throw new Error('the export writes no such row');
}

function parseCell(kind: ColumnKind, text: string | undefined): Cell {
  if (text === undefined) return undefined;
  if (kind === 'integer' || kind === 'decimal') return Number(text);
  if (kind === 'boolean') return text === 'true';
  return unescapeFormulas(text);
}

async function* fromParquet(path: string): AsyncGenerator<ExportedEntry> {
  for await (const { row, columns } of readParquet(path)) {
    const cells = columns.map(({ name }) => toCell(row[name]));
    const entry = fromCells(cells, columns);
    if (toCells(entry, columns).some((cell, at) => cell !== cells[at]))
      throw new Error('the export writes no such row');
    yield entry;
  }
}

/** Integers are read as BigInt, times as dates. */
function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Date ? value.toISOString() : (value as Cell);
}

interface ParquetRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly columns: readonly ExportColumn[];
}

/** Values by column. Memory holds one row group. */
async function* readParquet(path: string): AsyncGenerator<ParquetRow> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  for (const { num_rows: rows } of metadata.row_groups)
    if (!(rows >= 0 && rows <= GROUP_ROWS)) throw new Error('the export writes no such row group');
  const [, ...names] = metadata.schema.map(({ name }) => name);
  const columns = columnsNamed(names);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({ file, metadata, columns: names, rowStart, rowEnd });
    for (const row of rows) yield { row, columns };
    rowStart = rowEnd;
  }
}

/** Undefined where there is nothing between two commas, not even quotes. */
type CsvCell = string | undefined;

/** In a cell without quotes, within quotes, or after a quote that ends the cell or is doubled. */
type ParserState = 'plain' | 'quoted' | 'quote';

interface CsvRow {
  /** As it is in the file, with the end of its line. */
  readonly text: string;
  readonly cells: readonly CsvCell[];
}

/** Rows, including the header. Memory holds one row. */
async function* readCsv(path: string): AsyncGenerator<CsvRow> {
  let row: CsvCell[] = [];
  let line = '';
  let text = '';
  let state: ParserState = 'plain';
  let isQuoted = false;
  const endCell = () => {
    row.push(isQuoted || text !== '' ? text : undefined);
    text = '';
    isQuoted = false;
    state = 'plain';
  };
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    for (const character of chunk) {
      line += character;
      if (state === 'quoted') {
        if (character === '"') state = 'quote';
        else text += character;
      } else if (character === '"') {
        // A second quote within quotes stands for one.
        if (state === 'quote') text += '"';
        state = 'quoted';
        isQuoted = true;
      } else if (character === ',') endCell();
      else if (character === '\n') {
        endCell();
        yield { text: line, cells: row };
        row = [];
        line = '';
      } else if (character !== '\r') text += character;
    }
  }
  if (row.length > 0 || text !== '' || isQuoted) {
    endCell();
    yield { text: line, cells: row };
  }
}
