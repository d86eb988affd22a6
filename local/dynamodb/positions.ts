// Keeps how far each event source mapping has read, so that the next run continues there.

import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../data-folder/write-file.ts';
import { localFailure } from '../failure.ts';

/** The last sequence numbers that mappings have finished. */
export interface Positions {
  get(mapping: string, stream: string, shard: string): string | undefined;
  /** Is on disk when this returns. */
  set(mapping: string, stream: string, shard: string, sequenceNumber: string): void;
}

interface StoredPosition {
  readonly stream: string;
  readonly shards: Record<string, string>;
}

/**
 * Opens the file, which need not exist. A stream that was switched off and on again is another one and is read from its start.
 * @throws LocalFailure `DATA_FOLDER_UNREADABLE`
 */
export function openPositions(path: string): Positions {
  const stored = new Map<string, StoredPosition>(Object.entries(read(path)));
  return {
    get: (mapping, stream, shard) => {
      const found = stored.get(mapping);
      return found?.stream === stream ? found.shards[shard] : undefined;
    },
    set: (mapping, stream, shard, sequenceNumber) => {
      const found = stored.get(mapping);
      const shards = found?.stream === stream ? found.shards : {};
      stored.set(mapping, { stream, shards: { ...shards, [shard]: sequenceNumber } });
      writeFileAtomically(path, JSON.stringify(Object.fromEntries(stored)));
    },
  };
}

function read(path: string): Record<string, StoredPosition> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, StoredPosition>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw localFailure(
      'DATA_FOLDER_UNREADABLE',
      `${path} cannot be read. Delete it: streams are then read from their start.`,
      error,
    );
  }
}
