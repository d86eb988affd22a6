// A text that checks the time while it is read: matching blocks the thread, so that no timer can end it at the deadline.

/** Reads between two checks: some 5 ms with the slowest valid pattern (measured on 26 s for 1,000,000 characters). */
const READS_PER_CHECK = 256;

/** Characters that are searched for a literal at once, in which V8 takes at most 50 ms. */
const SLICE = 65_536;

/**
 * A class that calls itself a `String`, because the engine takes nothing else for a text, and reads it only by `charCodeAt` and `indexOf`
 * (re2js 2.10). Both throw as `checkTime` does. It does not extend `String`: where any class does, V8 reads characters of all texts
 * five times as slowly from then on.
 */
export class TimedText {
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #checkTime: () => void;
  #reads = 0;

  constructor(text: string, checkTime: () => void) {
    this.length = text.length;
    this.#text = text;
    this.#checkTime = checkTime;
  }

  charCodeAt(index: number): number {
    this.#reads += 1;
    if (this.#reads % READS_PER_CHECK === 0) this.#checkTime();
    return this.#text.charCodeAt(index);
  }

  indexOf(searched: string, from = 0): number {
    const text = this.#text;
    for (let start = Math.max(0, from); start + searched.length <= text.length; start += SLICE) {
      // Each slice reaches as far into the next one as a hit that begins in it can.
      const found = text.slice(start, start + SLICE + searched.length - 1).indexOf(searched);
      if (found !== -1) return start + found;
      this.#checkTime();
    }
    return -1;
  }
}
