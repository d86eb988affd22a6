// Looks for something in a text and in its view: a number with unseen characters within it, or in full-width digits, is that number.
import { type Find, LOOK_BEHIND, type Recognizer } from './find.ts';
import { countSeen, isAscii, toSource, type View, viewOf } from './view.ts';

/** Finds of each recognizer that begin at `from` or after it; the same one may be there twice. */
export function findInViews(recognizers: readonly Recognizer[], text: string, from = 0): readonly Find[] {
  const finds = findAll(recognizers, text, from);
  const { view, base, first } = viewBehind(text, from, false);
  if (view === undefined) return finds;
  const inView = findAll(recognizers, view.text, first).map(({ entity, start, end }) => {
    const [begin, last] = toSource(view, start, end);
    return { entity, start: begin + base, end: last + base };
  });
  return [...finds, ...inView];
}

/** Undefined where a find could begin anywhere. */
export function openFromOf(recognizers: readonly Recognizer[]): Recognizer['openFrom'] {
  const opens = recognizers.flatMap(({ openFrom }) => openFrom ?? []);
  if (opens.length < recognizers.length) return undefined;
  const earliest = (text: string, from: number) =>
    Math.min(text.length, ...opens.map((one) => one(text, from)));
  return (text, from = 0) => {
    const inText = earliest(text, from);
    if (isAscii(text, behind(text, from))) return inText;
    // The last word may come to mix alphabets, which gives it another view.
    const inViews = [false, true].map((isLastMixed) => {
      const { view, base, first } = viewBehind(text, from, isLastMixed);
      if (view === undefined) return text.length;
      const open = earliest(view.text, first);
      return open === view.text.length ? text.length : view.startOf(open) + base;
    });
    return Math.min(inText, ...inViews);
  };
}

function findAll(recognizers: readonly Recognizer[], text: string, from: number): readonly Find[] {
  const rest = from === 0 ? text : text.slice(from);
  return recognizers.flatMap((one) =>
    one.sign === undefined || one.sign.test(rest) ? one.find(text, from) : [],
  );
}

/** The view of the end of a text; `first` is the place of `from` in it. */
interface LateView {
  readonly view: View | undefined;
  /** Where its source begins. */
  readonly base: number;
  readonly first: number;
}

function viewBehind(text: string, from: number, isLastMixed: boolean): LateView {
  const base = behind(text, from);
  const view = isAscii(text, base) ? undefined : viewOf(base === 0 ? text : text.slice(base), isLastMixed);
  return { view, base, first: view === undefined ? from - base : view.indexOf(from - base) };
}

/** Where the part begins that finds from a place on may read: with `LOOK_BEHIND` characters that are seen, and the word they begin in. */
export function behind(text: string, place: number): number {
  let base = place;
  for (let missing = LOOK_BEHIND; missing > 0 && base > 0; ) {
    const next = Math.max(0, base - missing);
    missing -= countSeen(text.slice(next, base));
    base = next;
  }
  return wordBefore(text, base);
}

/** The longest part of a word that is looked back to for its alphabets. */
const MAX_WORD = 64;

/** Where the word begins in which a place stands. */
function wordBefore(text: string, place: number): number {
  const before = text.slice(Math.max(0, place - MAX_WORD), place);
  return place - (/[^\p{Zs}\s\p{P}]*$/u.exec(before)?.[0].length ?? 0);
}
