// An export as Parquet: one row group at a time, so that memory holds one of them.
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Cell, type ColumnKind, cellsOf, EXPORT_COLUMNS } from './columns.ts';
import type { SizedEntry } from './read-spool.ts';

/** A row group ends at so many rows or bytes of JSON. The footer, which is made in memory, describes each of them. */
const GROUP_ROWS = 50_000;
const GROUP_BYTES = 8 * 1_048_576;

type Writer = typeof import('hyparquet-writer');

/** JSON is text here too: every reader of Parquet reads it. */
const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  integer: { type: 'INT64' },
  decimal: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const satisfies Record<ColumnKind, object>;

const SCHEMA = [
  { name: 'root', num_children: EXPORT_COLUMNS.length },
  ...EXPORT_COLUMNS.map(({ name, kind }) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...ELEMENTS[kind],
  })),
];

/** Writes one row for each entry. The same entries give the same bytes. */
export async function writeParquet(entries: AsyncIterable<SizedEntry>, path: string): Promise<void> {
  // A megabyte of source that no other command needs.
  const library = await import('hyparquet-writer');
  const file = openSync(path, 'w');
  try {
    const writer = fileWriter(library, file);
    const parquet = new library.ParquetWriter({
      writer,
      schema: SCHEMA,
      createdBy: 'neuron-execution-service',
    });
    for await (const rows of inGroups(entries))
      await parquet.write({ columnData: toColumns(rows), rowGroupSize: rows.length });
    await parquet.finish();
  } finally {
    closeSync(file);
  }
}

/** Keeps the bytes of one row group. */
function fileWriter({ ByteWriter }: Writer, file: number) {
  const writer = new ByteWriter();
  const flush = () => {
    const bytes = writer.getBytes();
    for (let written = 0; written < bytes.length; )
      written += writeSync(file, bytes, written, bytes.length - written);
    writer.index = 0;
  };
  return Object.assign(writer, { flush, finish: flush });
}

async function* inGroups(entries: AsyncIterable<SizedEntry>): AsyncGenerator<readonly (readonly Cell[])[]> {
  let rows: (readonly Cell[])[] = [];
  let size = 0;
  for await (const { entry, bytes } of entries) {
    rows.push(cellsOf(entry));
    size += bytes;
    if (rows.length < GROUP_ROWS && size < GROUP_BYTES) continue;
    yield rows;
    rows = [];
    size = 0;
  }
  if (rows.length > 0) yield rows;
}

function toColumns(rows: readonly (readonly Cell[])[]) {
  return EXPORT_COLUMNS.map(({ name, kind }, at) => ({
    name,
    data: rows.map((row) => toValue(kind, row[at])),
    // Nobody asks for a page of a row group, and its index would stay in memory until the end.
    offsetIndex: false,
  }));
}

function toValue(kind: ColumnKind, cell: Cell): unknown {
  if (cell === undefined) return undefined;
  if (kind === 'integer') return BigInt(cell);
  return kind === 'time' ? new Date(String(cell)) : cell;
}
