// Writes lines to standard output without a buffer: the operating system has a line before the answer leaves.
import { writeSync } from 'node:fs';
import type { LineSink } from '../../core/ports/platform.ts';

/** Writes bytes from an offset on and returns how many; may throw `EAGAIN` when a pipe is full. */
type WriteBytes = (bytes: Uint8Array, offset: number) => number;

const STDOUT = 1;
/** Milliseconds to wait for a reader that takes nothing. */
const MAX_PAUSES = 2_000;

/** Not `console.log`, which may hold lines back while a pipe is full; a process that is killed loses them. */
export const standardOutput: LineSink = createLineSink((bytes, offset) => writeSync(STDOUT, bytes, offset));

/** Writes each line whole, in as many pieces as it takes. Throws what `write` throws, and `EAGAIN` after `MAX_PAUSES`. */
export function createLineSink(write: WriteBytes, pause: () => void = sleepOneMs): LineSink {
  return {
    write(line) {
      const bytes = new TextEncoder().encode(`${line}\n`);
      let written = 0;
      let pauses = 0;
      while (written < bytes.byteLength) {
        try {
          written += write(bytes, written);
          pauses = 0;
        } catch (thrown) {
          if (!isPipeFull(thrown) || pauses === MAX_PAUSES) throw thrown;
          pauses += 1;
          pause();
        }
      }
    },
  };
}

function isPipeFull(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EAGAIN';
}

/** Blocks the thread: otherwise the answer could leave before its line. */
function sleepOneMs(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
