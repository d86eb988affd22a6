// Standard output as a list.
import type { LineSink } from '../../../core/ports/platform.ts';

/** A sink that keeps what was written. */
interface MemoryLines extends LineSink {
  readonly lines: readonly string[];
}

export function createMemoryLines(): MemoryLines {
  const lines: string[] = [];
  return { lines, write: (line) => void lines.push(line) };
}
