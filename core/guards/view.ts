// A text as a reader takes it: compatibility forms as plain ones, without what is not seen, with the place of each character in the source.

export interface View {
  readonly text: string;
  /** Where the source begins of the character at a place of the view. */
  startOf(index: number): number;
  /** Where it ends. */
  endOf(index: number): number;
  /** The first place of the view that stands at a place of the source, or after it. */
  indexOf(place: number): number;
}

/** A character of the source that is another one in the view, or none. */
interface Turned {
  /** Its place in the view, and the length there. */
  readonly at: number;
  readonly length: number;
  readonly source: number;
  readonly sourceLength: number;
}

/** Characters that no one sees (Unicode, Default_Ignorable_Code_Point), tags and variation selectors among them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const ALL_UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Letters of other alphabets that look like Latin ones (Unicode Technical Standard 39, confusables.txt, single letters). */
const LOOK_ALIKES: Readonly<Record<string, string>> = pairs(
  'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTХXҮYІIЈJЅSΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaοoνvρpιiυu',
);

/** Each character by the one before it. */
function pairs(letters: string): Readonly<Record<string, string>> {
  return Object.fromEntries((letters.match(/../gu) ?? []).map(([from = '', to = '']) => [from, to]));
}

/** Letters of one word, with what stands unseen between them. */
const LETTER = /^[\p{L}\p{M}\p{Default_Ignorable_Code_Point}]$/u;
const MIXABLE = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;

type Range = readonly [start: number, end: number];

/** Words that mix alphabets, where a look-alike stands for a Latin letter. A word of one alphabet is what it is. */
function mixedWordsOf(text: string, isLastMixed: boolean): readonly Range[] {
  const words: Range[] = [];
  if (othersIn(text)?.search(MIXABLE) === -1) return words;
  let looked = 0;
  for (const { index } of text.matchAll(MIXABLE)) {
    if (index < looked) continue;
    const [start, end] = wordAround(text, index);
    looked = end;
    if (/\p{Script=Latin}/u.test(text.slice(start, end)) || (isLastMixed && end === text.length))
      words.push([start, end]);
  }
  return words;
}

function wordAround(text: string, place: number): Range {
  let start = place;
  for (let size = sizeBefore(text, start); size > 0; size = sizeBefore(text, start)) {
    if (!LETTER.test(text.slice(start - size, start))) break;
    start -= size;
  }
  let end = place;
  for (const character of text.slice(place)) {
    if (!LETTER.test(character)) break;
    end += character.length;
  }
  return [start, end];
}

/** The length of the character before a place; 0 at the beginning. */
function sizeBefore(text: string, place: number): number {
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, place - 2), place));
  return Math.min(place, isPair ? 2 : 1);
}

/** Undefined where the view is the text itself: most texts are ASCII. `isLastMixed`: as if the last word, which goes on, mixed alphabets. */
export function viewOf(source: string, isLastMixed = false): View | undefined {
  if (isPlain(source)) return undefined;
  const mixed = mixedWordsOf(source, isLastMixed);
  const turned: Turned[] = [];
  let text = '';
  let copied = 0;
  let word = 0;
  for (const { 0: character, index } of source.matchAll(OTHER_CHARACTERS)) {
    while ((mixed[word]?.[1] ?? Number.POSITIVE_INFINITY) <= index) word += 1;
    const seen = seenOf(character, (mixed[word]?.[0] ?? Number.POSITIVE_INFINITY) <= index);
    if (seen === character) continue;
    text += source.slice(copied, index);
    turned.push({ at: text.length, length: seen.length, source: index, sourceLength: character.length });
    text += seen;
    copied = index + character.length;
  }
  if (turned.length === 0) return undefined;
  return createView(`${text}${source.slice(copied)}`, turned);
}

function createView(text: string, turned: readonly Turned[]): View {
  const find = (isBefore: (one: Turned) => boolean) => turned[countFirst(turned, isBefore) - 1];
  return {
    text,
    startOf(index) {
      const last = find(({ at }) => at <= index);
      if (last === undefined) return index;
      const after = index - last.at - last.length;
      return after < 0 ? last.source : last.source + last.sourceLength + after;
    },
    endOf(index) {
      const last = find(({ at }) => at <= index);
      if (last === undefined) return index + 1;
      return last.source + last.sourceLength + Math.max(0, index + 1 - last.at - last.length);
    },
    indexOf(place) {
      const last = find(({ source }) => source < place);
      if (last === undefined) return place;
      return Math.min(
        text.length,
        last.at + last.length + Math.max(0, place - last.source - last.sourceLength),
      );
    },
  };
}

/** How many are first in order for which it is true. */
function countFirst<One>(list: readonly One[], isTrue: (one: One) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = list[middle];
    if (one !== undefined && isTrue(one)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Characters that are others in a view whatever their compatibility form: unseen ones, blanks, hyphens; and alphabets that words may mix. */
const TURNED = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Script=Cyrillic}\p{Script=Greek}\p{Zs}\p{Pd}]/u;

/** True where the view is the text itself, in little time. */
function isPlain(source: string): boolean {
  const others = othersIn(source);
  return (
    others === undefined || (!TURNED.test(others.replaceAll(' ', '')) && others.normalize('NFKC') === others)
  );
}

/** Runs of characters that are not ASCII, with blanks between them; undefined where there are none. */
function othersIn(source: string): string | undefined {
  return source.match(OTHERS)?.join(' ');
}

/** The characters of a text that are seen, at most. */
export function countSeen(text: string): number {
  return isAscii(text) ? text.length : text.replaceAll(ALL_UNSEEN, '').length;
}

/** True where no character from a place on is another one than itself in a view. */
export function isAscii(text: string, from = 0): boolean {
  OTHER.lastIndex = Math.max(0, from);
  return !OTHER.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them.
const OTHER = /[^\x00-\x7f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them.
const OTHERS = /[^\x00-\x7f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them.
const OTHER_CHARACTERS = /[^\x00-\x7f]/gu;

function seenOf(character: string, isInMixed: boolean): string {
  const plain = plainForms.get(character) ?? plainOf(character);
  if (plainForms.size < MAX_FORMS) plainForms.set(character, plain);
  return isInMixed ? (LOOK_ALIKES[plain] ?? plain) : plain;
}

/** Forms of single characters: they are the same for everybody. */
const plainForms = new Map<string, string>();
const MAX_FORMS = 4_096;

function plainOf(character: string): string {
  if (UNSEEN.test(character)) return '';
  const plain = character.normalize('NFKC');
  if (/\p{Zs}/u.test(plain)) return ' ';
  return /^\p{Pd}$/u.test(plain) ? '-' : plain;
}

/** The place in the source of a place in the view; unseen characters inside of it belong to it. */
export function toSource(view: View, start: number, end: number): readonly [number, number] {
  return [view.startOf(start), view.endOf(end - 1)];
}
