// Writes the seals of an export: the chains of its organization and of the service, so that it can be verified without the tables.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renderHead } from '../../../core/logs/seals/seal.ts';
import { SERVICE_CHAIN, type SealReader } from '../../../core/ports/seals.ts';
import type { StoredEntry } from '../../../core/ports/stored-entries.ts';
import { digestFile, type ExportedSeals, OWNER_ONLY } from './manifest.ts';

/**
 * Later seals may name entries that came after the export had read their hour, or that no index showed yet. With them a complete export
 * would seem to lack entries.
 */
const BEFORE_MS = 5_000;

interface SealExport {
  readonly organizationId: string;
  readonly startedMs: number;
  readonly path: string;
  /** Changes after the period that erased persons: they explain entries of it. */
  readonly erasures: AsyncIterable<StoredEntry>;
}

/** Writes the seals up to the start of the export, in order. An interruption does not change them. */
export async function exportSeals(
  reader: Pick<SealReader, 'seals'>,
  { organizationId, startedMs, path, erasures }: SealExport,
): Promise<ExportedSeals> {
  const heads: Record<string, string | null> = {};
  async function* lines(): AsyncGenerator<string> {
    for (const chain of [organizationId, SERVICE_CHAIN]) {
      heads[chain] = null;
      for await (const { sequence, seal } of reader.seals(chain)) {
        if (seal !== undefined && seal.sealedAtMs > startedMs - BEFORE_MS) break;
        yield `${JSON.stringify({ chain, sequence, seal: seal ?? null })}\n`;
        if (seal !== undefined) heads[chain] = renderHead(seal);
      }
    }
    for await (const { pk, sk, record } of erasures)
      yield `${JSON.stringify({ chain: organizationId, erasure: { pk, sk, record } })}\n`;
  }
  await rm(`${path}.tmp`, { force: true });
  await pipeline(
    Readable.from(lines(), { objectMode: false }),
    createWriteStream(`${path}.tmp`, { mode: OWNER_ONLY }),
  );
  await rename(`${path}.tmp`, path);
  return { file: basename(path), ...(await digestFile(path)), heads };
}
