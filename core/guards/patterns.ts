// Finds an operator's patterns in a text, on an engine that is linear in the text by construction (RE2).
import type { RE2JS } from 're2js';
import { compileBounded } from '../flow/pattern.ts';
import type { Find, Recognizer } from './find.ts';
import { followMatches } from './open-match.ts';

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
      compiled.flatMap((one) =>
        spansOf(one, text, from).map(([start, end]): Find => ({ entity, start, end })),
      ),
    ...(followed.length < compiled.length
      ? {}
      : {
          openFrom: (text: string, from = 0) => Math.min(...followed.map((one) => one.openFrom(text, from))),
        }),
  };
}

type Span = readonly [start: number, end: number];

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
