// Reads an export in Parquet back, one row group at a time.
import { EXPORT_COLUMNS } from './columns.ts';

/** Every row: its values by column. */
export async function* readParquet(path: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const columns = EXPORT_COLUMNS.map(({ name }) => name);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    yield* (await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd })) as Record<
      string,
      unknown
    >[];
    rowStart = rowEnd;
  }
}
