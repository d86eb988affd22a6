// The part of an export that can be interrupted: entries as JSON lines in a file, with a checkpoint beside it.
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { StoredEntry, StoredPosition, StoredType } from '../../../core/ports/stored-entries.ts';
import { CommandFailure } from '../../output/failure.ts';
import { renderLine, toExportedEntry } from './exported-entry.ts';

/** What is exported. An export that is continued must ask for the same. */
export interface ExportRequest {
  readonly table: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly format: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** How far an export has come. */
export interface Checkpoint {
  readonly version: 1;
  readonly request: ExportRequest;
  /** When it was begun. Entries that had expired by then are left out, so that an interruption changes nothing. */
  readonly startedMs: number;
  /** The last entry that is in the file; absent before the first. */
  readonly position?: StoredPosition;
  readonly counts: Readonly<Record<StoredType, number>>;
  /** The length of the file up to there. */
  readonly bytes: number;
  /** True when every entry is in the file. */
  readonly isComplete: boolean;
}

/** Where an export keeps what it works with: all beside the file that it makes. */
export function pathsOf(out: string) {
  return {
    out,
    part: `${out}.part`,
    checkpoint: `${out}.checkpoint`,
    seals: `${out}.seals.jsonl`,
    manifest: `${out}.manifest.json`,
  };
}

/** After so many bytes or entries the checkpoint is moved on. */
const CHECKPOINT_BYTES = 4 * 1_048_576;
const CHECKPOINT_ENTRIES = 5_000;

/** The checkpoint of an export that was interrupted; undefined where there is none. Throws `CommandFailure` for one that cannot be read. */
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

/** Written whole under another name first: a kill leaves the one before it. */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  await writeFile(`${path}.tmp`, `${JSON.stringify(checkpoint)}\n`, { flush: true });
  await rename(`${path}.tmp`, path);
}

/** What the spool reads from and reports to. */
interface SpoolSource {
  readonly entries: (after: StoredPosition | undefined) => AsyncIterable<StoredEntry>;
  readonly onCheckpoint: (checkpoint: Checkpoint) => void;
}

/** Appends every entry after the checkpoint, and answers with the checkpoint of the complete file. */
export async function fillSpool(
  paths: ReturnType<typeof pathsOf>,
  begun: Checkpoint,
  { entries, onCheckpoint }: SpoolSource,
): Promise<Checkpoint> {
  const file = await openAt(paths.part, begun.bytes);
  try {
    let at = begun;
    let pending: string[] = [];
    let pendingBytes = 0;
    let position = at.position;
    const counts = { ...at.counts };
    const save = async (isComplete: boolean) => {
      await append(file, pending, at.bytes, paths.part);
      const bytes = at.bytes + pendingBytes;
      at = {
        ...at,
        ...(position === undefined ? {} : { position }),
        counts: { ...counts },
        bytes,
        isComplete,
      };
      await writeCheckpoint(paths.checkpoint, at);
      pending = [];
      pendingBytes = 0;
      onCheckpoint(at);
    };
    for await (const entry of entries(begun.position)) {
      const line = `${renderLine(toExportedEntry(entry))}\n`;
      pending.push(line);
      pendingBytes += Buffer.byteLength(line);
      counts[entry.type] += 1;
      position = { sk: entry.sk, pk: entry.pk };
      if (pendingBytes >= CHECKPOINT_BYTES || pending.length >= CHECKPOINT_ENTRIES) await save(false);
    }
    await save(true);
    return at;
  } finally {
    await file.close();
  }
}

/** Cuts off what was written after the checkpoint. */
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
  const file = await open(path, size === 0 ? 'w' : 'r+');
  await file.truncate(bytes);
  return file;
}

/** Throws where another process writes to the file: its lines and ours would be mixed. */
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

/** Deletes what an export worked with. The checkpoint goes last, so that a kill in between is made good by running the command again. */
export async function clearSpool({ part, checkpoint }: ReturnType<typeof pathsOf>): Promise<void> {
  await rm(part, { force: true });
  await rm(`${checkpoint}.tmp`, { force: true });
  await rm(checkpoint, { force: true });
}
