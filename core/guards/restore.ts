// Puts masked values back into what its caller gets, but never into an address: from there a browser would carry them away.
import type { RestorePlace } from './find.ts';
import { OPEN_PLACEHOLDER, PLACEHOLDER, type Placeholders } from './placeholders.ts';

/** Characters before a placeholder that say whether it is in an address. */
const ADDRESS_CONTEXT = 2_048;

/** The end of a line within a URL, the target of a link or image of Markdown (CommonMark 6.3), or an attribute of HTML. */
const IN_ADDRESS: readonly RegExp[] = [
  /(?:\/\/|\bwww\.|\]\(|\]:\s*|\b(?:src|href|srcset|action|url)\s*[=(]\s*)\S*$/i,
  /<[^<>\n]*\/\/[^<>\n]*$/,
  /\]\(\s*<[^<>\n]*$/,
  /\b(?:src|href|srcset|action)\s*=\s*(?:"[^"\n]*|'[^'\n]*)$/i,
];

/** `before` ends where the placeholder begins. */
function isInAddress(before: string): boolean {
  const line = before.slice(Math.max(before.lastIndexOf('\n') + 1, before.length - ADDRESS_CONTEXT));
  return IN_ADDRESS.some((pattern) => pattern.test(line));
}

interface Restored {
  readonly placeholders: Placeholders;
  /** Values that do not come back there stay away; without it none does. */
  readonly where?: RestorePlace;
}

/** A text with the values of this request in the place of their placeholders. */
export function restoreText(text: string, { placeholders, where }: Restored, before = ''): string {
  if (!text.includes('[')) return text;
  return text.replace(PLACEHOLDER, (written: string, name: string, at: number) => {
    const value = placeholders.valueOf(name, where);
    return value === undefined || isInAddress(before + text.slice(0, at)) ? written : value;
  });
}

/** The same for a text that comes in pieces: only what may be the beginning of a placeholder waits. */
export interface TextRestorer {
  push(piece: string): string;
  end(): string;
}

export function createRestorer(restored: Restored): TextRestorer {
  /** The text that has left, as it came. */
  let before = '';
  let held = '';
  function release(until: number): string {
    const leaving = held.slice(0, until);
    held = held.slice(until);
    const text = restoreText(leaving, restored, before);
    before = (before + leaving).slice(-ADDRESS_CONTEXT);
    return text;
  }
  return {
    push(piece) {
      held += piece;
      const open = OPEN_PLACEHOLDER.exec(held.slice(-LONGEST));
      return release(open === null ? held.length : held.length - open[0].length);
    },
    end: () => release(held.length),
  };
}

/** The longest placeholder, with its brackets. */
const LONGEST = 104;
