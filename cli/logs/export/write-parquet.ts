// Writes an export as Parquet. Memory holds one row group.
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Cell, type ColumnKind, EXPORT_COLUMNS, toCells } from './columns.ts';
import { OWNER_ONLY } from './manifest.ts';
import type { SizedEntry } from './read-spool.ts';

/** Size of a row group. Larger groups mean fewer of them, and the footer, which is built in memory, describes each. */
export const GROUP_ROWS = 50_000;
const GROUP_BYTES = 8 * 1_048_576;

type Writer = typeof import('hyparquet-writer');

/** JSON is text, which every reader of Parquet can read. */
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
  // No other command needs this megabyte of source.
  const library = await import('hyparquet-writer');
  const file = openSync(path, 'w', OWNER_ONLY);
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

/** Buffers the bytes of one row group. */
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
    rows.push(toCells(entry));
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
    // No reader looks up a page of a row group, and the index would stay in memory until the end.
    offsetIndex: false,
  }));
}

function toValue(kind: ColumnKind, cell: Cell): unknown {
  if (cell === undefined) return undefined;
  if (kind === 'integer') return BigInt(cell);
  return kind === 'time' ? new Date(String(cell)) : cell;
}
