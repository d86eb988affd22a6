// Standard output, a line at a time and at once: a line is with the operating system before the answer leaves.
import { writeSync } from 'node:fs';
import type { LineSink } from '../../core/ports/platform.ts';

/** Writes bytes from an offset on and says how many it took; may throw `EAGAIN` when a pipe is full. */
type WriteBytes = (bytes: Uint8Array, offset: number) => number;

/** `console.log` may hold lines back while a pipe is full; a process that is killed then loses them. */
const STANDARD_OUTPUT = 1;
/** How long a reader that takes nothing is waited for, in steps of a millisecond. */
const MAX_PAUSES = 2_000;

export const standardOutput: LineSink = createLineSink((bytes, offset) =>
  writeSync(STANDARD_OUTPUT, bytes, offset),
);

/** Writes each line whole, in as many pieces as it takes. Throws what writing throws, and `EAGAIN` after `MAX_PAUSES`. */
export function createLineSink(write: WriteBytes, pause: () => void = pauseAMillisecond): LineSink {
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

/** Blocks the thread: anything that let other work run would let the answer leave before its line. */
function pauseAMillisecond(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
