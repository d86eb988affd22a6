// The SQLite file in which dynoxide keeps its tables, and an index that dynoxide lacks.

import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

interface EngineFile {
  /** Undefined for the memory of dynoxide itself. */
  readonly path: string | undefined;
  /** To be called once the engine has opened it: adds the index. */
  opened(): Promise<void>;
  /** To be called if the engine did not start. */
  discard(): void;
}

/** A file system in memory, which Linux mounts for all programs (shm_overview(7)). */
const MEMORY_FOLDER = '/dev/shm';
/** statfs(2), `TMPFS_MAGIC`. */
const TMPFS = 0x01021994;
/** Containers often have 64 MiB, which a run would fill. */
const MIN_MEMORY_BYTES = 2 ** 30;

// With each change, dynoxide 1.2.1 looks for the stream's largest sequence number, and with each read for the ones after another.
// Without an index, SQLite reads all records of all streams for that.
const INDEX = `CREATE INDEX IF NOT EXISTS _stream_records_by_sequence
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)`;
/** Wait for another program that has locked the file. */
const LOCK_TIMEOUT_MS = 5_000;

export function fileIn(dataFolder: string): EngineFile {
  const path = join(dataFolder, 'dynamodb.sqlite');
  return { path, opened: () => addIndex(path), discard: () => undefined };
}

/**
 * A file in memory that nobody else can open: its name is removed once the engine has opened it, so that the kernel frees it with the
 * engine's end. Without room for one, the engine keeps the tables in its own memory, where no index can be added.
 */
export function fileInMemory(folder = MEMORY_FOLDER): EngineFile {
  const ownMemory = {
    path: undefined,
    opened: () => Promise.reject(new Error(`no file of 1 GiB can be made in ${folder}`)),
    discard: () => undefined,
  };
  const made = hasRoom(folder) ? makeFolder(folder) : undefined;
  if (made === undefined) return ownMemory;
  const path = join(made, 'dynamodb.sqlite');
  const discard = () => rmSync(made, { recursive: true, force: true });
  return { path, opened: () => addIndex(path).finally(discard), discard };
}

function hasRoom(folder: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === TMPFS && bavail * bsize >= MIN_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** Undefined where this user may not write, such as in a read-only container. */
function makeFolder(folder: string): string | undefined {
  try {
    return mkdtempSync(join(folder, 'local-run-'));
  } catch {
    return undefined;
  }
}

async function addIndex(path: string): Promise<void> {
  // Loaded here, since other engines do not need it.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    database.exec(INDEX);
  } finally {
    database.close();
  }
}
