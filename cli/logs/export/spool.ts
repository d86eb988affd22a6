// The part of an export that can be interrupted: entries as JSON lines in a file, with a checkpoint beside it.
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { StoredEntry, StoredPosition, StoredType } from '../../../core/ports/stored-entries.ts';
import { CommandFailure } from '../../output/failure.ts';
import { renderLine, toExportedEntry } from './exported-entry.ts';
import { OWNER_ONLY } from './manifest.ts';

/** The exported range. An interrupted export is continued only with an equal request. */
export interface ExportRequest {
  readonly table: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly format: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Checkpoint {
  readonly version: 1;
  readonly request: ExportRequest;
  /** Start of the export. Entries that had expired by then are left out, so that an interruption changes nothing. */
  readonly startedMs: number;
  /** Position of the last entry in the file; absent before the first. */
  readonly position?: StoredPosition;
  readonly counts: Readonly<Record<StoredType, number>>;
  /** Length of the file up to that entry. */
  readonly bytes: number;
  /** True when every entry is in the file. */
  readonly isComplete: boolean;
}

/** Files of an export, beside the one that it writes. */
export type ExportPaths = ReturnType<typeof toExportPaths>;

export function toExportPaths(out: string) {
  return {
    out,
    part: `${out}.part`,
    checkpoint: `${out}.checkpoint`,
    seals: `${out}.seals.jsonl`,
    manifest: `${out}.manifest.json`,
  };
}

/** A checkpoint is written after this many bytes or entries. */
const CHECKPOINT_BYTES = 4 * 1_048_576;
const CHECKPOINT_ENTRIES = 5_000;

/** The checkpoint of an interrupted export, if there is one. Throws `CommandFailure` for a file that is no checkpoint. */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const checkpoint = parseCheckpoint(text);
  if (checkpoint === undefined)
    throw new CommandFailure({
      what: `${path} is not a checkpoint of this command.`,
      remedy: 'Delete it to begin again, or pass another --out.',
    });
  return checkpoint;
}

function parseCheckpoint(text: string): Checkpoint | undefined {
  try {
    const value = JSON.parse(text) as Checkpoint | null;
    return value?.version === 1 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file at once, so that a kill leaves the checkpoint before it. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  await rm(`${path}.tmp`, { force: true });
  await writeFile(`${path}.tmp`, `${JSON.stringify(checkpoint)}\n`, { flush: true, mode: OWNER_ONLY });
  await rename(`${path}.tmp`, path);
}

interface SpoolSource {
  readonly entries: (after: StoredPosition | undefined) => AsyncIterable<StoredEntry>;
  readonly onCheckpoint: (checkpoint: Checkpoint) => void;
}

/** Appends every entry after the checkpoint, and returns the checkpoint of the complete file. */
export async function fillSpool(
  paths: ExportPaths,
  start: Checkpoint,
  { entries, onCheckpoint }: SpoolSource,
): Promise<Checkpoint> {
  const file = await openAt(paths.part, start.bytes);
  try {
    let current = start;
    let pending: string[] = [];
    let pendingBytes = 0;
    let position = current.position;
    const counts = { ...current.counts };
    const save = async (isComplete: boolean) => {
      await append(file, pending, current.bytes, paths.part);
      const bytes = current.bytes + pendingBytes;
      current = {
        ...current,
        ...(position === undefined ? {} : { position }),
        counts: { ...counts },
        bytes,
        isComplete,
      };
      await writeCheckpoint(paths.checkpoint, current);
      pending = [];
      pendingBytes = 0;
      onCheckpoint(current);
    };
    for await (const entry of entries(start.position)) {
      const line = `${renderLine(toExportedEntry(entry))}\n`;
      pending.push(line);
      pendingBytes += Buffer.byteLength(line);
      counts[entry.type] += 1;
      position = { sk: entry.sk, pk: entry.pk };
      if (pendingBytes >= CHECKPOINT_BYTES || pending.length >= CHECKPOINT_ENTRIES) await save(false);
    }
    await save(true);
    return current;
  } finally {
    await file.close();
  }
}

/** Cuts off bytes that were written after the checkpoint. */
async function openAt(path: string, bytes: number): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < bytes)
    throw new CommandFailure({
      what: `${path} is shorter than its checkpoint says.`,
      remedy: `Delete ${path} and its checkpoint to begin again.`,
    });
  const file = await open(path, size === 0 ? 'w' : 'r+', OWNER_ONLY);
  // A file that was there already keeps its mode.
  await file.chmod(OWNER_ONLY);
  await file.truncate(bytes);
  return file;
}

/** Throws where another process writes to the file, since lines of both would be mixed. */
async function append(file: FileHandle, lines: readonly string[], at: number, path: string): Promise<void> {
  const { size } = await file.stat();
  if (size !== at)
    throw new CommandFailure({
      what: `Something else writes to ${path}.`,
      remedy: 'Wait until the other export has ended.',
    });
  const data = Buffer.from(lines.join(''));
  for (let written = 0; written < data.length; ) {
    const { bytesWritten } = await file.write(data, written, data.length - written, at + written);
    written += bytesWritten;
  }
  await file.datasync();
}

/** Deletes the files that a finished export no longer needs. The checkpoint goes last, so that the command can be run again after a kill. */
export async function clearSpool({ part, checkpoint }: ExportPaths): Promise<void> {
  await rm(part, { force: true });
  await rm(`${checkpoint}.tmp`, { force: true });
  await rm(checkpoint, { force: true });
}
