// Finds an operator's patterns in a text and in its view, on an engine that is linear in the text by construction (RE2).
import type { RE2JS } from 're2js';
import { compileBounded } from '../flow/pattern.ts';
import type { Find, Recognizer } from './find.ts';
import { followMatches, type OpenMatch } from './open-match.ts';
import { isAscii, toSource, type View, viewOf } from './view.ts';

export interface PatternOptions {
  readonly entity: string;
  readonly caseSensitive: boolean;
  /** Global, for each pattern: every match has one of it within. They are looked for first, since they are quick. */
  readonly signs?: readonly RegExp[];
}

interface Compiled {
  readonly pattern: RE2JS;
  readonly sign: RegExp | undefined;
}

/** Throws `PatternError` for a pattern that the engine does not take. */
export function createPatternRecognizer(
  patterns: readonly string[],
  { entity, caseSensitive, signs }: PatternOptions,
): Recognizer {
  const compiled = patterns.map((one, index): Compiled => {
    return { pattern: compileBounded(one, caseSensitive), sign: signs?.[index] };
  });
  const followed = compiled.flatMap(({ pattern }) => followMatches(pattern) ?? []);
  return {
    find: (text, from = 0) =>
      findInViews(compiled, text, from).map(([start, end]): Find => ({ entity, start, end })),
    ...(followed.length < compiled.length
      ? {}
      : { openFrom: (text: string, from = 0) => openInViews(followed, text, from) }),
  };
}

type Span = readonly [start: number, end: number];

/** The spans in the text itself, and those in its view. */
function findInViews(patterns: readonly Compiled[], text: string, from: number): readonly Span[] {
  const spans = patterns.flatMap((one) => spansOf(one, text, from));
  if (isAscii(text, from - 1)) return spans;
  const { view, base, first } = viewFrom(text, from, false);
  if (view === undefined) return spans;
  const inView = patterns.flatMap((one) => spansOf(one, view.text, first));
  return [
    ...spans,
    ...inView.map(([begin, last]) => {
      const [start, end] = toSource(view, begin, last);
      return [start + base, end + base] as const;
    }),
  ];
}

/** From a place on; empty ones are none. */
function spansOf({ pattern, sign }: Compiled, text: string, from: number): readonly Span[] {
  if (sign !== undefined) {
    sign.lastIndex = from;
    if (!sign.test(text)) return [];
  }
  // Assertions look at one character before the place.
  const base = Math.max(0, from - 2);
  const matcher = pattern.matcher(base === 0 ? text : text.slice(base));
  const spans: Span[] = [];
  for (let isFound = matcher.find(from - base); isFound; isFound = matcher.find()) {
    const [start, end] = [matcher.start() + base, matcher.end() + base];
    if (end > start) spans.push([start, end]);
  }
  return spans;
}

/** The last word may come to mix alphabets, which gives it another view. */
function openInViews(patterns: readonly OpenMatch[], text: string, from: number): number {
  const opens = patterns.map((one) => one.openFrom(text, from));
  if (isAscii(text, from - 1)) return Math.min(...opens);
  for (const isLastMixed of [false, true]) {
    const { view, base, first } = viewFrom(text, from, isLastMixed);
    if (view === undefined) continue;
    for (const one of patterns)
      opens.push((view.starts[one.openFrom(view.text, first)] ?? text.length - base) + base);
  }
  return Math.min(...opens);
}

/** The view of the end of a text; `first` is the place of `from` in it. */
interface LateView {
  readonly view: View | undefined;
  /** Where its source begins. */
  readonly base: number;
  readonly first: number;
}

/** With the word in which `from` stands, and a character before it that is seen: they decide how it is read. */
function viewFrom(text: string, from: number, isLastMixed: boolean): LateView {
  for (let base = wordBefore(text, from); ; base = wordBefore(text, base - 1)) {
    const view = viewOf(text.slice(base), isLastMixed);
    const first = view === undefined ? from - base : indexAt(view, from - base);
    if (first > 0 || base === 0) return { view, base, first };
  }
}

/** The first place of a view that stands at a place of its source, or after it. */
function indexAt({ starts, text }: View, place: number): number {
  const index = starts.findIndex((start) => start >= place);
  return index === -1 ? text.length : index;
}

/** The longest part of a word that is looked back to for its alphabets. */
const MAX_WORD = 64;

/** Where the word begins in which a place stands. */
function wordBefore(text: string, place: number): number {
  const before = text.slice(Math.max(0, place - MAX_WORD), place);
  return place - (/[^\p{Zs}\s\p{P}]*$/u.exec(before)?.[0].length ?? 0);
}
