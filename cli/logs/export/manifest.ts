// The manifest beside an export: its content, and the digests that reveal a change of its files.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { StoredType } from '../../../core/ports/stored-entries.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet'] as const;

/** The mode of every file of an export: it holds prompts, answers and addresses. */
export const OWNER_ONLY = 0o600;

export interface ExportedSeals {
  /** Name of the file beside the manifest. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The newest exported seal of each chain, as `neuron logs head` prints it; null for a chain without one. */
  readonly heads: Readonly<Record<string, string | null>>;
}

/** An export is complete when its manifest exists. */
export interface ExportManifest {
  readonly version: 1;
  readonly organization: string;
  readonly organizationId: string;
  /** The period, ISO 8601; the end is exclusive. */
  readonly from: string;
  readonly to: string;
  /** Start of the export; entries that had expired by then are not in it. */
  readonly startedAt: string;
  readonly format: string;
  /** Name of the file beside this one. */
  readonly file: string;
  readonly bytes: number;
  /** Hexadecimal digest of the file. */
  readonly sha256: string;
  readonly entries: Readonly<Record<StoredType, number>>;
  readonly seals: ExportedSeals;
}

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

export function renderManifest(manifest: ExportManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The file appears whole or not at all. */
export async function writeManifest(path: string, manifest: ExportManifest): Promise<void> {
  await rm(`${path}.tmp`, { force: true });
  await writeFile(`${path}.tmp`, renderManifest(manifest), { flush: true, mode: OWNER_ONLY });
  await rename(`${path}.tmp`, path);
}
