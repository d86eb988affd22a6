// The functions' log lines in memory.
import type { LineReader } from '../../../core/ports/line-reader.ts';

/** Lines by group, each with its time. */
type MemoryLineGroups = Readonly<Record<string, readonly (readonly [timeMs: number, line: string])[]>>;

export function createMemoryLineReader(groups: MemoryLineGroups): LineReader {
  return {
    async *read(group, fromMs, toMs) {
      for (const [timeMs, line] of groups[group] ?? []) if (timeMs >= fromMs && timeMs < toMs) yield line;
    },
  };
}
