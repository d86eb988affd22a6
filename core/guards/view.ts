// A text as a reader takes it: compatibility forms as plain ones, without what is not seen, with the place of each character in the source.

/** `starts[i]` and `ends[i]`: where the source of the i-th code unit of the view begins and ends. */
export interface View {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Characters that no one sees (Unicode, Default_Ignorable_Code_Point), tags and variation selectors among them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

/** Letters of other alphabets that look like Latin ones (Unicode Technical Standard 39, confusables.txt, single letters). */
const LOOK_ALIKES: Readonly<Record<string, string>> = pairs(
  'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTХXҮYІIЈJЅSΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaοoνvρpιiυu',
);

/** Each character by the one before it. */
function pairs(letters: string): Readonly<Record<string, string>> {
  return Object.fromEntries((letters.match(/../gu) ?? []).map(([from = '', to = '']) => [from, to]));
}

/** Letters one after another, with what stands unseen between them. */
const WORD = /[\p{L}\p{M}\p{Default_Ignorable_Code_Point}]+/gu;

/** Words that mix alphabets, where a look-alike stands for a Latin letter. A word of one alphabet is what it is. */
function mixedWordsOf(
  text: string,
  isLastMixed: boolean,
): readonly (readonly [start: number, end: number])[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isMixed = /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word);
    const isTaken = isLastMixed && index + word.length === text.length;
    return isMixed || isTaken ? [[index, index + word.length] as const] : [];
  });
}

/** Undefined where the view is the text itself: most texts are ASCII. `isLastMixed`: as if the last word, which goes on, mixed alphabets. */
export function viewOf(source: string, isLastMixed = false): View | undefined {
  if (isAscii(source)) return undefined;
  const mixed = mixedWordsOf(source, isLastMixed);
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  let at = 0;
  let word = 0;
  for (const character of source) {
    while ((mixed[word]?.[1] ?? Number.POSITIVE_INFINITY) <= at) word += 1;
    const isInMixed = (mixed[word]?.[0] ?? Number.POSITIVE_INFINITY) <= at;
    const seen = seenOf(character, isInMixed);
    for (let unit = 0; unit < seen.length; unit += 1) {
      starts.push(at);
      ends.push(at + character.length);
    }
    text += seen;
    at += character.length;
  }
  return text === source ? undefined : { text, starts, ends };
}

/** True where no character from a place on is another one than itself in a view. */
export function isAscii(text: string, from = 0): boolean {
  OTHER.lastIndex = Math.max(0, from);
  return !OTHER.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them.
const OTHER = /[^\x00-\x7f]/g;

function seenOf(character: string, isInMixed: boolean): string {
  if (character <= '\x7f') return character;
  if (UNSEEN.test(character)) return '';
  const plain = character.normalize('NFKC');
  if (isInMixed) return LOOK_ALIKES[plain] ?? plain;
  if (/\p{Zs}/u.test(plain)) return ' ';
  return /^\p{Pd}$/u.test(plain) ? '-' : plain;
}

/** The place in the source of a place in the view; unseen characters inside of it belong to it. */
export function toSource({ starts, ends }: View, start: number, end: number): readonly [number, number] {
  return [starts[start] ?? 0, ends[end - 1] ?? 0];
}
