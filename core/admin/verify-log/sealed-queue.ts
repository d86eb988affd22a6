// Sealed entries that wait for their stored ones, in the order in which the log is read.
import type { SealedEntry } from '../../ports/seals.ts';
import { comparePositions } from '../../ports/stored-entries.ts';

export interface QueuedEntry {
  readonly entry: SealedEntry;
  readonly sequence: number;
}

/** A queue by position. Entries come almost in order, so most are put at the end. */
export interface SealedQueue {
  put(sealed: QueuedEntry): void;
  first(): QueuedEntry | undefined;
  removeFirst(): void;
  size(): number;
}

/** Removed places are given back once they are as many as the rest. */
const MAX_REMOVED = 4_096;

export function createSealedQueue(): SealedQueue {
  let queue: QueuedEntry[] = [];
  let removed = 0;
  return {
    put(sealed) {
      let at = queue.length;
      while (at > removed && isAfter(queue[at - 1], sealed)) at -= 1;
      queue.splice(at, 0, sealed);
    },
    first: () => queue[removed],
    removeFirst() {
      removed += 1;
      if (removed < MAX_REMOVED || removed * 2 < queue.length) return;
      queue = queue.slice(removed);
      removed = 0;
    },
    size: () => queue.length - removed,
  };
}

function isAfter(one: QueuedEntry | undefined, other: QueuedEntry): boolean {
  return one !== undefined && comparePositions(one.entry, other.entry) > 0;
}
