// Finishes an export: writes the file from the complete spool, the seals and the manifest.
import { rename, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SealReader } from '../../../core/ports/seals.ts';
import { toIso } from '../../../core/time/iso.ts';
import { exportSeals } from './export-seals.ts';
import { digestFile, type ExportManifest, writeManifest } from './manifest.ts';
import { readSpool } from './read-spool.ts';
import { type Checkpoint, clearSpool, type ExportPaths } from './spool.ts';
import { writeCsv } from './write-csv.ts';
import { writeParquet } from './write-parquet.ts';

/** After a kill, running it again leads to the same files. */
export async function finishExport(
  paths: ExportPaths,
  { request, startedMs, counts }: Checkpoint,
  reader: Pick<SealReader, 'seals'>,
): Promise<ExportManifest> {
  const { out, part } = paths;
  const { organization, organizationId, format } = request;
  const temporary = `${out}.tmp`;
  const hasSpool = await exists(part);
  if (hasSpool && format === 'csv') await writeCsv(readSpool(part), temporary);
  if (hasSpool && format === 'parquet') await writeParquet(readSpool(part), temporary);
  const source = !hasSpool ? out : format === 'jsonl' ? part : temporary;
  const seals = await exportSeals(reader, { organizationId, startedMs, path: paths.seals });
  const manifest: ExportManifest = {
    version: 1,
    organization,
    organizationId,
    from: toIso(request.fromMs),
    to: toIso(request.toMs),
    startedAt: toIso(startedMs),
    format,
    file: basename(out),
    ...(await digestFile(source)),
    entries: counts,
    seals,
  };
  await writeManifest(paths.manifest, manifest);
  if (hasSpool) await rename(source, out);
  await clearSpool(paths);
  return manifest;
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
