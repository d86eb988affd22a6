// The manifest beside an export: what it holds, and the digest by which a change of it shows.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { StoredType } from '../../../core/ports/stored-entries.ts';
import type { ExportedSeals } from './export-seals.ts';

/** Named by what is in it: an export is complete when its manifest is there. */
export interface ExportManifest {
  readonly version: 1;
  readonly organization: string;
  readonly organizationId: string;
  /** The period, ISO 8601; the end is exclusive. */
  readonly from: string;
  readonly to: string;
  /** When the export was begun; entries that had expired by then are not in it. */
  readonly startedAt: string;
  readonly format: string;
  /** Name of the file beside this one. */
  readonly file: string;
  readonly bytes: number;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
  readonly entries: Readonly<Record<StoredType, number>>;
  readonly seals: ExportedSeals;
}

/** Length and SHA-256 of a file, read once. */
export async function digestFile(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}

/** Appears whole or not at all. */
export async function writeManifest(path: string, manifest: ExportManifest): Promise<void> {
  await writeFile(`${path}.tmp`, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  await rename(`${path}.tmp`, path);
}
