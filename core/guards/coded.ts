// Finds what stands in a text in base64, in hexadecimal or with percent signs. One coding deep.
import type { Find } from './find.ts';

const MIN_LENGTH = 24;
const MAX_LENGTH = 8_192;

interface Coding {
  /** Global; a run of its characters, whole. */
  readonly pattern: RegExp;
  /** Throws, or gives no text, for a run that is none. */
  decode(run: string): string;
}

const CODINGS: readonly Coding[] = [
  {
    pattern: new RegExp(
      `(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{${MIN_LENGTH},${MAX_LENGTH}}={0,2}(?![A-Za-z0-9+/_=-])`,
      'g',
    ),
    decode: (run) => Buffer.from(run, 'base64').toString('latin1'),
  },
  {
    pattern: new RegExp(`(?<![0-9A-Za-z])[0-9A-Fa-f]{${MIN_LENGTH},${MAX_LENGTH}}(?![0-9A-Za-z])`, 'g'),
    decode: (run) => (run.length % 2 === 0 ? Buffer.from(run, 'hex').toString('latin1') : ''),
  },
  {
    pattern: new RegExp(`(?<![!-~])[!-~]{${MIN_LENGTH},${MAX_LENGTH}}(?![!-~])`, 'g'),
    decode: (run) => (run.includes('%') ? decodeURIComponent(run) : ''),
  },
];

interface Run {
  readonly start: number;
  readonly run: string;
}

/** Runs of visible characters, with every run of a coding within them. Most texts have few: it looks at the end of the shortest one first. */
function visibleRuns(text: string, from: number): readonly Run[] {
  const runs: Run[] = [];
  for (let at = from; at + MIN_LENGTH <= text.length; ) {
    let back = at + MIN_LENGTH - 1;
    while (back >= at && isVisible(text.charCodeAt(back))) back -= 1;
    if (back < at) {
      let end = at + MIN_LENGTH;
      while (end < text.length && isVisible(text.charCodeAt(end))) end += 1;
      runs.push({ start: at, run: text.slice(at, end) });
      back = end;
    }
    at = back + 1;
  }
  return runs;
}

/** ASCII without blanks. */
export function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** Without control characters: bytes that are no text have some. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const READABLE = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+$/;
/** Characters of a run that are looked at before all of it is decoded; a multiple of what each coding takes at once. */
const FIRST = 24;

/** Whole runs, since a part of one cannot be cut out; those alone in which nothing was found as they are. */
export function findCoded(
  text: string,
  from: number,
  found: readonly Find[],
  findPlain: (text: string) => readonly Find[],
): readonly Find[] {
  // With a character before, which may belong to a run that has begun.
  const first = Math.max(0, from - 1);
  return visibleRuns(text, first).flatMap(({ start: index, run: part }) =>
    CODINGS.flatMap(({ pattern, decode }) =>
      [...part.matchAll(pattern)].flatMap(({ 0: run, index: within }) => {
        const start = index + within;
        const end = start + run.length;
        if (start < from || found.some((one) => one.start < end && start < one.end)) return [];
        const plain = decodeText(run, decode);
        const [inside] = plain === undefined ? [] : findPlain(plain);
        return inside === undefined ? [] : [{ entity: inside.entity, start, end }];
      }),
    ),
  );
}

function decodeText(run: string, decode: Coding['decode']): string | undefined {
  try {
    if (!run.includes('%') && !READABLE.test(decode(run.slice(0, FIRST)))) return undefined;
    const plain = decode(run);
    return READABLE.test(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}
