// Finds characters that nobody sees, and a few known phrases that tell a model to forget what it was told. No more than that: an
// instruction in other words is not found.
import type { Find, Recognizer } from './find.ts';
import { createPatternRecognizer } from './patterns.ts';

/** The longest run of unseen characters that is one find. */
const MAX_RUN = 512;

/** Tag characters (Unicode, Tags block), which can spell out a text that nobody sees. Behind a black flag they are the flag of a region. */
const TAGS = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,8})[\u{e0001}\u{e0020}-\u{e007f}]{1,512}/gu;

/** Zero-width characters and variation selectors in numbers that no script needs. */
const RUNS = /(?:[\u200b-\u200f\u2060-\u2064]|\p{Variation_Selector}){8,512}/gu;

/** Text that shows in another order than it is read (Unicode Technical Report 36, bidirectional text spoofing). */
const OVERRIDES = /[\u202d\u202e][^\u202c\n]{0,200}/gu;

const HIDDEN: readonly RegExp[] = [TAGS, RUNS, OVERRIDES];

/** The end of a text in which one of them may go on. */
const OPEN_HIDDEN =
  /(?:\u{1f3f4}?(?:[\u{e0001}\u{e0020}-\u{e007f}\u200b-\u200f\u2060-\u2064]|\p{Variation_Selector}){1,512}|\u{1f3f4}|[\u202d\u202e][^\u202c\n]{0,200})$/gu;

const BLANKS = '\\s{1,8}';
const VERB = '(?:ignore|disregard|forget|override|bypass)';
const AIM = '(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?)';
const EARLIER = '(?:previous|prior|above|earlier|preceding|foregoing|original|initial|system)';
const FEW = `(?:${BLANKS}(?:all|any|of|the|these|those|your|my|our)){0,4}`;
const SHOW = '(?:reveal|print|repeat|show|output|disclose)';
const TOLD = `you${BLANKS}(?:were|have${BLANKS}been)${BLANKS}told`;

/** RE2, each with a longest match; and what each has within. */
const PHRASES: readonly string[] = [
  `\\b${VERB}${FEW}${BLANKS}${EARLIER}(?:${BLANKS}\\w{1,20}){0,2}${BLANKS}${AIM}\\b`,
  `\\b${VERB}${BLANKS}(?:everything|anything|all)${BLANKS}(?:above|before${BLANKS}this|${TOLD})\\b`,
  `\\b${SHOW}${BLANKS}(?:me${BLANKS})?(?:your|the)${BLANKS}(?:(?:hidden|initial|original|full)${BLANKS})?system${BLANKS}prompt\\b`,
  `\\byou${BLANKS}are${BLANKS}now${BLANKS}(?:in${BLANKS})?(?:DAN|developer${BLANKS}mode|jailbroken)\\b`,
];

const SIGNS: readonly RegExp[] = [
  /ignore|disregard|forget|override|bypass/gi,
  /ignore|disregard|forget|override|bypass/gi,
  /system\s{1,8}prompt/gi,
  /are\s{1,8}now/gi,
];

/** Makes the recognizer of `hidden` and `phrase`. */
export function createPhraseRecognizer(): Recognizer {
  const phrases = createPatternRecognizer(PHRASES, {
    entity: 'phrase',
    caseSensitive: false,
    signs: SIGNS,
  });
  const { openFrom } = phrases;
  if (openFrom === undefined) throw new Error('a known phrase has no longest match');
  return {
    find: (text, from = 0) => [
      ...HIDDEN.flatMap((pattern) => findHidden(pattern, text, from)),
      ...phrases.find(text, from),
    ],
    openFrom: (text, from = 0) => Math.min(openFrom(text, from), openHidden(text, from)),
  };
}

function findHidden(pattern: RegExp, text: string, from: number): readonly Find[] {
  pattern.lastIndex = from;
  return [...text.matchAll(pattern)].map(({ 0: match, index }) => ({
    entity: 'hidden',
    start: index,
    end: index + match.length,
  }));
}

function openHidden(text: string, from: number): number {
  OPEN_HIDDEN.lastIndex = Math.max(from, text.length - 2 * MAX_RUN - 2);
  return OPEN_HIDDEN.exec(text)?.index ?? text.length;
}
