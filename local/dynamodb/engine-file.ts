// The SQLite file that dynoxide keeps its tables in: where it is, and an index that dynoxide does not make.

import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the tables of one run are. */
interface EngineFile {
  /** Undefined for the memory of the process itself. */
  readonly path: string | undefined;
  /** To be called once the engine has opened it. Rejects where the index cannot be added. */
  opened(): Promise<void>;
  /** To be called when the engine did not start. */
  discard(): void;
}

/** A file system in memory, which Linux mounts for all programs (shm_overview(7)). */
const MEMORY_FOLDER = '/dev/shm';
/** statfs(2), `TMPFS_MAGIC`. */
const TMPFS = 0x01021994;
/** Containers often have 64 MiB there, which a run would fill. */
const LEAST_MEMORY_BYTES = 2 ** 30;

// Of each change of a table with a stream, dynoxide 1.2.1 asks for the stream's largest sequence number, and of each read for
// what follows one. Without an index, SQLite reads all records of all streams for each of them, images included.
const INDEX = `CREATE INDEX IF NOT EXISTS _stream_records_by_sequence
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)`;
/** How long another program may hold the file, for example one that looks into it. */
const LONGEST_LOCK_MS = 5_000;

/** The file in a data folder. */
export function keptFile(dataFolder: string): EngineFile {
  const path = join(dataFolder, 'dynamodb.sqlite');
  return { path, opened: () => addIndex(path), discard: () => undefined };
}

/**
 * A file in memory that nobody else can open: its name is gone as soon as the engine has it, so that the kernel frees it
 * however the engine ends. Where a machine has too little room for one, or lets nobody write there, the engine's own memory: nothing
 * can add an index there.
 */
export function fileInMemory(folder = MEMORY_FOLDER): EngineFile {
  const own = {
    path: undefined,
    opened: () => Promise.reject(new Error(`no file of 1 GiB can be made in ${folder}`)),
    discard: () => undefined,
  };
  const made = hasRoom(folder) ? makeFolder(folder) : undefined;
  if (made === undefined) return own;
  const path = join(made, 'dynamodb.sqlite');
  const discard = () => rmSync(made, { recursive: true, force: true });
  return { path, opened: () => addIndex(path).finally(discard), discard };
}

function hasRoom(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === TMPFS && bavail * bsize >= LEAST_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** Undefined where this user may not write, as where a container is read-only. */
function makeFolder(folder: string): string | undefined {
  try {
    return mkdtempSync(join(folder, 'local-run-'));
  } catch {
    return undefined;
  }
}

async function addIndex(path: string): Promise<void> {
  // Loaded here: a run with another engine has no need of it.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path, { timeout: LONGEST_LOCK_MS });
  try {
    database.exec(INDEX);
  } finally {
    database.close();
  }
}
