// Keeps the connection of a stream whose answer is whole: what is left of its body is the end of its framing, as a rule.
import type { OpenAnswer } from '../../http/message.ts';

const MAX_BYTES = 16 * 1024;
const MAX_MS = 1_000;

/** Reads the rest by itself; closes the connection where the rest is long, or does not come. */
export function drain(rest: AsyncIterator<Uint8Array>, answer: Pick<OpenAnswer, 'close'>): void {
  const late = setTimeout(() => answer.close(), MAX_MS);
  void readRest(rest)
    // The answer is whole, so it does not matter how the connection ends.
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(late);
      answer.close();
    });
}

async function readRest(rest: AsyncIterator<Uint8Array>): Promise<void> {
  let bytes = 0;
  while (bytes <= MAX_BYTES) {
    const chunk = await rest.next();
    if (chunk.done === true) return;
    bytes += chunk.value.byteLength;
  }
}
