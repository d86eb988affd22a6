// Says where in a text a match of a pattern could still begin that the next characters would make or change: follows the pattern's
// program, as RE2 compiles it, over the end of the text.
import type { RE2JS } from 're2js';
import type { OpenFrom } from './find.ts';

/** Instructions of RE2's programs (github.com/google/re2, `prog.h`). */
const OP = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  emptyWidth: 4,
  match: 6,
  nop: 7,
  rune: 8,
  lastRune: 11,
} as const;

interface Instruction {
  readonly op: number;
  readonly out: number;
  /** The other way of an `alt`. */
  readonly arg: number;
  matchRune(rune: number): boolean;
}

interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
  /** Look-behinds. */
  readonly numLb: number;
}

/** The longest match that a stream waits for, in characters. */
export const MAX_OPEN_MATCH = 1_024;

/** Instructions times characters that one piece of a stream may cost. */
const MAX_WORK = 200_000;

export interface OpenMatch {
  /** The longest match, in characters. */
  readonly longest: number;
  /** The length of the text where no match is open at its end. */
  readonly openFrom: OpenFrom;
}

/** Undefined for a pattern whose matches have no bound or begin where a text begins, and for one that a stream would take too long to follow. */
export function followMatches(pattern: RE2JS): OpenMatch | undefined {
  const program = (pattern.re2() as unknown as { readonly prog: Program }).prog;
  if (program.numLb > 0 || program.inst.some(asksForBeginning)) return undefined;
  const longest = longestMatch(program);
  if (longest > MAX_OPEN_MATCH || longest * program.inst.length > MAX_WORK) return undefined;
  const firsts = firstsOf(program);
  return {
    longest,
    openFrom: (text, from = 0) => openFrom(program, text, windowOf(text, from, longest), firsts),
  };
}

/** A stream keeps the end of what has left, and so does not know where its text began. */
function asksForBeginning({ op, arg }: Instruction): boolean {
  return op === OP.emptyWidth && (arg & (EMPTY.beginText | EMPTY.beginLine)) !== 0;
}

/** Characters on the longest way through the program; infinite where a way leads back to itself. */
function longestMatch({ inst, start }: Program): number {
  const known = new Map<number, number>();
  function from(at: number): number {
    const before = known.get(at);
    if (before !== undefined) return before;
    // Met again before its own length is known, it is part of a loop.
    known.set(at, Number.POSITIVE_INFINITY);
    const one = inst[at];
    const length = one === undefined ? 0 : Math.max(0, ...waysOf(one).map(from)) + (isRune(one) ? 1 : 0);
    known.set(at, length);
    return length;
  }
  return from(start);
}

function isRune({ op }: Instruction): boolean {
  return op >= OP.rune && op <= OP.lastRune;
}

function waysOf(one: Instruction): readonly number[] {
  if (one.op === OP.alt || one.op === OP.altMatch) return [one.out, one.arg];
  const goesOn = isRune(one) || one.op === OP.capture || one.op === OP.emptyWidth || one.op === OP.nop;
  return goesOn ? [one.out] : [];
}

/** Threads by the instruction at which they wait, with the place where the earliest of each began. */
type Threads = Map<number, number>;

/** The code units on both sides of a place; `after` is undefined at the end of the text, where any may follow. */
interface Border {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** `from` is where the earliest match of interest could begin. */
function openFrom({ inst, start }: Program, text: string, from: number, firsts: Firsts): number {
  let threads: Threads = new Map();
  for (let at = from, end = from; at < text.length; at = end) {
    const rune = text.codePointAt(at) ?? 0;
    end = at + (rune > 0xffff ? 2 : 1);
    if (firsts(rune)) follow(start, at, threads, { before: beforeIn(text, at), after: text[at] });
    if (threads.size === 0) continue;
    const next: Threads = new Map();
    const border = { before: text[end - 1], after: text[end] };
    for (const [waiting, began] of threads) {
      const one = inst[waiting];
      if (one !== undefined && isRune(one) && one.matchRune(rune)) follow(one.out, began, next, border);
    }
    threads = next;
  }
  return Math.min(text.length, ...threads.values());

  /** Adds a thread where it comes to wait: for a character, or for what an assertion at the end of the text will say. */
  function follow(from: number, began: number, into: Threads, border: Border): void {
    const one = inst[from];
    if (one === undefined || one.op === OP.match || (into.get(from) ?? Number.POSITIVE_INFINITY) <= began)
      return;
    if (isRune(one)) {
      into.set(from, began);
      return;
    }
    if (one.op === OP.emptyWidth) {
      if (border.after === undefined) into.set(from, began);
      else if (!holds(one.arg, border)) return;
    }
    for (const way of waysOf(one)) follow(way, began, into, border);
  }
}

function beforeIn(text: string, at: number): string | undefined {
  return at === 0 ? undefined : text[at - 1];
}

/** Assertions of RE2, as bits (`empty_op.h`). */
const EMPTY = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, border: 16, noBorder: 32 } as const;
const WORD = /^\w$/;

/** Whether assertions hold between two characters. */
function holds(assertions: number, { before, after }: Border): boolean {
  const isBorder = (before !== undefined && WORD.test(before)) !== (after !== undefined && WORD.test(after));
  const failed =
    EMPTY.endText | (after === '\n' ? 0 : EMPTY.endLine) | (isBorder ? EMPTY.noBorder : EMPTY.border);
  return (assertions & failed) === 0;
}

/** Whether a match may begin with a character. */
type Firsts = (rune: number) => boolean;

/** Known for ASCII: most characters begin none. */
function firstsOf({ inst, start }: Program): Firsts {
  const waiting: Instruction[] = [];
  const seen = new Set<number>();
  const visit = (at: number): void => {
    const one = inst[at];
    if (one === undefined || seen.has(at)) return;
    seen.add(at);
    if (isRune(one)) waiting.push(one);
    else waysOf(one).forEach(visit);
  };
  visit(start);
  const known = Array.from({ length: 128 }, (_, rune) => waiting.some((one) => one.matchRune(rune)));
  return (rune) => known[rune] ?? true;
}

/** Where so many characters before the end of a text begin, or `from`. */
function windowOf(text: string, from: number, characters: number): number {
  let at = text.length;
  for (let count = 0; count < characters && at > from; count += 1)
    at -= at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
  return Math.max(at, from);
}
