// Finishes an export: writes the file from the complete spool, the seals and the manifest.
import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ChangeDescription, ERASE_ACTION } from '../../../core/contract/change-entry.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { Ports } from '../../session/ports.ts';
import { listChanges } from '../seals/list-changes.ts';
import { exists } from './exists.ts';
import { exportSeals } from './export-seals.ts';
import { digestFile, type ExportManifest, renderManifest, writeManifest } from './manifest.ts';
import { readSpool } from './read-spool.ts';
import { rejectAfterErasure } from './reject-erasures.ts';
import { type Checkpoint, clearSpool, type ExportPaths } from './spool.ts';
import { writeCsv } from './write-csv.ts';
import { writeParquet } from './write-parquet.ts';

type FinishPorts = Pick<Ports, 'seals' | 'recordChange' | 'changes' | 'storedEntries' | 'clock'>;

/** After a kill, running it again leads to the same files. Throws `CommandFailure` where somebody was erased meanwhile. */
export async function finishExport(
  paths: ExportPaths,
  { request, startedMs, counts }: Checkpoint,
  ports: FinishPorts,
): Promise<ExportManifest> {
  const { seals: reader, recordChange, changes, storedEntries } = ports;
  // Every entry has been read: an erasure from here on finds the export made.
  await rejectAfterErasure(paths, { request, startedMs }, ports);
  const { out, part } = paths;
  const { organization, organizationId, format } = request;
  const temporary = `${out}.tmp`;
  const hasSpool = await exists(part);
  // One that was left behind would keep its mode.
  await rm(temporary, { force: true });
  if (hasSpool && format === 'csv') await writeCsv(readSpool(part), temporary);
  if (hasSpool && format === 'parquet') await writeParquet(readSpool(part), temporary);
  const source = !hasSpool ? out : format === 'jsonl' ? part : temporary;
  const later = { fromMs: request.toMs, toMs: startedMs };
  const erasures = listChanges(ERASE_ACTION, organization, later, { changes, storedEntries });
  const seals = await exportSeals(reader, { organizationId, startedMs, path: paths.seals, erasures });
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
  // The digests are sealed with the change, so that a head kept later proves the manifest as well.
  await recordChange(describeExport(manifest), async () => {
    await writeManifest(paths.manifest, manifest);
    if (hasSpool) await rename(source, out);
  });
  await clearSpool(paths);
  return manifest;
}

function describeExport(manifest: ExportManifest): ChangeDescription {
  const { organization, organizationId, from, to, startedAt, format, sha256, entries, seals } = manifest;
  const manifestSha256 = createHash('sha256').update(renderManifest(manifest)).digest('hex');
  const after = { from, to, startedAt, format, entries, sha256, sealsSha256: seals.sha256, manifestSha256 };
  return { actions: ['export_log'], organization, organizationId, before: undefined, after };
}
