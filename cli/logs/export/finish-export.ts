// The last part of an export: makes the file of the complete spool, and the manifest.
import { rename, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SealReader } from '../../../core/ports/seals.ts';
import { exportSeals } from './export-seals.ts';
import { digestFile, type ExportManifest, writeManifest } from './manifest.ts';
import { readSpool } from './read-spool.ts';
import { type Checkpoint, clearSpool, type pathsOf } from './spool.ts';
import { writeCsv } from './write-csv.ts';
import { writeParquet } from './write-parquet.ts';

/** Makes the file of the complete spool, then its manifest. Whatever a kill leaves behind, the same steps are taken again. */
export async function finishExport(
  paths: ReturnType<typeof pathsOf>,
  { request, startedMs, counts }: Checkpoint,
  reader: Pick<SealReader, 'seals'>,
): Promise<ExportManifest> {
  const { out, part } = paths;
  const made = `${out}.tmp`;
  const isThere = await exists(part);
  if (isThere && request.format === 'csv') await writeCsv(readSpool(part), made);
  if (isThere && request.format === 'parquet') await writeParquet(readSpool(part), made);
  const source = !isThere ? out : request.format === 'jsonl' ? part : made;
  const { organizationId } = request;
  const seals = await exportSeals(reader, {
    ...{ organizationId, startedMs, path: paths.seals, file: basename(paths.seals) },
  });
  const manifest: ExportManifest = {
    version: 1,
    organization: request.organization,
    organizationId: request.organizationId,
    from: toIso(request.fromMs),
    to: toIso(request.toMs),
    startedAt: toIso(startedMs),
    format: request.format,
    file: basename(out),
    ...(await digestFile(source)),
    entries: counts,
    seals,
  };
  await writeManifest(paths.manifest, manifest);
  if (isThere) await rename(source, out);
  await clearSpool(paths);
  return manifest;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** True where something has this path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
