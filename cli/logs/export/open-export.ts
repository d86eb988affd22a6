// Opens an export by its manifest, so that it can be verified like the log, even years later and without the tables.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseHead } from '../../../core/logs/seals/seal.ts';
import type { SealHead, StoredSeal } from '../../../core/ports/seals.ts';
import {
  comparePositions,
  type StoredEntry,
  type StoredPosition,
} from '../../../core/ports/stored-entries.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { ExportedSeal } from './export-seals.ts';
import { toStoredRecord } from './exported-entry.ts';
import { digestFile, type ExportManifest } from './manifest.ts';
import { readEntries } from './read-entries.ts';
import { linesOfFile } from './read-spool.ts';

export interface OpenExport {
  readonly manifest: ExportManifest;
  /** Names of files that differ from the manifest: they were changed, or the copy is incomplete. */
  findChangedFiles(): Promise<readonly string[]>;
  /** Every exported entry, by position. */
  entries(): AsyncIterable<StoredEntry>;
  /** The entry at a position. Reads the file from its start. */
  find(position: StoredPosition): Promise<StoredEntry['record'] | undefined>;
  /** The exported links of a chain, in order. */
  seals(chain: string): AsyncIterable<StoredSeal>;
  /** The newest exported seal. */
  head(chain: string): Pick<SealHead, 'sequence' | 'hash'> | undefined;
}

/** Throws `CommandFailure` for a file that is no manifest. */
export async function openExport(path: string): Promise<OpenExport> {
  const manifest = await readManifest(path);
  const folder = dirname(path);
  const data = join(folder, manifest.file);
  const seals = join(folder, manifest.seals.file);
  async function* entries(): AsyncGenerator<StoredEntry> {
    for await (const entry of readEntries(data, manifest.format)) {
      const record = toStoredRecord(entry);
      yield { type: entry.type, pk: String(record['pk']), sk: String(record['sk']), record };
    }
  }
  return {
    manifest,
    entries,
    async findChangedFiles() {
      const described = [manifest, manifest.seals];
      const digests = await Promise.all([data, seals].map(digestFile));
      return described.filter(({ sha256 }, at) => digests[at]?.sha256 !== sha256).map(({ file }) => file);
    },
    async find(position) {
      for await (const entry of entries()) if (comparePositions(entry, position) === 0) return entry.record;
      return undefined;
    },
    async *seals(chain) {
      for await (const line of linesOfFile(seals)) {
        const { sequence, seal, chain: own } = JSON.parse(line) as ExportedSeal;
        if (own === chain) yield { sequence, seal: seal ?? undefined };
      }
    },
    head(chain) {
      return parseHead(manifest.seals.heads[chain] ?? '');
    },
  };
}

async function readManifest(path: string): Promise<ExportManifest> {
  const manifest = await readFile(path, 'utf8')
    .then(
      (text) => JSON.parse(text) as Partial<ExportManifest> | null,
      (cause: unknown) => {
        throw new CommandFailure({ what: `${path} cannot be read.` }, { cause });
      },
    )
    .catch((error: unknown) => {
      if (error instanceof SyntaxError) return null;
      throw error;
    });
  if (
    manifest?.version !== 1 ||
    typeof manifest.file !== 'string' ||
    typeof manifest.seals?.file !== 'string'
  )
    throw new CommandFailure({
      what: `${path} is not the manifest of an export.`,
      remedy: 'Pass the file whose name ends in .manifest.json, which `neuron logs export` wrote.',
    });
  return manifest as ExportManifest;
}
