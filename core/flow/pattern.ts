// Patterns of conditions, on an engine that is linear in the text by construction (RE2): no text can make a pattern slow.
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { Condition } from '../settings/flow-schema.ts';
import type { TimedText } from './timed-text.ts';

/** True when a text matches. Throws as the text does when the deadline has passed. */
export type Matches = (text: TimedText) => boolean;

type PatternSettings = Pick<Condition, 'match' | 'caseSensitive'>;

/**
 * Instructions of a compiled pattern: the time for a text is at most proportional to their number times its length. Most patterns take
 * 10 to 50 ms for 1,000,000 characters; one made to be slow took 26 s, and the deadline ends it like any other.
 */
const MAX_INSTRUCTIONS = 1_500;

/** No letter, digit or underscore of any script stands on either side of a whole word. */
const WORD_BEGINS = '(?:^|[^\\p{L}\\p{M}\\p{N}_])';
const WORD_ENDS = '(?:$|[^\\p{L}\\p{M}\\p{N}_])';

/** Thrown for an invalid pattern. A class, to distinguish it from a defect; the message ends a sentence about the pattern. */
export class PatternError extends Error {}

/** Compiles one pattern. Throws `PatternError`. */
export function compilePattern(pattern: string, { match, caseSensitive }: PatternSettings): Matches {
  if (match === 'substring' && caseSensitive) return (text) => text.indexOf(pattern) !== -1;
  const compiled = compileBounded(sourceOf(pattern, match), caseSensitive);
  // The type does not allow objects of `String`, which the engine takes like texts.
  return (text) => compiled.test(text as unknown as string);
}

function sourceOf(pattern: string, match: Condition['match']): string {
  if (match === 'regex') return pattern;
  const literal = RE2JS.quote(pattern);
  return match === 'word' ? WORD_BEGINS + literal + WORD_ENDS : literal;
}

/** A pattern of the engine. Throws `PatternError`. */
export function compileBounded(source: string, caseSensitive: boolean): RE2JS {
  const compiled = compile(source, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  if (compiled.programSize() <= MAX_INSTRUCTIONS) return compiled;
  throw new PatternError(
    'is too large once its repetitions are written out; use smaller counts or several patterns',
  );
}

function compile(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (thrown) {
    if (!(thrown instanceof RE2JSSyntaxException)) throw thrown;
    throw new PatternError(
      `is not a pattern that RE2 takes (${thrown.message}); RE2 has no look-around and no backreferences`,
    );
  }
}
