// Finds an operator's patterns in a text and in its view, on an engine that is linear in the text by construction (RE2).
import { compileBounded } from '../flow/pattern.ts';
import type { Find, Recognizer } from './find.ts';
import { toSource, type View, viewOf } from './view.ts';

/** Where matches stand in a text, as `[start, end]`. Empty ones are none. */
type FindSpans = (text: string) => Iterable<readonly [start: number, end: number]>;

/** The spans in the text itself, and those that only its view has. */
export function findInViews(text: string, find: FindSpans): readonly (readonly [number, number])[] {
  const spans = [...find(text)];
  const view = viewOf(text);
  if (view === undefined) return spans;
  return [...spans, ...[...find(view.text)].map(([start, end]) => spanInSource(view, start, end))];
}

function spanInSource(view: View, start: number, end: number): readonly [number, number] {
  const place = toSource(view, start, end);
  return [place.start, place.end];
}

/** Throws `PatternError` for a pattern that the engine does not take. */
export function createPatternRecognizer(
  patterns: readonly string[],
  { entity, caseSensitive }: { readonly entity: string; readonly caseSensitive: boolean },
): Recognizer {
  const compiled = patterns.map((one) => compileBounded(one, caseSensitive));
  return {
    find: (text) =>
      compiled.flatMap((pattern) =>
        findInViews(text, (one) => spansOf(pattern, one)).map(
          ([start, end]): Find => ({ entity, start, end }),
        ),
      ),
  };
}

function* spansOf(
  pattern: ReturnType<typeof compileBounded>,
  text: string,
): Generator<readonly [number, number]> {
  const matcher = pattern.matcher(text);
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) yield [start, end];
  }
}
