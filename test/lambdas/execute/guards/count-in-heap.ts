// Counts texts in the heap of this process, as a snapshot of V8 has it.
import { Buffer } from 'node:buffer';
import { getHeapSnapshot } from 'node:v8';

export const decode = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString();

/** In base64, so that what is looked for is not there by itself; at most 64 characters each. */
export async function countInHeap(encoded: readonly string[]): Promise<readonly number[]> {
  globalThis.gc?.();
  const snapshot = getHeapSnapshot();
  // After it was taken, or it would have what is looked for.
  const parts = encoded.map(decode);
  const counts = parts.map(() => 0);
  let rest = '';
  for await (const chunk of snapshot) {
    const text = rest + String(chunk);
    for (const [index, part] of parts.entries()) {
      // What the end of the last chunk had whole was counted there.
      const from = Math.max(0, rest.length - part.length + 1);
      counts[index] = (counts[index] ?? 0) + text.slice(from).split(part).length - 1;
    }
    rest = text.slice(-64);
  }
  return counts;
}
