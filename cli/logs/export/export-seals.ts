// The seals beside an export: the whole chain of its organization and that of the service, so that it can be checked without the tables.
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renderHead } from '../../../core/logs/seals/seal.ts';
import { SERVICE_CHAIN, type SealReader, type StoredSeal } from '../../../core/ports/seals.ts';
import { digestFile } from './manifest.ts';

/** What the manifest says of the seals. */
export interface ExportedSeals {
  /** Name of the file beside the manifest. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Of each chain the newest seal that is in the file, as `neuron logs head` prints it; null for a chain without one. */
  readonly heads: Readonly<Record<string, string | null>>;
}

/** A line of the file. */
export interface ExportedSeal extends StoredSeal {
  readonly chain: string;
}

/**
 * What was sealed later may be of an entry that came after the export had read that hour, or that no index showed yet: such a seal would
 * accuse a whole export.
 */
const BEFORE_MS = 5_000;

/** Writes every seal up to the beginning of the export, in order; the same ones however often it is interrupted. */
export async function exportSeals(
  reader: Pick<SealReader, 'seals'>,
  {
    organizationId,
    startedMs,
    path,
    file,
  }: { organizationId: string; startedMs: number; path: string; file: string },
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
  }
  await pipeline(Readable.from(lines(), { objectMode: false }), createWriteStream(`${path}.tmp`));
  await rename(`${path}.tmp`, path);
  return { file, ...(await digestFile(path)), heads };
}
